// Builds a Node-API addon with node-gyp into the folder of its build.ts's compiled form, if its sources changed. Never
// downloads anything and never fails the build: without compiler or headers something slower serves. Runs in
// `npm run build` only.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An addon and where its parts are. */
export interface AddonSources {
  /** Target of binding.gyp: the addon is NAME.node. */
  readonly name: string;
  /** Folder of the sources. */
  readonly sources: string;
  /** Folder that gets the addon. */
  readonly target: string;
  /** Names of the sources, binding.gyp among them. */
  readonly files: readonly string[];
  /** Names of headers beside this file that the sources include. */
  readonly headers?: readonly string[];
  /** npm package whose sources are compiled in. */
  readonly package?: string;
  /** Expression that shows that the addon, `addon`, works. */
  readonly proof: string;
  /** What serves without it. */
  readonly fallback: string;
}

const BUILD_MS_MAX = 300_000;
const HEADERS = fileURLToPath(new URL('../../../../src/lib/addon/', import.meta.url));

const require = createRequire(import.meta.url);

/** Leaves the addon, or a line on the console that says why there is none. */
export function buildAddon(addon: AddonSources): void {
  const digest = fingerprint(addon);
  if (isCurrent(addon, digest)) return;
  const problem = build(addon, digest);
  if (problem === null) return;
  rmSync(addonFile(addon), { force: true });
  console.warn(`${addon.name} addon not built (${problem}); ${addon.fallback} serves`);
}

function addonFile({ name, target }: AddonSources): string {
  return join(target, `${name}.node`);
}

function digestFile({ name, target }: AddonSources): string {
  return join(target, `${name}.digest`);
}

function fingerprint(addon: AddonSources): string {
  const hash = createHash('sha256').update(
    // No version of Node.js: addons ask for Node-API alone, which all of them have.
    `${packageVersion(addon.package)} ${process.platform} ${process.arch}`,
  );
  for (const file of pathsOf(addon)) hash.update(readFileSync(file));
  return hash.digest('hex');
}

function pathsOf({ sources, files, headers = [] }: AddonSources): string[] {
  return [...files.map((file) => join(sources, file)), ...headers.map((file) => join(HEADERS, file))];
}

/** `none` where there is no package, or an optional one is not installed. */
function packageVersion(name: string | undefined): string {
  if (name === undefined) return 'none';
  try {
    const { version }: { version: string } = require(`${name}/package.json`);
    return version;
  } catch {
    return 'none';
  }
}

function isCurrent(addon: AddonSources, digest: string): boolean {
  const file = digestFile(addon);
  return existsSync(addonFile(addon)) && existsSync(file) && readFileSync(file, 'utf8') === digest;
}

/** Builds in a folder of its own and renames the result into place, so that nobody loads half a file; or says why not. */
function build(addon: AddonSources, digest: string): string | null {
  const nodedir = headersFolder();
  if (nodedir === null) return 'no Node headers beside node; npm_config_nodedir can name their folder';
  const folder = mkdtempSync(join(addon.target, 'build-'));
  try {
    for (const file of pathsOf(addon)) copyFileSync(file, join(folder, basename(file)));
    return compile(folder, nodedir, join(addon.target, 'build.log')) ?? install(addon, digest, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prefix below which include/node/node_api.h lies. */
function headersFolder(): string | null {
  const candidates = [process.env['npm_config_nodedir'], dirname(dirname(process.execPath))];
  return candidates.find((folder) => folder && existsSync(join(folder, 'include/node/node_api.h'))) ?? null;
}

function compile(folder: string, nodedir: string, log: string): string | null {
  const gyp = require.resolve('node-gyp/bin/node-gyp.js');
  const result = run([gyp, 'rebuild', `--directory=${folder}`, `--nodedir=${nodedir}`]);
  writeFileSync(log, result.output);
  return result.ok ? null : `${firstError(result.output)}; see ${log}`;
}

/** Loads the addon in a process of its own first: one that does not start must not be found at run time. */
function install(addon: AddonSources, digest: string, folder: string): string | null {
  const built = join(folder, 'build', 'Release', `${addon.name}.node`);
  const script = `const addon = require(${JSON.stringify(built)}); ${addon.proof}`;
  if (!run(['-e', script]).ok) return 'it does not load';
  renameSync(built, addonFile(addon));
  writeFileSync(digestFile(addon), digest);
  return null;
}

function run(args: readonly string[]): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: BUILD_MS_MAX,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

/** The line of node-gyp's output that says most: a tool that is missing, else what the compiler or node-gyp complains of. */
function firstError(output: string): string {
  const missing = /^make(?:\[\d+\])?: (.+(?:No such file or directory|not found))$/m.exec(output);
  const line = missing ?? /(?:error:|gyp ERR! stack Error:) *(.+)/.exec(output);
  return line?.[1] ?? 'node-gyp failed';
}
