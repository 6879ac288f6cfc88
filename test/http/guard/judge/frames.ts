// Finds where WebSocket frames (RFC 6455, section 5.2) end, and whether they are masked: the portable equivalent of
// http-guard/websocket-frames.h, and its reference in tests.

/** The WebSocket frames of one connection. */
export class Frames {
  /** Remaining bytes of the payload. */
  #left = 0;

  /** Length of at most `framesMax` frames; 0 if not even one header is complete, or the next frame is unmasked. */
  take(bytes: Buffer, framesMax: number): number {
    let at = 0;
    for (let frames = 0; ; frames++) {
      const count = Math.min(this.#left, bytes.length - at);
      at += count;
      this.#left -= count;
      const header = this.#left > 0 || frames === framesMax ? 0 : this.#header(bytes.subarray(at));
      if (header === 0) return at;
      at += header;
    }
  }

  /** The next frame has no mask: a server must close the connection (RFC 6455, section 5.1). */
  isUnmasked(bytes: Buffer): boolean {
    return this.#left === 0 && bytes.length >= 2 && (bytes[1]! & 0x80) === 0;
  }

  /** Reads a header; returns its length, or 0 if it is incomplete. */
  #header(bytes: Buffer): number {
    if (bytes.length < 2 || this.isUnmasked(bytes)) return 0;
    const length = bytes[1]! & 0x7f;
    const more = length === 127 ? 8 : length === 126 ? 2 : 0;
    const size = 2 + more + 4;
    if (bytes.length < size) return 0;
    this.#left = more === 0 ? length : more === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    return size;
  }
}
