// Roots of the tries of a block's lists (yellow paper 4.4.2): transactions, receipts, withdrawals.

// Roots of lists are computed without a trie (`src/chain/list-root.ts`): entries are available in the order of their
// keys, so each node is hashed as soon as its children are known, and none is retained. 5,000 transactions take 6.5 ms
// instead of 20, encoding their receipts 10 to 30 instead of 46; the first increment after such a block mostly 8 to 20
// instead of 77 to 92, some 45 to 60. See DECISIONS.md.
import { keccak256 } from '../lib/bytes/keccak.js';
import { encodeRlp, type RlpInput } from '../lib/bytes/rlp.js';
import { EMPTY_ROOT, NOTHING, compact, nodeRef } from './trie.js';

/** Keys are RLP of indexes: from this one on with a prefix. */
const PREFIXED_MIN = 128;
/** RLP of zero. */
const ZERO_KEY = 0x80;

/** The longest key in nibbles: a prefix and four bytes. */
const KEY_NIBBLES_MAX = 10;

/** The values of a list in the order of their keys. */
interface Sorted {
  readonly values: readonly Uint8Array[];
  /** KEY_NIBBLES_MAX nibbles for each key, of which it uses the first. */
  readonly nibbles: Uint8Array;
  /** Length of each key in nibbles. */
  readonly lengths: Uint8Array;
}

/**
 * Root of the trie of RLP index -> value, 32 bytes. All entries are available at once, in the order of their keys: each
 * node is encoded and hashed as soon as its children are known, and none is retained.
 */
export function listRoot(values: readonly Uint8Array[]): Uint8Array {
  if (values.length === 0) return EMPTY_ROOT;
  return keccak256(encodeRlp(nodeOf(sortedOf(values), 0, values.length, 0)));
}

/** The value at 0 sorts after that at 127, as its key is the encoding of an empty string. */
function sortedOf(values: readonly Uint8Array[]): Sorted {
  const short = Math.min(values.length, PREFIXED_MIN);
  const sorted = [...values.slice(1, short), values[0]!, ...values.slice(short)];
  const nibbles = new Uint8Array(values.length * KEY_NIBBLES_MAX);
  const lengths = new Uint8Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const index = at < short - 1 ? at + 1 : at < short ? 0 : at;
    lengths[at] = writeKey(nibbles, at * KEY_NIBBLES_MAX, index);
  }
  return { values: sorted, nibbles, lengths };
}

/** Writes RLP of `index` at `at`, one nibble per byte; returns their number. */
function writeKey(nibbles: Uint8Array, at: number, index: number): number {
  const bytes = index === 0 ? 0 : 4 - (Math.clz32(index) >> 3);
  const isPrefixed = index === 0 || index >= PREFIXED_MIN;
  if (isPrefixed) {
    nibbles[at] = ZERO_KEY >> 4;
    nibbles[at + 1] = bytes;
  }
  const digits = 2 * bytes;
  const from = at + (isPrefixed ? 2 : 0);
  for (let digit = 0; digit < digits; digit++) nibbles[from + digit] = (index >>> (4 * (digits - 1 - digit))) & 15;
  return from + digits - at;
}

/** The node of the entries from `from` to `to`, whose keys share the first `depth` nibbles. */
function nodeOf(list: Sorted, from: number, to: number, depth: number): RlpInput {
  const { values, nibbles, lengths } = list;
  const key = from * KEY_NIBBLES_MAX;
  if (to === from + 1) return [compact(nibbles.subarray(key + depth, key + lengths[from]!), true), values[from]!];
  const last = (to - 1) * KEY_NIBBLES_MAX;
  let end = depth;
  while (nibbles[key + end] === nibbles[last + end]) end++;
  const branch = branchOf(list, from, to, end);
  return end === depth ? branch : [compact(nibbles.subarray(key + depth, key + end), false), nodeRef(branch)];
}

function branchOf(list: Sorted, from: number, to: number, depth: number): RlpInput {
  const children: RlpInput[] = Array.from({ length: 17 }, () => NOTHING);
  for (let start = from; start < to;) {
    const nibble = list.nibbles[start * KEY_NIBBLES_MAX + depth]!;
    let end = start + 1;
    while (end < to && list.nibbles[end * KEY_NIBBLES_MAX + depth] === nibble) end++;
    children[nibble] = nodeRef(nodeOf(list, start, end, depth + 1));
    start = end;
  }
  return children;
}
