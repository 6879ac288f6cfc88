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
  EVMError,
} from '@ethereumjs/evm';
import { nativeBls12381, nativeBn254 } from './native-curves.js';
import { type NonBlsFunctions, PRECOMPILE_STATUS } from '../../native/precompiles/function-types.js';
import { createPointEvaluation } from './point-evaluation.js';
import { createModexp } from './modexp.js';
import { LOADED_NATIVE_PRECOMPILES, type NativePrecompileFunctions } from './native-precompiles.js';
import { precompileFailed, precompileSucceeded } from './make-precompile-result.js';
import { P256_VERIFY_GAS } from '../reference/p256-verify.js';

const { OUT_OF_GAS, OUT_OF_RANGE } = EVMError.errorMessages;
const BLAKE2F_INPUT_BYTES = 213;
const BLAKE2F_OUTPUT_BYTES = 64;
const P256_INPUT_BYTES = 160;

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
  createPrecompileImplementations(LOADED_NATIVE_PRECOMPILES);

/** Makes a set from the addon's functions that are available; `null` means those of @ethereumjs. */
export function createPrecompileImplementations({
  general,
  bls,
}: Omit<NativePrecompileFunctions, 'reason'>): PrecompileImplementations {
  const functions = new Map<number, PrecompileFunc>();
  if (general !== null) {
    functions.set(0x05, createModexp(general));
    functions.set(0x09, createBlake2f(general));
    functions.set(0x100, createP256Verify(general));
  }
  if (bls !== null) functions.set(0x0a, createPointEvaluation(bls));
  return {
    functions,
    bn254: general === null ? new NobleBN254() : nativeBn254(general),
    bls: bls === null ? new NobleBLS() : nativeBls12381(bls),
    native: new Set([...(general === null ? [] : GENERAL_NUMBERS), ...(bls === null ? [] : BLS_NUMBERS)]),
  };
}

/** Creates BLAKE2F (EIP-152). Its input has rounds, h, m, t, and the final block flag, which must be 0 or 1. */
function createBlake2f(functions: NonBlsFunctions): PrecompileFunc {
  return ({ data, gasLimit, common }) => {
    if (data.length !== BLAKE2F_INPUT_BYTES || data[BLAKE2F_INPUT_BYTES - 1]! > 1)
      return precompileFailed(OUT_OF_RANGE, gasLimit);
    const rounds = new DataView(data.buffer, data.byteOffset).getUint32(0);
    const gas = BigInt(rounds) * common.param('blake2RoundGas');
    if (gasLimit < gas) return precompileFailed(OUT_OF_GAS, gasLimit);
    const output = new Uint8Array(BLAKE2F_OUTPUT_BYTES);
    functions.blake2f(data, output);
    return precompileSucceeded(output, gas);
  };
}

/**
 * Creates P256VERIFY (RIP-7212, EIP-7951). Input: hash, r, s, x, y. Output: the word 1 for a valid signature, otherwise
 * empty. An invalid signature is no failure of the call.
 */
function createP256Verify(functions: NonBlsFunctions): PrecompileFunc {
  return ({ data, gasLimit, common }) => {
    const gas = common.isActivatedEIP(7951) ? 2n * P256_VERIFY_GAS : P256_VERIFY_GAS;
    if (gasLimit < gas) return precompileFailed(OUT_OF_GAS, gasLimit);
    const isValid = data.length === P256_INPUT_BYTES && functions.p256Verify(data) === PRECOMPILE_STATUS.done;
    const output = new Uint8Array(isValid ? 32 : 0);
    if (isValid) output[31] = 1;
    return precompileSucceeded(output, gas);
  };
}
