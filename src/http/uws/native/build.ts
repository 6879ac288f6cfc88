// Puts the binaries of uWebSockets.js beside this file's compiled form, relinked so that they load on glibc before 2.38,
// with their licence: those of this platform, one for each ABI of Node.js.
// Never downloads anything and never fails the build: without a binary the package itself or node:http serves. Runs in
// `npm run build` only.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ABIS, DIGESTS, binaryName } from './binaries.js';
import { relink } from './relink.js';

const require = createRequire(import.meta.url);
const SOURCES = dirname(require.resolve('uWebSockets.js'));
const TARGETS = fileURLToPath(new URL('.', import.meta.url));
const LICENSE = 'LICENSE.uWebSockets.js.txt';

for (const abi of ABIS) put(binaryName(process.platform, process.arch, abi));
write(LICENSE, readFileSync(new URL(`../../../../../src/http/uws/native/${LICENSE}`, import.meta.url)));

function put(name: string): void {
  try {
    write(`${name}.node`, loadable(name));
  } catch (error) {
    console.warn(`uWebSockets.js for ${name} left out: ${(error as Error).message}`);
  }
}

/** The binary of that name as the program may load it. */
function loadable(name: string): Uint8Array {
  const file = readFileSync(join(SOURCES, `uws_${name}.node`));
  const digest = createHash('sha256').update(file).digest('hex');
  if (digest !== DIGESTS[name]) throw new Error(`its SHA-256 is ${digest}`);
  return name.startsWith('linux_') ? relink(file, process.arch) : file;
}

/** Renames the file into place, so that nobody loads half of it; one that is there already is left alone. */
function write(name: string, bytes: Uint8Array): void {
  const target = join(TARGETS, name);
  if (existsSync(target) && readFileSync(target).equals(bytes)) return;
  writeFileSync(`${target}.new`, bytes);
  renameSync(`${target}.new`, target);
}
