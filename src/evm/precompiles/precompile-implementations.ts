// Selects which implementation each precompile has: the native addon's, or @ethereumjs's.

// Precompiles are native code. See DECISIONS.md.
//
// Without the addon, the JavaScript precompiles of @ethereumjs are used. A precompile has at most these two
// implementations: the fast one, and the portable one with which it is compared. See DECISIONS.md.
import {
  NobleBLS,
  NobleBN254,
  type EVMBLSInterface,
  type EVMBN254Interface,
  type PrecompileFunc,
} from '@ethereumjs/evm';
import { createBlake2f } from './blake2f.js';
import { NativeBls12381 } from './bls12-381.js';
import { NativeBn254 } from './bn254.js';
import type { BlsFunctions, NonBlsFunctions } from '../../native/precompiles/function-types.js';
import { createPointEvaluation } from './point-evaluation.js';
import { createModexp } from './modexp.js';
import { NATIVE_PRECOMPILE_FUNCTIONS } from './native-precompiles.js';
import { createP256Verify } from './p256-verify.js';

/** The implementations of an engine's precompiles. Gas, output and failures are the same in every set. */
export interface PrecompileImplementations {
  /**
   * Functions that replace those of @ethereumjs, by the precompile's address. Only used in forks that have the
   * precompile.
   */
  readonly functions: ReadonlyMap<number, PrecompileFunc>;
  /** Curve arithmetic for the precompiles of @ethereumjs that `functions` does not replace. */
  readonly bn254: EVMBN254Interface;
  readonly bls: EVMBLSInterface;
  /** Addresses of the precompiles that the addon implements. */
  readonly native: ReadonlySet<number>;
}

/** Functions of the addon; `null` if those of @ethereumjs are used. */
export interface AddonPrecompileFunctions {
  readonly general: NonBlsFunctions | null;
  readonly bls: BlsFunctions | null;
}

/** Addresses of MODEXP, alt_bn128 (three precompiles), BLAKE2F and P256VERIFY. */
const GENERAL_NUMBERS = [0x05, 0x06, 0x07, 0x08, 0x09, 0x100];
/** Addresses of point evaluation and of the BLS12-381 precompiles. */
const BLS_NUMBERS = [0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11];

/** Precompiles of @ethereumjs. The native ones are compared with them. */
export const ETHEREUMJS_PRECOMPILES: PrecompileImplementations = createPrecompileImplementations({
  general: null,
  bls: null,
});

/** Precompiles of the addon, and those of @ethereumjs where the addon has none. */
export const NATIVE_FIRST_PRECOMPILES: PrecompileImplementations =
  createPrecompileImplementations(NATIVE_PRECOMPILE_FUNCTIONS);

/** Makes a set from the addon's functions that are available. */
export function createPrecompileImplementations({ general, bls }: AddonPrecompileFunctions): PrecompileImplementations {
  const functions = new Map<number, PrecompileFunc>();
  if (general !== null) {
    functions.set(0x05, createModexp(general));
    functions.set(0x09, createBlake2f(general));
    functions.set(0x100, createP256Verify(general));
  }
  if (bls !== null) functions.set(0x0a, createPointEvaluation(bls));
  return {
    functions,
    bn254: general === null ? new NobleBN254() : new NativeBn254(general),
    bls: bls === null ? new NobleBLS() : new NativeBls12381(bls),
    native: new Set([...(general === null ? [] : GENERAL_NUMBERS), ...(bls === null ? [] : BLS_NUMBERS)]),
  };
}
