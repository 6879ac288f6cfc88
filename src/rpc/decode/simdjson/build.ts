// Builds the decoder addon with node-gyp into the folder of this file's compiled form, if its sources changed. Never
// downloads anything and never fails the build: without compiler or headers the byte decoder serves. Runs in
// `npm run build` only.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../../../../../src/rpc/decode/simdjson/', import.meta.url));
const TARGETS = fileURLToPath(new URL('.', import.meta.url));
const FILES = ['binding.gyp', 'addon.cpp', 'allocator.h', 'request.h'];
const ADDON = join(TARGETS, 'decoder.node');
const DIGEST = join(TARGETS, 'decoder.digest');
const LOG = join(TARGETS, 'build.log');
const BUILD_MS_MAX = 300_000;

const require = createRequire(import.meta.url);
const digest = fingerprint();
if (!isCurrent()) {
  const problem = build();
  if (problem !== null) {
    rmSync(ADDON, { force: true });
    console.warn(`simdjson addon not built (${problem}); the byte decoder serves`);
  }
}

function fingerprint(): string {
  const { version }: { version: string } = require('simdjson/package.json');
  // No version of Node.js: the addon asks for Node-API alone, which all of them have.
  const hash = createHash('sha256').update(`${version} ${process.platform} ${process.arch}`);
  for (const file of FILES) hash.update(readFileSync(join(SOURCES, file)));
  return hash.digest('hex');
}

function isCurrent(): boolean {
  return existsSync(ADDON) && existsSync(DIGEST) && readFileSync(DIGEST, 'utf8') === digest;
}

/** Builds in a folder of its own and renames the result into place, so that nobody loads half a file; or says why not. */
function build(): string | null {
  const nodedir = headersFolder();
  if (nodedir === null) return 'no Node headers beside node; npm_config_nodedir can name their folder';
  const folder = mkdtempSync(join(TARGETS, 'build-'));
  try {
    for (const file of FILES) copyFileSync(join(SOURCES, file), join(folder, file));
    return compile(folder, nodedir) ?? install(join(folder, 'build', 'Release', 'decoder.node'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prefix below which include/node/node_api.h lies. */
function headersFolder(): string | null {
  const candidates = [process.env['npm_config_nodedir'], dirname(dirname(process.execPath))];
  return candidates.find((folder) => folder && existsSync(join(folder, 'include/node/node_api.h'))) ?? null;
}

function compile(folder: string, nodedir: string): string | null {
  const gyp = require.resolve('node-gyp/bin/node-gyp.js');
  const result = run([gyp, 'rebuild', `--directory=${folder}`, `--nodedir=${nodedir}`]);
  writeFileSync(LOG, result.output);
  return result.ok ? null : `${firstError(result.output)}; see ${LOG}`;
}

/** Loads the addon in a process of its own first: one that does not start must not be found at run time. */
function install(built: string): string | null {
  const script = `require(${JSON.stringify(built)}).create(1024, 8, 1, 1)`;
  if (!run(['-e', script]).ok) return 'it does not load';
  renameSync(built, ADDON);
  writeFileSync(DIGEST, digest);
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
