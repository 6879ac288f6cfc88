// The curve BLS12-381 (EIP-2537) by blst. Runs on publisher and estimators.
import { EVMError, type EVMBLSInterface } from '@ethereumjs/evm';
import { STATUS, type BlstAddon } from './native.js';

const { BLS_12_381_FP_NOT_IN_FIELD, BLS_12_381_POINT_NOT_ON_CURVE } = EVMError.errorMessages;
const G1_BYTES = 128;
const G2_BYTES = 256;

/** What the library's precompiles compute with; they have looked at lengths and leading zeros. */
export class NativeBls implements EVMBLSInterface {
  readonly #blst: BlstAddon;

  constructor(blst: BlstAddon) {
    this.#blst = blst;
  }

  addG1(input: Uint8Array): Uint8Array {
    return computed(this.#blst.blsG1Add, input, G1_BYTES);
  }

  msmG1(input: Uint8Array): Uint8Array {
    return computed(this.#blst.blsG1Msm, input, G1_BYTES);
  }

  addG2(input: Uint8Array): Uint8Array {
    return computed(this.#blst.blsG2Add, input, G2_BYTES);
  }

  msmG2(input: Uint8Array): Uint8Array {
    return computed(this.#blst.blsG2Msm, input, G2_BYTES);
  }

  mapFPtoG1(input: Uint8Array): Uint8Array {
    return computed(this.#blst.blsMapG1, input, G1_BYTES);
  }

  mapFP2toG2(input: Uint8Array): Uint8Array {
    return computed(this.#blst.blsMapG2, input, G2_BYTES);
  }

  pairingCheck(input: Uint8Array): Uint8Array {
    const word = new Uint8Array(32);
    word[31] = accept(this.#blst.blsPairing(input)) === STATUS.done ? 1 : 0;
    return word;
  }
}

function computed(compute: BlstAddon['blsG1Add'], input: Uint8Array, bytes: number): Uint8Array {
  const output = new Uint8Array(bytes);
  accept(compute(input, output));
  return output;
}

/** Throws for an input that is refused, with the library's words. */
function accept(status: number): number {
  if (status === STATUS.notInField) throw new EVMError(BLS_12_381_FP_NOT_IN_FIELD);
  if (status === STATUS.notOnCurve) throw new EVMError(BLS_12_381_POINT_NOT_ON_CURVE);
  return status;
}
