// Precompiles on the curve BLS12-381 (EIP-2537), computed by the native addon.
import { EVMError, type EVMBLSInterface } from '@ethereumjs/evm';
import {
  PRECOMPILE_STATUS,
  type BlsFunctions,
  type ComputePrecompile,
} from '../../native/precompiles/function-types.js';

const { BLS_12_381_FP_NOT_IN_FIELD, BLS_12_381_POINT_NOT_ON_CURVE } = EVMError.errorMessages;
const G1_BYTES = 128;
const G2_BYTES = 256;

/** BLS12-381 for the precompiles of @ethereumjs, which have already checked lengths and leading zeros. */
export class EthereumjsNativeBls12381 implements EVMBLSInterface {
  readonly #functions: BlsFunctions;

  constructor(functions: BlsFunctions) {
    this.#functions = functions;
  }

  /** BLS12_G1ADD (EIP-2537): adds two points of 128 bytes each. They need not be in the subgroup. */
  addG1(input: Uint8Array): Uint8Array {
    return computed(this.#functions.blsG1Add, input, G1_BYTES);
  }

  /**
   * BLS12_G1MSM (EIP-2537): multiplies points of the subgroup by one scalar each, and adds the products. A pair of
   * point and scalar has 160 bytes.
   */
  msmG1(input: Uint8Array): Uint8Array {
    return computed(this.#functions.blsG1Msm, input, G1_BYTES);
  }

  /** BLS12_G2ADD (EIP-2537): adds two points of 256 bytes each. They need not be in the subgroup. */
  addG2(input: Uint8Array): Uint8Array {
    return computed(this.#functions.blsG2Add, input, G2_BYTES);
  }

  /**
   * BLS12_G2MSM (EIP-2537): multiplies points of the subgroup by one scalar each, and adds the products. A pair of
   * point and scalar has 288 bytes.
   */
  msmG2(input: Uint8Array): Uint8Array {
    return computed(this.#functions.blsG2Msm, input, G2_BYTES);
  }

  /** BLS12_MAP_FP_TO_G1 (EIP-2537): maps a field element (64 bytes) to a point of G1 (128 bytes). */
  mapFPtoG1(input: Uint8Array): Uint8Array {
    return computed(this.#functions.blsMapG1, input, G1_BYTES);
  }

  /**
   * BLS12_MAP_FP2_TO_G2 (EIP-2537): maps an element of the quadratic extension field (128 bytes) to a point of G2 (256
   * bytes).
   */
  mapFP2toG2(input: Uint8Array): Uint8Array {
    return computed(this.#functions.blsMapG2, input, G2_BYTES);
  }

  /**
   * BLS12_PAIRING_CHECK (EIP-2537): returns the word 1 if the product of all pairings is one, otherwise 0. A pair of
   * points has 384 bytes.
   */
  pairingCheck(input: Uint8Array): Uint8Array {
    const word = new Uint8Array(32);
    word[31] = accept(this.#functions.blsPairing(input)) === PRECOMPILE_STATUS.done ? 1 : 0;
    return word;
  }
}

function computed(compute: ComputePrecompile, input: Uint8Array, bytes: number): Uint8Array {
  const output = new Uint8Array(bytes);
  accept(compute(input, output));
  return output;
}

/** Throws the error of @ethereumjs if the addon has refused the input. */
function accept(status: number): number {
  if (status === PRECOMPILE_STATUS.notInField) throw new EVMError(BLS_12_381_FP_NOT_IN_FIELD);
  if (status === PRECOMPILE_STATUS.notOnCurve) throw new EVMError(BLS_12_381_POINT_NOT_ON_CURVE);
  return status;
}
