// The packed form of a decoded request: one fixed row of 32-bit words per call, filled by the simdjson addon and by
// the byte decoder alike (both must agree on every word). Runs on main.
//
// word    content
//  0      shape: one of SHAPE (what kind of JSON-RPC call this element of the body is)
//  1      method: index into FAST_METHODS, or OTHER_METHOD
//  2, 3   id: offset and length of its raw JSON text in the body; length 0 = absent
//  4, 5   params: offset and length of the raw JSON text; length 0 = absent
//  6, 7   method: offset and length of the raw JSON string including quotes; length 0 = absent
//  8      block: one of BLOCK; NONE unless the params are fast
//  9, 10  block number, low and high word (BLOCK.number)
// 11-15   address, 20 bytes in memory order
// 16-23   slot, 32 bytes in memory order, left-padded
//
// "Fast" params are the well-formed ones of FAST_METHODS: [address, block?] or [address, slot, block?], strings without
// escapes, at most the expected number of elements, block absent, null, a tag or a strict quantity of at most 64 bits.
// A fast row can be answered without looking at the JSON again; everything else is parsed by rpc/methods.
//
// Of a repeated key the last counts; keys and the method are compared unescaped. An invalid row is zero but for its
// shape and, where that is valid, its id; so is every row of a batch that is too large. NOTIFICATION is set beside slow
// and fast only.

/** 32-bit words per row. */
export const ROW_WORDS = 24;

/** Index of each word in a row; see the table above. */
export const WORD = {
  shape: 0,
  method: 1,
  idOffset: 2,
  idLength: 3,
  paramsOffset: 4,
  paramsLength: 5,
  methodOffset: 6,
  methodLength: 7,
  block: 8,
  numberLow: 9,
  numberHigh: 10,
  address: 11,
  slot: 16,
} as const;

/** What kind of JSON-RPC call a row holds. */
export const SHAPE = {
  /** Not a request: wrong or missing `jsonrpc`, `method` not a string, `id` an object, array or boolean. */
  invalid: 0,
  /** A request whose params rpc/methods has to parse. */
  slow: 1,
  /** A request with fast params. */
  fast: 2,
} as const;

/** Set in `WORD.shape` beside SHAPE when the request has no id: a notification. */
export const NOTIFICATION = 0x100;

/** Word 8: the block parameter of fast params. The order is the wire value. */
export const BLOCK = { none: 0, latest: 1, pending: 2, safe: 3, finalized: 4, earliest: 5, number: 6 } as const;

/** Methods whose params are decoded to words. The order is the wire value. */
export const FAST_METHODS = ['eth_getTransactionCount', 'eth_getStorageAt', 'eth_getBalance', 'eth_getCode'] as const;
/** Word 1 of every method that is not in FAST_METHODS. */
export const OTHER_METHOD = 255;

/** What the whole body is. */
export const BODY = {
  /** Not JSON at all: -32700. */
  malformed: -1,
  /** One call, row 0. */
  single: 0,
  /** A batch; the number of rows follows. May be empty. */
  batch: 1,
  /** A batch of more than the limit: only ids are filled (of at most LIMITS.batchIdsMax elements), no call is run. */
  batchTooLarge: 2,
} as const;
