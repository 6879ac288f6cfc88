// Accounts for the memory of all unfinished answers together.
import { LIMITS } from '../../limits/index.js';

/** Bytes of unfinished answers, and of large bodies that wait for main's time. */
export class AnswerMemory {
  #bytes = 0;
  /** Long result data, with the number of answers that still need them. */
  readonly #data = new Map<Uint8Array, number>();

  /** Bytes accounted for now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True if no large answer fits any more. */
  get isFull(): boolean {
    return this.#bytes >= LIMITS.answersBytesMax;
  }

  /** Reserves bytes; false if they do not fit. A small answer always fits: the pool's queue bounds their number. */
  take(bytes: number): boolean {
    if (bytes > LIMITS.smallAnswerBytes && this.#bytes + bytes > LIMITS.answersBytesMax) return false;
    this.reserve(bytes);
    return true;
  }

  /** Reserves long data, counted once for all answers that share them; false if they do not fit. */
  takeData(data: Uint8Array): boolean {
    const references = this.#data.get(data) ?? 0;
    if (references === 0 && !this.take(data.length)) return false;
    this.#data.set(data, references + 1);
    return true;
  }

  /** Releases data of `takeData`. */
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

  /** Releases bytes of `take` or `reserve`. */
  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
