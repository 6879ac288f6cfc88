// Preloaded to replace the build's kernel in a process by the one that MUTATED_KERNEL names.
import { readFileSync } from 'node:fs';
import { wasm } from '../../src/lib/bytes/wasm-types.js';

const { Module } = wasm;
const own = readFileSync(new URL('../../src/evm/kernel/kernel.wasm', import.meta.url));
const mutant = readFileSync(process.env['MUTATED_KERNEL']!);

const Replacing = new Proxy(Module, {
  construct: (target, [bytes]: [Uint8Array]) => new target(own.equals(bytes) ? mutant : bytes),
});
Object.assign(wasm, { Module: Replacing });
