// Predicts from its input how long a precompile will take. A precompile is one synchronous function that cannot be
// interrupted, so a call that cannot finish in time is not started.

// Why a call that cannot finish in time is not started, and what that costs: see DECISIONS.md.
import { readModexpLengths } from './modexp-input.js';

/**
 * Returns the milliseconds that a call with this input and gas takes on the machine of the measurements; 0 if the gas
 * is not enough.
 */
type PredictMs = (data: Uint8Array, gas: bigint) => number;

/** Time of a precompile that processes its input in pieces of `bytes` bytes: `onceMs` per call, and `ms` per piece. */
interface Pieces {
  readonly bytes: number;
  readonly ms: number;
  /** Lowest gas that any fork charges for one such piece of the input. */
  readonly gas: number;
  readonly onceMs?: number;
}

/**
 * Times of the addon's precompiles by address, at some 3 GHz. Precompiles that are not listed take well under a
 * millisecond.
 */
const NATIVE: ReadonlyMap<number, PredictMs> = new Map([
  [0x05, modexp((bits, words) => bits * (0.000012 + 0.0000055 * words ** 2))],
  [0x08, pieces({ bytes: 192, ms: 0.5, gas: 34_000, onceMs: 2 })],
  [0x09, blake2f(0.000015)],
  [0x0a, always(1.5)],
  [0x0c, pieces({ bytes: 160, ms: 0.09, gas: 6228, onceMs: 0.1 })],
  [0x0e, pieces({ bytes: 288, ms: 0.15, gas: 11_790, onceMs: 0.15 })],
  [0x0f, pieces({ bytes: 384, ms: 0.35, gas: 32_600, onceMs: 0.5 })],
]);
/** Times of the JavaScript precompiles of @ethereumjs on Node 20, by address. */
const LIBRARY: ReadonlyMap<number, PredictMs> = new Map([
  [0x03, pieces({ bytes: 32, ms: 0.0007, gas: 120 })],
  [0x05, modexp((bits, words, exponent) => bits * (0.0003 * words ** 1.15 + exponent * 1e-7))],
  [0x07, always(3)],
  [0x08, pieces({ bytes: 192, ms: 7.5, gas: 34_000, onceMs: 12 })],
  [0x09, blake2f(0.0004)],
  [0x0a, always(20)],
  [0x0b, always(2)],
  [0x0c, pieces({ bytes: 160, ms: 3.2, gas: 6228 })],
  [0x0d, always(3.5)],
  [0x0e, pieces({ bytes: 288, ms: 9.3, gas: 11_790 })],
  [0x0f, pieces({ bytes: 384, ms: 6.2, gas: 32_600, onceMs: 8 })],
  [0x10, always(2)],
  [0x11, always(7)],
  [0x100, always(2.6)],
]);

const TABLES = { native: NATIVE, library: LIBRARY } as const;

/**
 * A call is started if its predicted time is at most this many times the time left, because the prediction may be
 * wrong.
 */
const ERROR_FACTOR = 2;
/**
 * Shortest predicted time from which measured times correct the predictions. Times of shorter calls depend more on
 * compiler and scheduler than on the machine.
 */
const MEASURED_MS_MIN = 5;
/**
 * Bounds of measured time divided by predicted time. The lower bound is not far from 1, because points at infinity are
 * fast even on a slow machine.
 */
const PACE_MIN = 0.5;
const PACE_MAX = 8;

/** Compares predicted with measured times of one precompile on this thread, to correct the predictions. */
export class PrecompileTimePredictor {
  readonly #predict: PredictMs;
  /**
   * Measured time divided by predicted time, averaged over the latest calls. It depends on the machine and on library
   * versions.
   */
  #pace = 1;

  /** `number` is the precompile's address; `by` names the implementation that is used. */
  constructor(number: number, by: keyof typeof TABLES) {
    this.#predict = TABLES[by].get(number) ?? always(0);
  }

  minimumRunMs(data: Uint8Array, gas: bigint): number {
    return this.#predict(data, gas) * this.#pace;
  }

  /** True if a call that is predicted to take `minimumRunMs` can be started when `leftMs` are left. */
  static fits(minimumRunMs: number, leftMs: number): boolean {
    return leftMs > 0 && minimumRunMs <= ERROR_FACTOR * leftMs;
  }

  /** Corrects later predictions by the measured time of a call. */
  learn(minimumRunMs: number, tookMs: number): void {
    if (minimumRunMs < MEASURED_MS_MIN) return;
    const pace = this.#pace * (0.75 + (0.25 * tookMs) / minimumRunMs);
    this.#pace = Math.min(PACE_MAX, Math.max(PACE_MIN, pace));
  }
}

function always(ms: number): PredictMs {
  return () => ms;
}

function pieces({ bytes, ms, gas: pieceGas, onceMs = 0 }: Pieces): PredictMs {
  return ({ length }, gas) => {
    const count = Math.ceil(length / bytes);
    return count * pieceGas > gas ? 0 : onceMs + count * ms;
  };
}

/** Time of BLAKE2F. The first four bytes of its input are the number of rounds, which cost one gas each (EIP-152). */
function blake2f(roundMs: number): PredictMs {
  return (data, gas) => {
    if (data.length !== BLAKE2F_BYTES) return 0;
    const rounds = new DataView(data.buffer, data.byteOffset).getUint32(0);
    return rounds > gas ? 0 : rounds * roundMs;
  };
}

const BLAKE2F_BYTES = 213;

/**
 * Returns the milliseconds for an exponent of this many bits and bytes, and a base or modulus of this many 64-bit
 * words.
 */
type PowerMs = (bits: number, words: number, exponentBytes: number) => number;

/**
 * Time of MODEXP (EIP-198). The input has the lengths of base, exponent and modulus, then these numbers. There is one
 * squaring per bit of the exponent, and @ethereumjs also shifts the exponent for each bit. Uses the gas price of
 * EIP-2565, the lowest of all forks.
 */
function modexp(powerMs: PowerMs): PredictMs {
  return (data, gas) => {
    const { base, exponent, modulus, headBits } = readModexpLengths(data);
    const words = Math.ceil(Math.max(base, modulus) / 8);
    if (words === 0) return 0;
    const bits = 8 * Math.max(0, exponent - 32) + headBits;
    return (words * words * (bits - 1)) / 3 > gas ? 0 : powerMs(bits, words, exponent);
  };
}
