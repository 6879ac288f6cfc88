// Computes the root of the trie of a block's list: transactions, receipts or withdrawals (yellow paper 4.4.2).

// Roots are computed without a trie in memory: entries are available in the order of their keys, so each node is hashed
// as soon as its children are known, and no node is retained. For 5,000 transactions this takes 6.5 ms instead of 20;
// encoding their receipts takes 10 to 30 ms instead of 46. See DECISIONS.md.
import { keccak256 } from '../lib/bytes/keccak-wasm.js';
import { encodeRlp, type RlpInput } from '../lib/bytes/encode-rlp.js';
import { EMPTY_TRIE_ROOT, ABSENT_CHILD, hexPrefixEncode, trieNodeRef } from './trie.js';

/** First list index whose RLP has a prefix byte. The RLP of the index is the key in the trie. */
const PREFIXED_MIN = 128;
/** RLP of the integer zero. */
const ZERO_KEY = 0x80;

/** Nibbles of the longest key: a prefix byte and four bytes. */
const KEY_NIBBLES_MAX = 10;

/** The values of a list, sorted by their keys (the RLP of their list indices). */
interface Sorted {
  readonly values: readonly Uint8Array[];
  /** The keys of all values, one nibble per byte. Each key has KEY_NIBBLES_MAX bytes. */
  readonly nibbles: Uint8Array;
  /** Number of nibbles of each key. */
  readonly lengths: Uint8Array;
}

/** Returns the root (32 bytes) of the trie that maps the RLP of each list index to its value. */
export function listTrieRoot(values: readonly Uint8Array[]): Uint8Array {
  if (values.length === 0) return EMPTY_TRIE_ROOT;
  return keccak256(encodeRlp(nodeOf(sortedOf(values), 0, values.length, 0)));
}

/**
 * Sorts the values by key. The value at index 0 comes after that at 127, because its key is the RLP of an empty string
 * (0x80).
 */
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

/** Writes the RLP of `index` at offset `at`, one nibble per byte; returns the number of nibbles. */
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

/** Encodes the trie node for the entries from `from` to `to`, whose keys have the first `depth` nibbles in common. */
function nodeOf(list: Sorted, from: number, to: number, depth: number): RlpInput {
  const { values, nibbles, lengths } = list;
  const key = from * KEY_NIBBLES_MAX;
  if (to === from + 1)
    return [hexPrefixEncode(nibbles.subarray(key + depth, key + lengths[from]!), true), values[from]!];
  const last = (to - 1) * KEY_NIBBLES_MAX;
  let end = depth;
  while (nibbles[key + end] === nibbles[last + end]) end++;
  const branch = branchOf(list, from, to, end);
  return end === depth
    ? branch
    : [hexPrefixEncode(nibbles.subarray(key + depth, key + end), false), trieNodeRef(branch)];
}

function branchOf(list: Sorted, from: number, to: number, depth: number): RlpInput {
  const children: RlpInput[] = Array.from({ length: 17 }, () => ABSENT_CHILD);
  for (let start = from; start < to;) {
    const nibble = list.nibbles[start * KEY_NIBBLES_MAX + depth]!;
    let end = start + 1;
    while (end < to && list.nibbles[end * KEY_NIBBLES_MAX + depth] === nibble) end++;
    children[nibble] = trieNodeRef(nodeOf(list, start, end, depth + 1));
    start = end;
  }
  return children;
}
