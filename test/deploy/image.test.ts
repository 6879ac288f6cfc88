// The image: its stages, its user, its signals, and the files that its build sees.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.js';
import { deployed, root, textOf } from './deployed.js';

interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The instructions of a Dockerfile, with continued lines joined. */
function instructions(text: string): readonly Instruction[] {
  const joined = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  return [...joined.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name, value]) => ({ name: name!, value: value! }));
}

const dockerfile = instructions(deployed('Dockerfile'));
const lastStage = dockerfile.slice(dockerfile.findLastIndex(({ name }) => name === 'FROM'));
const valuesOf = (name: string): readonly string[] =>
  lastStage.filter((instruction) => instruction.name === name).map(({ value }) => value);

test('the image is built in one stage and run in another, without compiler, not as root', () => {
  assert.deepEqual(
    dockerfile.filter(({ name }) => name === 'FROM').map(({ value }) => value),
    ['node:${NODE_VERSION}-bookworm AS build', 'node:${NODE_VERSION}-bookworm-slim'],
  );
  assert.deepEqual(valuesOf('USER'), ['node']);
  assert.ok(!valuesOf('RUN').some((command) => command.includes('npm')));
  for (const copied of valuesOf('COPY')) assert.match(copied, /^--from=build /);
});

test('the image is labelled with its source', () => {
  const { description } = JSON.parse(textOf('package.json')) as { readonly description: string };
  const [label] = valuesOf('LABEL');
  assert.ok(valuesOf('ARG').includes('GIT_COMMIT=') && label!.includes('image.revision="$GIT_COMMIT"'));
  assert.ok(label!.includes(`image.description="${description}"`));
  for (const file of ['compose.yaml', 'replicas.yaml']) assert.match(deployed(file), /GIT_COMMIT: \$\{GIT_COMMIT:-\}/);
});

test('data files that the program reads are in the image and in the package', () => {
  const page = 'src/http/status/page.html';
  assert.ok(valuesOf('COPY').some((copied) => copied.includes(page)));
  assert.ok((JSON.parse(textOf('package.json')) as { readonly files: readonly string[] }).files.includes(page));
});

test('signals reach the program without a shell in between', () => {
  assert.deepEqual(valuesOf('STOPSIGNAL'), ['SIGTERM']);
  assert.deepEqual(JSON.parse(valuesOf('ENTRYPOINT')[0]!), ['node', '/opt/prestate/dist/src/main.js']);
  assert.deepEqual(valuesOf('CMD'), []);
  const [, probe] = /CMD (\[.+\])$/.exec(valuesOf('HEALTHCHECK')[0]!)!;
  assert.match((JSON.parse(probe!) as string[]).join(' '), /^node \S+\/main\.js ready$/);
});

/** Entries of the root folder that the image's build sees. */
const [hidden, ...seen] = deployed('Dockerfile.dockerignore')
  .split('\n')
  .filter((line) => !/^(#|$)/.test(line));

test('the build context of the image has the listed files and nothing else', () => {
  assert.equal(hidden, '*');
  const known = new Set(readdirSync(root));
  for (const line of seen) assert.ok(line.startsWith('!') && known.has(line.slice(1)), line);
});

/** Files generated next to compiled TypeScript, each with a digest by which the build detects changes. */
const MADE = [
  'dist/src/native/native.node',
  'dist/src/evm/kernel/kernel.wasm',
  'dist/src/lib/bytes/keccak.wasm',
  'dist/src/feed/dev/contracts/artifacts.json',
];

test('the build context of the image builds with npm ci, and the program starts', () => {
  const folder = temporaryFolder();
  const from = fileURLToPath(root);
  for (const line of seen) cpSync(join(from, line.slice(1)), join(folder, line.slice(1)), { recursive: true });
  for (const file of MADE.flatMap((made) => [made, `${made}.digest`]))
    if (existsSync(join(from, file))) cpSync(join(from, file), join(folder, file));
  symlinkSync(join(from, 'node_modules'), join(folder, 'node_modules'));
  const env = { ...process.env, GIT_COMMIT: 'abcdef012345' };
  execFileSync('npm', ['run', 'prepare', '--offline'], { cwd: folder, stdio: 'pipe', env });
  const version = execFileSync(process.execPath, ['dist/src/main.js', '--version'], { cwd: folder, encoding: 'utf8' });
  assert.match(version, /^prestate \d+\.\d+\.\d+ \(abcdef012345\), Node\.js v/);
  assert.match(version, /, (addon|no addon).*, rules up to \w+ and, on the OP Stack, \w+\n$/);
});

test('a package is built once, by prepare, which npm runs after prepack', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  assert.equal(scripts['prepare'], 'npm run build');
  assert.doesNotMatch(scripts['prepack']!, /build/);
});
