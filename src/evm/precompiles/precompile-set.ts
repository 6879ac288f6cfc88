// THE table of what computes each precompile. Runs on publisher and estimators.

// Decision (2026-11, two cores): Precompiles are native. The library's, in JavaScript, compute 0.1 to 5 Mgas a second,
// so that one transaction holds the publisher for minutes. blst does BLS12-381 and KZG; alt_bn128, P-256, MODEXP and
// BLAKE2F are written here on one template of prime fields: npm has no sources of them that are small and kept. Each
// computes over 20 Mgas a second. Price: 1,400 lines of C++ that a fuzzer and 39 mutants have to answer for; `c-kzg`,
// whose sources hold blst, is an optional package, which an npm that does not know `allowScripts` also builds for
// nothing.
//
// Decision (2026-11, two cores): Without the addon precompiles are the library's, in JavaScript: a function has two
// forms at most, the fast one and the portable one that judges it. Price: without a C++ compiler 0.1 to 4 Mgas a
// second, where WebAssembly had 10 to 30 for 1,700 lines and a dependency.
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
import type { BlsFunctions, GeneralFunctions } from '../../native/precompiles/functions.js';
import { createKzg } from './kzg.js';
import { createModexp } from './modexp.js';
import { NATIVE } from './native.js';
import { createP256Verify } from './p256-verify.js';

/** Functions that the precompiles of an engine are computed with. Gas, output and failure are the same in every set. */
export interface PrecompileSet {
  /** Functions in the place of the library's, by number of the precompile, in forks that have it. */
  readonly functions: ReadonlyMap<number, PrecompileFunc>;
  /** Curves that the library's other functions compute with. */
  readonly bn254: EVMBN254Interface;
  readonly bls: EVMBLSInterface;
  /** Numbers of those that the addon computes. */
  readonly native: ReadonlySet<number>;
}

/** Functions of the addon; `null`: the library computes. */
export interface Computing {
  readonly general: GeneralFunctions | null;
  readonly bls: BlsFunctions | null;
}

/** MODEXP, alt_bn128, BLAKE2F, P256VERIFY. */
const GENERAL_NUMBERS = [0x05, 0x06, 0x07, 0x08, 0x09, 0x100];
/** Point evaluation and BLS12-381. */
const BLS_NUMBERS = [0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11];

/** The library's own functions: the judge of the others. */
export const LIBRARY_PRECOMPILES: PrecompileSet = precompileSet({ general: null, bls: null });

/** The addon's functions where it has them, else the library's. */
export const NATIVE_PRECOMPILES: PrecompileSet = precompileSet(NATIVE);

/** Set of the functions that there are. */
export function precompileSet({ general, bls }: Computing): PrecompileSet {
  const functions = new Map<number, PrecompileFunc>();
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
    native: new Set([...(general === null ? [] : GENERAL_NUMBERS), ...(bls === null ? [] : BLS_NUMBERS)]),
  };
}
