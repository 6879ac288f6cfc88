// Precompiles on the curve alt_bn128, also called bn254 (EIP-196, EIP-197), computed by the native addon.
import { EVMError, type EVMBN254Interface } from '@ethereumjs/evm';
import { PRECOMPILE_STATUS, type NonBlsFunctions } from '../../native/precompiles/function-types.js';

const { BN254_FP_NOT_IN_FIELD, BLS_12_381_POINT_NOT_ON_CURVE } = EVMError.errorMessages;
const POINT_BYTES = 64;
const PRODUCT_INPUT_BYTES = 96;

export class EthereumjsNativeBn254 implements EVMBN254Interface {
  readonly #functions: NonBlsFunctions;

  constructor(functions: NonBlsFunctions) {
    this.#functions = functions;
  }

  /** ECADD (EIP-196): adds two points of 64 bytes each. */
  add(input: Uint8Array): Uint8Array {
    const sum = new Uint8Array(POINT_BYTES);
    accept(this.#functions.bn254Add(input, sum));
    return sum;
  }

  /** ECMUL (EIP-196): multiplies a point of 64 bytes by a scalar of 32 bytes. */
  mul(input: Uint8Array): Uint8Array {
    const product = new Uint8Array(POINT_BYTES);
    accept(this.#functions.bn254Mul(input.subarray(0, PRODUCT_INPUT_BYTES), product));
    return product;
  }

  /**
   * ECPAIRING (EIP-197): returns the word 1 if the product of all pairings is one, otherwise 0. A pair of points has
   * 192 bytes.
   */
  pairing(input: Uint8Array): Uint8Array {
    const word = new Uint8Array(32);
    word[31] = accept(this.#functions.bn254Pairing(input)) === PRECOMPILE_STATUS.done ? 1 : 0;
    return word;
  }
}

/** Throws the error of @ethereumjs if the addon has refused the input. */
function accept(status: number): number {
  if (status === PRECOMPILE_STATUS.notInField) throw new EVMError(BN254_FP_NOT_IN_FIELD);
  if (status === PRECOMPILE_STATUS.notOnCurve) throw new EVMError(BLS_12_381_POINT_NOT_ON_CURVE);
  return status;
}
