// Accounts for the memory of all unfinished responses together.
import { LIMITS } from '../../limits/index.js';

/** Counts the bytes of unfinished responses, and of large bodies that wait for main's time. */
export class AnswerMemory {
  #bytes = 0;
  /** Long result data, with the number of responses that still need each. */
  readonly #data = new Map<Uint8Array, number>();

  /** Bytes accounted for now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True if no more large responses fit. */
  get isFull(): boolean {
    return this.#bytes >= LIMITS.answersBytesMax;
  }

  /** Reserves bytes; false if they do not fit. A small response always does: the pool's queue bounds them. */
  take(bytes: number): boolean {
    if (bytes > LIMITS.smallAnswerBytes && this.#bytes + bytes > LIMITS.answersBytesMax) return false;
    this.reserve(bytes);
    return true;
  }

  /** Reserves long data, which are counted once for all responses that share them; returns false if they do not fit. */
  takeData(data: Uint8Array): boolean {
    const references = this.#data.get(data) ?? 0;
    if (references === 0 && !this.take(data.length)) return false;
    this.#data.set(data, references + 1);
    return true;
  }

  /** Releases data that `takeData` has reserved. */
  releaseData(data: Uint8Array): void {
    const references = this.#data.get(data)!;
    if (references > 1) return void this.#data.set(data, references - 1);
    this.#data.delete(data);
    this.give(data.length);
  }

  /** Accounts for bytes that already exist. */
  reserve(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Releases bytes that `take` or `reserve` has reserved. */
  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
