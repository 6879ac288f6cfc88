// Predicts from its input how long a precompile will run. It is one synchronous function that cannot be interrupted, so
// a call that cannot finish in time is not started.

// A precompile that cannot finish in time is not started. See DECISIONS.md.
import { readModexpLengths } from './modexp-input.js';

/** Milliseconds of a call with this input and gas on the machine that was measured; 0 if the gas is not enough. */
type PredictMs = (data: Uint8Array, gas: bigint) => number;

/** Time of one kind of call: a minimum, and the time for each piece of input that the gas pays for. */
interface Pieces {
  readonly bytes: number;
  readonly ms: number;
  /** Lowest gas of a piece in any fork. */
  readonly gas: number;
  readonly onceMs?: number;
}

/** Times of the addon's functions by number, at some 3 GHz. Those not listed take well under a millisecond. */
const NATIVE: ReadonlyMap<number, PredictMs> = new Map([
  [0x05, modexp((bits, words) => bits * (0.000012 + 0.0000055 * words ** 2))],
  [0x08, pieces({ bytes: 192, ms: 0.5, gas: 34_000, onceMs: 2 })],
  [0x09, blake2f(0.000015)],
  [0x0a, always(1.5)],
  [0x0c, pieces({ bytes: 160, ms: 0.09, gas: 6228, onceMs: 0.1 })],
  [0x0e, pieces({ bytes: 288, ms: 0.15, gas: 11_790, onceMs: 0.15 })],
  [0x0f, pieces({ bytes: 384, ms: 0.35, gas: 32_600, onceMs: 0.5 })],
]);
/** Times of the library's functions on Node 20. */
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

/** A call may still start if its prediction is at most this many times the time left, as the table may be wrong. */
const ERROR_FACTOR = 2;
/** The times of shorter calls depend on the compiler and the scheduler rather than on the machine. */
const MEASURED_MS_MIN = 5;
/** Bounds of the pace. The lower one is close to 1, because points at infinity are fast even on a slow machine. */
const PACE_MIN = 0.5;
const PACE_MAX = 8;

/** Predicted and measured times of one precompile on this thread. */
export class PrecompileTimePredictor {
  readonly #predict: PredictMs;
  /** Measured over predicted time, averaged over the latest calls: machines and versions of the library differ. */
  #pace = 1;

  /** `number` is the precompile's address, `by` is what implements it. */
  constructor(number: number, by: keyof typeof TABLES) {
    this.#predict = TABLES[by].get(number) ?? always(0);
  }

  predictedMs(data: Uint8Array, gas: bigint): number {
    return this.#predict(data, gas) * this.#pace;
  }

  /** True if a call predicted to take `predictedMs` may be started with `leftMs` left. */
  static fits(predictedMs: number, leftMs: number): boolean {
    return leftMs > 0 && predictedMs <= ERROR_FACTOR * leftMs;
  }

  /** Updates the pace with the measured time of a call. */
  learn(predictedMs: number, tookMs: number): void {
    if (predictedMs < MEASURED_MS_MIN) return;
    const pace = this.#pace * (0.75 + (0.25 * tookMs) / predictedMs);
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

/** EIP-152: the first four bytes are the rounds, which cost one gas each. */
function blake2f(roundMs: number): PredictMs {
  return (data, gas) => {
    if (data.length !== BLAKE2F_BYTES) return 0;
    const rounds = new DataView(data.buffer, data.byteOffset).getUint32(0);
    return rounds > gas ? 0 : rounds * roundMs;
  };
}

const BLAKE2F_BYTES = 213;

/** Milliseconds for an exponent of this many bits and bytes, and a modulus or base of this many words. */
type PowerMs = (bits: number, words: number, exponentBytes: number) => number;

/**
 * EIP-198: lengths of base, exponent and modulus, then the operands. There is one squaring for each bit of the
 * exponent, which the library also shifts by that bit. EIP-2565 has the lowest price of all forks.
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
