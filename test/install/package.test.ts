// The packages of a release as a user gets them: packed, installed into an empty folder from a registry on loopback,
// and run there.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PLATFORMS, type Project } from '../../deploy/release/manifest.js';
import { releaseNotes } from '../../deploy/release/notes.js';
import { platformPackageName } from '../../src/native/locate-binary.js';
import { ONE_ESTIMATOR } from '../support/one-estimator.js';
import { startRegistry, type Registry } from '../support/registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { pack } from './packed.js';
import { environmentOf, saidAtStart, type Said } from './program.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const NAME = 'prestate-rpc';
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Project;
const TARBALL = `${NAME}-${version}.tgz`;
const TARBALL_BYTES_MAX = 3_000_000;
const { platform, arch } = process;
const isPrebuilt = PLATFORMS.some(({ os, cpu }) => os === platform && cpu === arch);
const BINARIES = platformPackageName(platform, arch);
const NOT_PREBUILT = !isPrebuilt && `there is no package for ${platform} ${arch}`;
const LINK = /\]\(([^)#:]*)(?:#([^)]*))?\)/g;

const run = promisify(execFile);
const folder = temporaryFolder();
/** The folder of the installation. */
const app = join(folder, 'app');
let registry: Registry;
let env: NodeJS.ProcessEnv;

before(async () => {
  mkdirSync(app);
  registry = await startRegistry(pack(folder));
  env = { ...ONE_ESTIMATOR, npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache') };
  await run('npm', ['install', NAME], { cwd: app, env });
});
after(() => registry.stop());

function installed(path: string): string {
  return join(app, 'node_modules', NAME, path);
}

test('a dry run writes release notes and packages, the main one small and without binaries', () => {
  const packed = readdirSync(folder).filter((file) => /\.(tgz|md)$/.test(file));
  assert.deepEqual(
    packed.toSorted(),
    ['notes.md', ...(isPrebuilt ? [`${BINARIES}-${version}.tgz`] : []), TARBALL].toSorted(),
  );
  const notes = readFileSync(join(folder, 'notes.md'), 'utf8');
  assert.equal(notes, releaseNotes(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version));
  assert.ok(statSync(join(folder, TARBALL)).size < TARBALL_BYTES_MAX);
  const files = readdirSync(installed('.'), { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    files.filter((file) => /\.(node|map|gyp|cpp|h)$|\bbuild\.js$/.test(file)),
    [],
  );
});

test('documents and licences are in the package', () => {
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'src/architecture.svg', 'src/terminal.svg'])
    assert.ok(existsSync(installed(file)), file);
  const linked = readFileSync(installed('dist/src/native/LICENSES.txt'), 'utf8');
  assert.deepEqual(linked.match(/^# \w+$/gm), ['# blst', '# libsecp256k1', '# simdjson']);
  assert.match(
    readFileSync(installed('dist/src/http/uws/native/LICENSE.uWebSockets.js.txt'), 'utf8'),
    /Apache License/,
  );
  assert.match(readFileSync(installed('dist/bundle/LICENSES.txt'), 'utf8'), /^# @ethereumjs\/evm /m);
});

/** Anchors of headings, as code hosts and registries generate them. */
function anchorsOf(document: string): readonly string[] {
  const headings = [...document.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\d\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link of the README leads to an installed file, and to a heading in it', () => {
  const readme = readFileSync(installed('README.md'), 'utf8');
  const links = [...readme.matchAll(LINK)];
  assert.ok(links.length > 5);
  for (const [link, path = '', anchor] of links) {
    const file = installed(path === '' ? 'README.md' : path);
    assert.ok(existsSync(file), link);
    if (anchor !== undefined) assert.ok(anchorsOf(readFileSync(file, 'utf8')).includes(anchor), link);
  }
});

/** Result of a call. */
async function result({ port }: Said, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { readonly result?: unknown }).result;
}

/**
 * Starts the installed command with that Node.js, requests a read and an estimate, and stops it; returns its log at
 * startup.
 */
async function served(node: string): Promise<Said> {
  const args = [join(app, 'node_modules/.bin/prestate'), '--port', '0', '--log-level', 'debug'];
  const child = spawn(node, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  try {
    const said = await saidAtStart(child);
    const [from, to] = (await result(said, 'eth_accounts')) as [string, string];
    assert.equal(await result(said, 'eth_getTransactionCount', to, 'pending'), '0x0');
    assert.equal(await result(said, 'eth_estimateGas', { from, to }, 'pending'), '0x5208');
    return said;
  } finally {
    child.kill();
    await closed;
  }
}

const OWN = process.versions.node.split('.')[0]!;
for (const major of ['20', '22', '24', '25']) {
  const node = major === OWN ? process.execPath : process.env[`NODE_${major}`];
  const skip = node === undefined && `NODE_${major} names no Node.js ${major}`;
  test(`on Node.js ${major} the installed command prints its version and serves`, { skip }, async () => {
    const options = { cwd: app, env: { ...env, PATH: environmentOf(node!)['PATH'] } };
    const { stdout } = await run('npx', ['prestate', '--version'], options);
    assert.ok(stdout.startsWith(`prestate ${version} `), stdout);
    const { backend } = await served(node!);
    if (isPrebuilt) assert.match(stdout, /, addon whole, /);
    if (isPrebuilt) assert.equal(backend, 'uWebSockets.js: native');
  });
}

test('npx runs the package in an empty folder', async () => {
  const cwd = join(folder, 'empty');
  mkdirSync(cwd);
  const { stdout } = await run('npx', ['--yes', NAME, '--version'], { cwd, env });
  assert.ok(stdout.startsWith(`prestate ${version} `), stdout);
  assert.deepEqual(readdirSync(cwd), []);
});

test('without its platform package the program still serves, and logs that', { skip: NOT_PREBUILT }, async () => {
  const [there, away] = [join(app, 'node_modules', BINARIES), join(folder, 'away')];
  renameSync(there, away);
  try {
    const { stdout } = await run(join(app, 'node_modules/.bin/prestate'), ['--version'], { env });
    assert.match(stdout, /, no addon: .* neither built here nor installed with the package for linux \w+\), /);
    assert.match((await served(process.execPath))['backend']!, /^node:http: slower, /);
  } finally {
    renameSync(away, there);
  }
});
