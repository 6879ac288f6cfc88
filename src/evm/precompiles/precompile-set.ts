// THE table of what computes each precompile. Runs on publisher and estimators.
import {
  NobleBLS,
  NobleBN254,
  type EVMBLSInterface,
  type EVMBN254Interface,
  type PrecompileFunc,
} from '@ethereumjs/evm';
import { createBlake2f } from './blake2f.js';
import { Bls } from './bls12-381.js';
import { Bn254 } from './bn254.js';
import type { BlsFunctions, GeneralFunctions } from './functions.js';
import { createKzg } from './kzg.js';
import { createModexp } from './modexp.js';
import { NATIVE } from './native.js';
import { createP256Verify } from './p256-verify.js';
import { createWasmBls, createWasmGeneral } from './wasm/functions.js';

/** What the precompiles of an engine are computed with. Gas, output and failure are the same in every set. */
export interface PrecompileSet {
  /** What replaces the library's function of a precompile, by number, in forks that have it. */
  readonly functions: ReadonlyMap<number, PrecompileFunc>;
  /** What the library's other functions compute with. */
  readonly bn254: EVMBN254Interface;
  readonly bls: EVMBLSInterface;
  /** What computes those that the library does not, by number. */
  readonly by: ReadonlyMap<number, By>;
}

/** What there is to compute with; `null`: the library. */
export interface Computing {
  readonly general: GeneralFunctions | null;
  readonly bls: BlsFunctions | null;
}

type By = 'native' | 'wasm';

/** MODEXP, alt_bn128, BLAKE2F, P256VERIFY. */
const GENERAL_NUMBERS = [0x05, 0x06, 0x07, 0x08, 0x09, 0x100];
/** Point evaluation and BLS12-381. */
const BLS_NUMBERS = [0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11];

const NOTHING: Computing = { general: null, bls: null };

/** The library's own functions: the judge of the others. */
export const LIBRARY_PRECOMPILES: PrecompileSet = precompileSet(NOTHING, NOTHING);

/** What stands in for the addon's functions where there are none. */
const WASM: Computing = {
  general: NATIVE.general === null ? await createWasmGeneral() : null,
  bls: NATIVE.bls === null ? await createWasmBls() : null,
};

/** The addon's functions where it has them, else WebAssembly, which is loaded only then, else the library's. */
export const NATIVE_PRECOMPILES: PrecompileSet = precompileSet(NATIVE, WASM);

/** The curve BLS12-381 for other proofs than those of precompiles; `null` where only the library has it. */
export const BLS_FUNCTIONS: BlsFunctions | null = NATIVE.bls ?? WASM.bls;

/** What is computed with the functions that there are. */
export function precompileSet(native: Computing, wasm: Computing): PrecompileSet {
  const functions = new Map<number, PrecompileFunc>();
  const [general, bls] = [native.general ?? wasm.general, native.bls ?? wasm.bls];
  if (general !== null) {
    functions.set(0x05, createModexp(general));
    functions.set(0x09, createBlake2f(general));
    functions.set(0x100, createP256Verify(general));
  }
  if (bls !== null) functions.set(0x0a, createKzg(bls));
  return {
    functions,
    bn254: general === null ? new NobleBN254() : new Bn254(general),
    bls: bls === null ? new NobleBLS() : new Bls(bls),
    by: new Map([...computedBy('wasm', wasm), ...computedBy('native', native)]),
  };
}

function computedBy(by: By, { general, bls }: Computing): [number: number, by: By][] {
  const numbers = [...(general === null ? [] : GENERAL_NUMBERS), ...(bls === null ? [] : BLS_NUMBERS)];
  return numbers.map((number) => [number, by]);
}
