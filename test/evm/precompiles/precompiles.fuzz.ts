// The precompiles of the addon, and those in WebAssembly, answer what the library's do, for right and hostile inputs: gas,
// output, failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NATIVE } from '../../../src/evm/precompiles/native.js';
import {
  LIBRARY_PRECOMPILES,
  NATIVE_PRECOMPILES,
  precompileSet,
  type PrecompileSet,
} from '../../../src/evm/precompiles/precompile-set.js';
import { createWasmBls } from '../../../src/evm/precompiles/wasm-bls.js';
import { HOSTILE_NUMBERS } from './hostile-inputs.js';
import { hunt } from './hunt.js';

const SEED = Number(process.env['SEED'] ?? 1);
/** Times as many cases: FUZZ_SCALE=50 for a longer run. */
const SCALE = Number(process.env['FUZZ_SCALE'] ?? 1);
/** The library takes milliseconds for each. */
const CASES: ReadonlyMap<number, number> = new Map([
  [0x05, 2500],
  [0x06, 300],
  [0x07, 100],
  [0x08, 24],
  [0x09, 300],
  [0x0a, 60],
  [0x0b, 100],
  [0x0c, 60],
  [0x0d, 100],
  [0x0e, 40],
  [0x0f, 24],
  [0x10, 60],
  [0x11, 40],
  [0x100, 150],
]);
/** Forks whose rules for the precompile differ; else the last one. */
const FORKS: ReadonlyMap<number, readonly string[]> = new Map([[0x05, ['istanbul', 'prague', 'osaka']]]);

/** Compares a set with the library's. */
async function compare(set: PrecompileSet, fork: string, number: number): Promise<void> {
  const { accepted, refused, difference } = await hunt(
    [LIBRARY_PRECOMPILES, set],
    [fork, number],
    CASES.get(number)! * SCALE,
    SEED,
  );
  assert.equal(difference, null);
  assert.ok(accepted > refused / 4 && refused > 0, `${accepted} accepted, ${refused} refused`);
}

for (const number of HOSTILE_NUMBERS) {
  const skip = NATIVE_PRECOMPILES.by.get(number) === 'native' ? false : NATIVE.reason;
  for (const fork of FORKS.get(number) ?? ['osaka']) {
    void test(`0x${number.toString(16)} in ${fork}`, { skip }, () => compare(NATIVE_PRECOMPILES, fork, number));
  }
}

const WASM_PRECOMPILES = precompileSet({ addon: null, blst: null, wasmBls: await createWasmBls() });

for (const number of WASM_PRECOMPILES.by.keys()) {
  void test(`0x${number.toString(16)} in WebAssembly`, () => compare(WASM_PRECOMPILES, 'osaka', number));
}
