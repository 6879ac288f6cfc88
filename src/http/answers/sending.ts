// A response being sent to a client that may read slowly.
import { copyBytes, ChunkedBuffer, releaseBytes } from '../../lib/bytes/chunked-buffer.js';
import type { HttpResponse } from '../app.js';

/** A response body, written in order and each byte once as the kernel accepts it. */
export class ResponseWrite {
  readonly #totalBytes: number;
  #bytes: Uint8Array | ChunkedBuffer;
  #chunks: readonly Uint8Array[];
  /** Index of the next part, and its offset in the body. */
  #chunk = 0;
  #partStart = 0;
  #sentBytes = 0;
  /** uWebSockets.js's write offset before the first byte of this body. */
  #origin: number | null = null;

  constructor(bytes: Uint8Array | ChunkedBuffer) {
    this.#bytes = bytes;
    this.#totalBytes = bytes.length;
    this.#chunks = chunksOf(bytes);
  }

  /** Bytes that the kernel has not accepted yet. */
  get restBytes(): number {
    return this.#totalBytes - this.#sentBytes;
  }

  /**
   * Writes until the body is sent or the kernel accepts no more. The response must be corked, or this is called from
   * its own handler.
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

  /** The first part that is not fully sent; parts before it are released. */
  #nextChunk(): Uint8Array {
    let chunk = this.#chunks[this.#chunk]!;
    while (this.#sentBytes >= this.#partStart + chunk.length) {
      this.#partStart += chunk.length;
      chunk = this.#chunks[++this.#chunk]!;
      if (this.#bytes instanceof ChunkedBuffer) this.#bytes.releaseFirst();
    }
    return chunk;
  }

  /** Copies the unsent rest if the bytes are borrowed, so that they stay valid after the caller returns. */
  keep(): void {
    if (this.#bytes instanceof ChunkedBuffer) return;
    this.#bytes = copyBytes(this.#chunks[0]!.subarray(this.#sentBytes));
    this.#chunks = chunksOf(this.#bytes);
    this.#partStart = this.#sentBytes;
  }

  /** Releases the memory; to be called when the client has left, too. */
  end(): void {
    releaseBytes(this.#bytes);
  }
}

function chunksOf(bytes: Uint8Array | ChunkedBuffer): readonly Uint8Array[] {
  return bytes instanceof ChunkedBuffer ? bytes.chunks : [bytes];
}
