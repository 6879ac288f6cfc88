// The packed form of a decoded request: one fixed row of 32-bit words per call, filled by the simdjson addon and by
// the byte decoder alike (both must agree on every word).
//
// word    content
//  0      shape: one of SHAPE (what kind of JSON-RPC call this element of the body is)
//  1      offset of the call's `{` in the body
//  2, 3   id: offset and length of its raw JSON text in the body; length 0 = absent
//  4, 5   params: offset and length of the raw JSON text; length 0 = absent
//  6, 7   method: offset and length of the raw JSON string including quotes; length 0 = absent
//
// Of a repeated key the last counts; keys are compared unescaped. An invalid row is zero except its id, if that is
// valid; so is every row of a batch that is too large. NOTIFICATION is set on a call only.

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

/** The kind of JSON-RPC call that a row contains. */
export const ROW_SHAPE = {
  /** Not a request: `jsonrpc` is wrong or missing, `method` is not a string, or `id` is an object, array or boolean. */
  invalid: 0,
  /** A request. Its method parses the params. */
  call: 1,
} as const;

/** Added to SHAPE in `WORD.shape` if the request has no id, so that it is a notification. */
export const NOTIFICATION_FLAG = 0x100;

/** The kind of a whole body. */
export const BODY_KIND = {
  /** Not JSON at all; the error is -32700. */
  malformed: -1,
  /** One call, in row 0. */
  single: 0,
  /** A batch, whose number of rows follows. It may be empty. */
  batch: 1,
  /** A batch of too many calls. Only ids are filled, of at most LIMITS.batchIdsMax elements; no call is run. */
  batchTooLarge: 2,
} as const;

/** A decoder. There is one per thread, and its rows are overwritten by the next `decode`. */
export interface BodyDecoder {
  readonly name: 'simdjson' | 'bytes';
  /** Name of the decoder for the log, and why it is used. */
  readonly reason: string;
  /** Rows of ROW_WORDS words, valid until the next decode. Never transfer the buffer: the addon writes to it. */
  readonly rows: Uint32Array;
  /** Rows that the last decode has filled: the body's calls, or LIMITS.batchIdsMax of a batch too large. */
  readonly count: number;
  /** Decodes `body` and returns one of the values of BODY. More than LIMITS.bodyBytesMax bytes count as malformed. */
  decode(body: Uint8Array): number;
}
