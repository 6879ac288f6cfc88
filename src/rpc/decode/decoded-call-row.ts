// The packed form of a decoded request: one fixed row of 32-bit words per call, filled by the simdjson addon and by
// the byte decoder alike (both must agree on every word).
//
// word    content
//  0      shape: a value of ROW_KIND (a JSON-RPC call or an invalid request), plus NOTIFICATION_FLAG if it applies
//  1      offset of the call's `{` in the body
//  2, 3   id: offset and length of its raw JSON text in the body; length 0 = absent
//  4, 5   params: offset and length of the raw JSON text; length 0 = absent
//  6, 7   method: offset and length of the raw JSON string including quotes; length 0 = absent
//
// If a key is repeated, its last value counts. Keys are compared after their escapes are decoded. In the row of an
// invalid request, all words are zero except those of its id, if the id is valid. The same is true of every row of a
// batch that is too large. Only a valid call has NOTIFICATION_FLAG.

export const ROW_WORDS = 8;

/** Index of each word in a row; see the table above. */
export const ROW_WORD_INDEX = {
  shape: 0,
  offset: 1,
  idOffset: 2,
  idLength: 3,
  paramsOffset: 4,
  paramsLength: 5,
  methodOffset: 6,
  methodLength: 7,
} as const;

/** What an element of the body is: a JSON-RPC call or an invalid request. */
export const ROW_KIND = {
  /**
   * Not a valid request: `jsonrpc` is wrong or missing, `method` is not a string, or `id` is an object, array or
   * boolean.
   */
  invalid: 0,
  /** A valid call. Its params are not checked by the decoder but by its method. */
  call: 1,
} as const;

/** Added to the ROW_KIND value in the `shape` word if the call has no id, which makes it a notification. */
export const NOTIFICATION_FLAG = 0x100;

/** What a whole body is: a single call, a batch or an error. */
export const BODY_KIND = {
  /** The body is not JSON. It is answered with error -32700. */
  malformed: -1,
  /** The body is one call, which is in row 0. */
  single: 0,
  /** The body is a batch of `count` rows. It may be empty. */
  batch: 1,
  /** A batch with too many calls. Only the ids of at most LIMITS.batchIdsMax elements are filled in; no call is run. */
  batchTooLarge: 2,
} as const;

/** Decodes bodies to rows. Each thread has its own decoder, whose rows are overwritten by the next `decode`. */
export interface BodyDecoder {
  readonly name: 'simdjson' | 'bytes';
  /** Name of the decoder for the log, and why this decoder is used. */
  readonly reason: string;
  /**
   * Rows of ROW_WORDS words, valid until the next `decode`. Never transfer their buffer to another thread: the addon
   * writes to it.
   */
  readonly rows: Uint32Array;
  /**
   * Number of rows that the last `decode` has filled: all calls of the body, or at most LIMITS.batchIdsMax if the batch
   * is too large.
   */
  readonly count: number;
  /**
   * Decodes `body` and returns one of the values of BODY_KIND. A body of more than LIMITS.bodyBytesMax counts as
   * malformed.
   */
  decode(body: Uint8Array): number;
}
