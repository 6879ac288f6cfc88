// Arithmetic on the curves bn254 (also called alt_bn128; EIP-196, EIP-197) and BLS12-381 (EIP-2537) for the precompiles
// of @ethereumjs, computed by the native addon.
import { EVMError, type EVMBLSInterface, type EVMBN254Interface } from '@ethereumjs/evm';
import {
  PRECOMPILE_STATUS,
  type BlsFunctions,
  type ComputePrecompile,
  type NonBlsFunctions,
  type VerificationPrecompile,
} from '../../native/precompiles/function-types.js';

const { BLS_12_381_FP_NOT_IN_FIELD, BLS_12_381_POINT_NOT_ON_CURVE } = EVMError.errorMessages;
const BN254_POINT_BYTES = 64;
const BN254_PRODUCT_INPUT_BYTES = 96;
const G1_BYTES = 128;
const G2_BYTES = 256;

/** Makes ECADD, ECMUL and ECPAIRING. A point has 64 bytes, a scalar 32, a pair of points 192. */
export function nativeBn254({ bn254Add, bn254Mul, bn254Pairing }: NonBlsFunctions): EVMBN254Interface {
  const multiply = computing(bn254Mul, BN254_POINT_BYTES);
  return {
    add: computing(bn254Add, BN254_POINT_BYTES),
    mul: (input) => multiply(input.subarray(0, BN254_PRODUCT_INPUT_BYTES)),
    pairing: checking(bn254Pairing),
  };
}

/**
 * Makes the operations on BLS12-381. @ethereumjs has already checked lengths and leading zeros. A point of G1 has 128
 * bytes, a point of G2 256, a scalar 32, a field element 64, and one of the extension field 128. Points to add need not
 * be in the subgroup. MSM multiplies points of the subgroup by one scalar each, and adds the products.
 */
export function nativeBls12381(functions: BlsFunctions): EVMBLSInterface {
  return {
    addG1: computing(functions.blsG1Add, G1_BYTES),
    msmG1: computing(functions.blsG1Msm, G1_BYTES),
    addG2: computing(functions.blsG2Add, G2_BYTES),
    msmG2: computing(functions.blsG2Msm, G2_BYTES),
    mapFPtoG1: computing(functions.blsMapG1, G1_BYTES),
    mapFP2toG2: computing(functions.blsMapG2, G2_BYTES),
    pairingCheck: checking(functions.blsPairing),
  };
}

/** Makes a function that returns the `bytes` bytes which the addon computes. */
function computing(compute: ComputePrecompile, bytes: number): (input: Uint8Array) => Uint8Array {
  return (input) => {
    const output = new Uint8Array(bytes);
    accept(compute(input, output));
    return output;
  };
}

/** Makes a pairing check, which returns the word 1 if the product of all pairings is one, otherwise 0. */
function checking(check: VerificationPrecompile): (input: Uint8Array) => Uint8Array {
  return (input) => {
    const word = new Uint8Array(32);
    word[31] = accept(check(input)) === PRECOMPILE_STATUS.done ? 1 : 0;
    return word;
  };
}

/** Throws the error of @ethereumjs if the addon has refused the input. Both curves have the same error texts. */
function accept(status: number): number {
  if (status === PRECOMPILE_STATUS.notInField) throw new EVMError(BLS_12_381_FP_NOT_IN_FIELD);
  if (status === PRECOMPILE_STATUS.notOnCurve) throw new EVMError(BLS_12_381_POINT_NOT_ON_CURVE);
  return status;
}
