// Mutants of the precompiles in WebAssembly: bugs in the compiled JavaScript that calls mcl, and in the AssemblyScript of
// MODEXP and BLAKE2F. Runs in tests only.
import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeKernelSources } from '../../src/evm/kernel/generate.js';
import type { Computing } from '../../src/evm/precompiles/precompile-set.js';
import { changeAddon, type AddonChange } from './addon-change.js';
import { compileKernel } from './compile-kernel.js';

const COMPILED = fileURLToPath(new URL('../../src/', import.meta.url));
const WASM = 'evm/precompiles/wasm';
/** What the code there imports. */
const PARTS = ['lib', 'evm/precompiles', 'evm/kzg-setup.js'];
/** The AssemblyScript that has the integers' precompiles. */
const INTEGERS = 'precompile-functions';

/** What is imported of a mutant. */
type Functions = typeof import('../../src/evm/precompiles/wasm/functions.js');

/** Writes to `folder` what mutants are made of: compiled JavaScript in `code`, AssemblyScript in `integers`. */
export function writeWasmSources(folder: string): void {
  for (const part of PARTS) cpSync(join(COMPILED, part), join(folder, 'code', part), { recursive: true });
  mkdirSync(join(folder, 'integers'));
  writeKernelSources(join(folder, 'integers'));
}

/** Where the file of the change lies below that folder. */
export function folderOf({ file }: AddonChange, folder: string): string {
  return join(folder, file.endsWith('.ts') ? 'integers' : join('code', WASM));
}

/** What computes with the bug. `folder` lies below the project, so that packages are found, and is used once. */
export async function loadWasmMutant(change: AddonChange, folder: string): Promise<Computing> {
  writeWasmSources(folder);
  changeAddon(folderOf(change, folder), change);
  const code = join(folder, 'code', WASM);
  if (change.file.endsWith('.ts'))
    renameSync(await compileKernel(join(folder, 'integers'), INTEGERS), join(code, 'functions.wasm'));
  const functions = (await import(pathToFileURL(join(code, 'functions.js')).href)) as Functions;
  return { general: await functions.createWasmGeneral(), bls: await functions.createWasmBls() };
}
