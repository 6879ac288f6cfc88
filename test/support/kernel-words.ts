// The kernel's 256-bit word functions, compiled by themselves into a temporary folder, with operands in a memory of
// their own. They run on the test's main thread.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.js';

const ASSEMBLY = fileURLToPath(new URL('../../../src/evm/kernel/assembly/', import.meta.url));
const COMPILER = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js');
const OPTIONS = '-O3 --converge --noAssert --runtime stub --enable simd --importMemory --use abort='.split(' ');
const MODULES = ['words/arithmetic', 'words/shift', 'hashes/keccak', 'hashes/sha256'];
const PAGES = 4;
/** The modules' static data end below the second page. */
const FREE = 65_536;

type WordFunction = (...pointers: number[]) => number | undefined;

/** Exports by name, and the memory that their pointers refer to. Addresses below `free` belong to the modules. */
export interface KernelWords {
  readonly functions: Readonly<Record<string, WordFunction>>;
  readonly memory: Buffer;
  readonly free: number;
}

/** The part of the `WebAssembly` global that is used here; Node's types leave it to the DOM's. */
interface WebAssemblyGlobal {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyGlobal };

function compile(): Uint8Array {
  const folder = temporaryFolder();
  const entry = join(folder, 'entry.ts');
  const target = join(folder, 'words.wasm');
  const exports = MODULES.map((module) => `export * from '${relative(folder, join(ASSEMBLY, module))}';`);
  writeFileSync(entry, exports.join('\n'));
  const { status, stderr } = spawnSync(process.execPath, [
    COMPILER,
    relative('/', entry),
    '--baseDir',
    '/',
    '--outFile',
    target,
    ...OPTIONS,
  ]);
  if (status !== 0) throw new Error(stderr.toString());
  return readFileSync(target);
}

/** Compiles and instantiates the functions: takes a few seconds. */
export function kernelWords(): KernelWords {
  const memory = new WebAssembly.Memory({ initial: PAGES });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(compile()), { env: { memory } });
  const functions = instance.exports as Record<string, WordFunction>;
  return { functions, memory: Buffer.from(memory.buffer), free: FREE };
}
