// Decodes the body of a request to packed rows (see words.ts) by the simdjson addon, or by the byte decoder where the
// addon could not be built. Runs on main.

/** One decoder per thread; its rows are overwritten by the next `decode`. */
export interface Decoder {
  readonly name: 'simdjson' | 'bytes';
  /** Rows of ROW_WORDS words; valid until the next decode. May be replaced by a larger array by decode. */
  rows: Uint32Array;
  /** Calls in the decoded body. */
  count: number;
  /** Decodes `body` (at most LIMITS.bodyBytesMax bytes) and answers one of BODY. */
  decode(body: Uint8Array): number;
}
