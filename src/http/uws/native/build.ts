// Copies the binaries of uWebSockets.js for this platform, one per Node.js ABI, with their licence, to the folder of
// this file's compiled form. They are relinked so that they load on a glibc before 2.38. Never downloads anything and
// never fails the build: without a binary, the program uses node:http. Used by `npm run build` only.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_ABIS, BINARY_SHA256, uwsBinaryName } from './uws-binaries.js';
import { relinkForOlderGlibc } from './relink-for-older-glibc.js';

const require = createRequire(import.meta.url);
const SOURCES = dirname(require.resolve('uWebSockets.js'));
const TARGETS = fileURLToPath(new URL('.', import.meta.url));
const LICENSE = 'LICENSE.uWebSockets.js.txt';
/** Matches the error when a binary for another version of Node.js is loaded. */
const OTHER_NODE = /undefined symbol: _ZNK?2v8|compiled against a different Node.js version/;

const names = NODE_ABIS.map((abi) => uwsBinaryName(process.platform, process.arch, abi));
for (const name of names.filter((known) => known in BINARY_SHA256)) put(name);
write(LICENSE, readFileSync(new URL(`../../../../../src/http/uws/native/${LICENSE}`, import.meta.url)));

function put(name: string): void {
  try {
    write(`${name}.node`, loadable(name), prove);
  } catch (error) {
    rmSync(join(TARGETS, `${name}.node`), { force: true });
    console.warn(`uWebSockets.js for ${name} left out: ${(error as Error).message}`);
  }
}

/** Returns the binary with this name, relinked if needed. Throws if its hash is not the expected one. */
function loadable(name: string): Uint8Array {
  const file = readFileSync(join(SOURCES, `uws_${name}.node`));
  const digest = createHash('sha256').update(file).digest('hex');
  if (digest !== BINARY_SHA256[name]) throw new Error(`its SHA-256 is ${digest}`);
  return relinkForOlderGlibc(file, process.arch);
}

/**
 * Tests a binary by loading it in a process of its own that resolves all symbols at once. Throws if a symbol is
 * missing. In a binary for another version of Node.js, only V8's symbols may be missing.
 */
function prove(file: string): void {
  const { status, stderr } = spawnSync(process.execPath, ['-e', `process.dlopen(module, ${JSON.stringify(file)})`], {
    encoding: 'utf8',
    env: { ...process.env, LD_BIND_NOW: '1' },
  });
  if (status !== 0 && !OTHER_NODE.test(stderr)) throw new Error(/Error: (.+)/.exec(stderr)?.[1] ?? 'it does not load');
}

/**
 * Writes a file under a temporary name, checks it, and renames it, so that no process loads a partly written file. A
 * file that is already identical is left as it is.
 */
function write(name: string, bytes: Uint8Array, check?: (file: string) => void): void {
  const target = join(TARGETS, name);
  if (existsSync(target) && readFileSync(target).equals(bytes)) return;
  writeFileSync(`${target}.new`, bytes);
  check?.(`${target}.new`);
  renameSync(`${target}.new`, target);
}
