// Counts the memory of all responses that are not finished, to bound it.
import { recycleResult } from '../../lib/memory/result-memory.js';
import { LIMITS } from '../../limits/index.js';

/** Counts the bytes of unfinished responses, and of large bodies that wait for their turn on the main thread. */
export class AnswerMemory {
  #bytes = 0;
  /** Long result data, with the number of responses that still need each of them. */
  readonly #data = new Map<Uint8Array, number>();

  /** Number of bytes that are counted at the moment. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True if no further large response fits. */
  get isFull(): boolean {
    return this.#bytes >= LIMITS.answersBytesMax;
  }

  /**
   * Reserves bytes for a response; returns false if they do not fit. A small response always fits, because the number
   * of queued jobs bounds small responses.
   */
  take(bytes: number): boolean {
    if (bytes > LIMITS.smallAnswerBytes && this.#bytes + bytes > LIMITS.answersBytesMax) return false;
    this.reserve(bytes);
    return true;
  }

  /**
   * Reserves long result data. They are counted only once if several responses share them. Returns false if they do not
   * fit.
   */
  takeData(data: Uint8Array): boolean {
    const references = this.#data.get(data) ?? 0;
    if (references === 0 && !this.take(data.length)) return false;
    this.#data.set(data, references + 1);
    return true;
  }

  /** Releases long result data that `takeData` has reserved. Their memory is reused once no response needs them. */
  releaseData(data: Uint8Array): void {
    const references = this.#data.get(data)!;
    if (references > 1) return void this.#data.set(data, references - 1);
    this.#data.delete(data);
    this.give(data.length);
    recycleResult(data);
  }

  /** Counts bytes that already exist, even if they exceed the limit. */
  reserve(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Releases bytes that `take` or `reserve` has counted. */
  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
