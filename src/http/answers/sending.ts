// An answer on its way to a client that may read slowly. Runs on main.
import { copyBytes, LongBytes, releaseBytes } from '../../lib/bytes/long-bytes.js';
import type { Response } from '../app.js';

/** The body of a response that is handed to the kernel as it takes it, in order and each byte once. */
export class Sending {
  readonly #totalBytes: number;
  #bytes: Uint8Array | LongBytes;
  #parts: readonly Uint8Array[];
  /** The part that is next, and where it starts in the body. */
  #part = 0;
  #partStart = 0;
  #sentBytes = 0;
  /** Bytes that uWebSockets.js had written when this body began. */
  #origin: number | null = null;

  constructor(bytes: Uint8Array | LongBytes) {
    this.#bytes = bytes;
    this.#totalBytes = bytes.length;
    this.#parts = partsOf(bytes);
  }

  /** Bytes that the kernel has not taken. */
  get restBytes(): number {
    return this.#totalBytes - this.#sentBytes;
  }

  /** Hands over until all is gone or the kernel takes no more; the response must be corked, or in a handler of its own. */
  go(response: Response): 'done' | 'blocked' {
    this.#origin ??= response.getWriteOffset();
    for (;;) {
      const part = this.#nextPart();
      const [isOk, isDone] = response.tryEnd(part.subarray(this.#sentBytes - this.#partStart), this.#totalBytes);
      if (isDone) return 'done';
      this.#sentBytes = response.getWriteOffset() - this.#origin;
      if (!isOk || this.#sentBytes < this.#partStart + part.length) return 'blocked';
    }
  }

  /** The first part of which something is left; those before it are given back. */
  #nextPart(): Uint8Array {
    let part = this.#parts[this.#part]!;
    while (this.#sentBytes >= this.#partStart + part.length) {
      this.#partStart += part.length;
      part = this.#parts[++this.#part]!;
      if (this.#bytes instanceof LongBytes) this.#bytes.releaseFirst();
    }
    return part;
  }

  /** Makes the rest this object's own: borrowed bytes are copied. */
  keep(): void {
    if (this.#bytes instanceof LongBytes) return;
    this.#bytes = copyBytes(this.#parts[0]!.subarray(this.#sentBytes));
    this.#parts = partsOf(this.#bytes);
    this.#partStart = this.#sentBytes;
  }

  /** Gives the memory back, also where the client has left. */
  end(): void {
    releaseBytes(this.#bytes);
  }
}

function partsOf(bytes: Uint8Array | LongBytes): readonly Uint8Array[] {
  return bytes instanceof LongBytes ? bytes.parts : [bytes];
}
