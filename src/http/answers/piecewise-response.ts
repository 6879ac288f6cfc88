// A response body that is written in pieces, as fast as its client reads them.
import { copyIntoChunksIfLong, ChunkedBuffer, releaseChunks } from '../../lib/bytes/chunked-buffer.js';
import type { HttpResponse } from '../server-interface.js';

/** Writes the bytes of one response body, as much at a time as the operating system's socket accepts. */
export class PiecewiseResponse {
  readonly #totalBytes: number;
  #bytes: Uint8Array | ChunkedBuffer;
  #chunks: readonly Uint8Array[];
  /** Index of the chunk that is written next. `#partStart` is the chunk's offset in the body. */
  #chunk = 0;
  #partStart = 0;
  #sentBytes = 0;
  /** The write offset of uWebSockets.js before the first byte of this body; `null` before the first write. */
  #origin: number | null = null;

  constructor(bytes: Uint8Array | ChunkedBuffer) {
    this.#bytes = bytes;
    this.#totalBytes = bytes.length;
    this.#chunks = chunksOf(bytes);
  }

  /** Bytes of the body that the socket has not accepted yet. */
  get restBytes(): number {
    return this.#totalBytes - this.#sentBytes;
  }

  /**
   * Writes until the body is sent or the socket accepts no more. Must be called within `response.cork`, or from a
   * handler of the response, which uWebSockets.js corks itself.
   */
  go(response: HttpResponse): 'done' | 'blocked' {
    this.#origin ??= response.getWriteOffset();
    for (;;) {
      const chunk = this.#nextChunk();
      const [isOk, isDone] = response.tryEnd(chunk.subarray(this.#sentBytes - this.#partStart), this.#totalBytes);
      if (isDone) return 'done';
      this.#sentBytes = response.getWriteOffset() - this.#origin;
      if (!isOk || this.#sentBytes < this.#partStart + chunk.length) return 'blocked';
    }
  }

  /** Returns the first chunk that is not completely sent, and releases the chunks before it. */
  #nextChunk(): Uint8Array {
    let chunk = this.#chunks[this.#chunk]!;
    while (this.#sentBytes >= this.#partStart + chunk.length) {
      this.#partStart += chunk.length;
      chunk = this.#chunks[++this.#chunk]!;
      if (this.#bytes instanceof ChunkedBuffer) this.#bytes.releaseFirst();
    }
    return chunk;
  }

  /**
   * Copies the bytes that are not sent yet if they are in a `Uint8Array`, because the caller may reuse its memory once
   * its function returns. A `ChunkedBuffer` belongs to this object and is not copied.
   */
  keep(): void {
    if (this.#bytes instanceof ChunkedBuffer) return;
    this.#bytes = copyIntoChunksIfLong(this.#chunks[0]!.subarray(this.#sentBytes));
    this.#chunks = chunksOf(this.#bytes);
    this.#partStart = this.#sentBytes;
  }

  /** Releases the body's memory. Must also be called if the client has disconnected. */
  end(): void {
    releaseChunks(this.#bytes);
  }
}

function chunksOf(bytes: Uint8Array | ChunkedBuffer): readonly Uint8Array[] {
  return bytes instanceof ChunkedBuffer ? bytes.chunks : [bytes];
}
