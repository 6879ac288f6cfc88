// The memory that answers take while they are made, all of them together. Runs on main.
import { LIMITS } from '../../limits/index.js';

/** Bytes held by answers whose body is not complete, and by large bodies that wait for main's time. */
export class AnswerMemory {
  #bytes = 0;
  /** Long data, and answers that wait to be written with them. */
  readonly #data = new Map<Uint8Array, number>();

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True if nothing large fits any more. */
  get isFull(): boolean {
    return this.#bytes >= LIMITS.answersBytesMax;
  }

  /** Holds so many bytes; false where they do not fit. A small answer always fits: the pool's queue bounds their number. */
  take(bytes: number): boolean {
    if (bytes > LIMITS.smallAnswerBytes && this.#bytes + bytes > LIMITS.answersBytesMax) return false;
    this.hold(bytes);
    return true;
  }

  /** Holds long data, once for all answers that share them; false where they do not fit. */
  takeData(data: Uint8Array): boolean {
    const holds = this.#data.get(data) ?? 0;
    if (holds === 0 && !this.take(data.length)) return false;
    this.#data.set(data, holds + 1);
    return true;
  }

  /** Gives back data of `takeData`. */
  giveData(data: Uint8Array): void {
    const holds = this.#data.get(data)!;
    if (holds > 1) return void this.#data.set(data, holds - 1);
    this.#data.delete(data);
    this.give(data.length);
  }

  /** Holds bytes that are there already. */
  hold(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Gives back bytes of `take` or `hold`. */
  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
