// Bodies that arrive in more than one piece. Runs on main.
import { Budget } from './budget.js';

/** First size of a buffer: most bodies in pieces are little longer than one piece. */
const FIRST_BYTES = 128 * 1024;
/** Buffers kept for the next body; a body in pieces is rare, many at once rarer. */
const KEPT_MAX = 4;

/** A body so far. */
export interface Body {
  bytes: Uint8Array;
  length: number;
}

/** Lends buffers to bodies, within a bound for each and for all together. */
export class Bodies {
  readonly #bodyBytesMax: number;
  readonly #budget: Budget;
  readonly #kept: Uint8Array[] = [];

  constructor(bodyBytesMax: number, allBytesMax: number) {
    this.#bodyBytesMax = bodyBytesMax;
    this.#budget = new Budget(allBytesMax);
  }

  /** A new, empty body. */
  open(): Body {
    return { bytes: new Uint8Array(0), length: 0 };
  }

  /** Appends `chunk`; says which bound it passed, if one. */
  append(body: Body, chunk: Uint8Array): 'appended' | 'too large' | 'no memory' {
    const length = body.length + chunk.length;
    if (length > this.#bodyBytesMax) return 'too large';
    if (length > body.bytes.length && !this.#grow(body, length)) return 'no memory';
    body.bytes.set(chunk, body.length);
    body.length = length;
    return 'appended';
  }

  /** Takes the buffer back; the body must not be read any more. */
  close(body: Body): void {
    this.#giveBack(body.bytes);
    body.bytes = new Uint8Array(0);
    body.length = 0;
  }

  #grow(body: Body, length: number): boolean {
    const larger = this.#borrow(length);
    if (larger === null) return false;
    larger.set(body.bytes.subarray(0, body.length));
    this.#giveBack(body.bytes);
    body.bytes = larger;
    return true;
  }

  /** A kept buffer of at least `length` bytes, else a new one of the next power of two, so that growth stays linear. */
  #borrow(length: number): Uint8Array | null {
    const at = this.#kept.findIndex((bytes) => bytes.length >= length);
    const kept = at < 0 ? undefined : this.#kept[at];
    const size = kept?.length ?? Math.max(FIRST_BYTES, 2 ** Math.ceil(Math.log2(length)));
    if (!this.#budget.take(size)) return null;
    if (kept !== undefined) this.#kept.splice(at, 1);
    return kept ?? new Uint8Array(size);
  }

  #giveBack(bytes: Uint8Array): void {
    this.#budget.give(bytes.length);
    if (bytes.length > 0 && this.#kept.length < KEPT_MAX) this.#kept.push(bytes);
  }
}
