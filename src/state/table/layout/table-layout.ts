// All offsets in the shared state table. Writer and readers import this file and know nothing else about the memory
// layout.
//
// The table is one SharedArrayBuffer, addressed in 32-bit words. Its regions follow one another, each aligned to a
// cache line:
//
//   +--------+------+----------+--------+--------+------------+----------------+------------+-------+------------+
//   | header | pins | versions | blocks | halves | code index | code directory | code bytes | older | accounts … |
//   +--------+------+----------+--------+--------+------------+----------------+------------+-------+------------+
//
// `pins` protect the state versions that readers use. `versions` and `blocks` have a record for each state version and
// block, `halves` the high halves (upper 128 bits) of large balances, and `older` the records of values that were
// replaced. The slots follow the accounts.
//
// An account's entry has 16 words, which is one cache line, so that reading a nonce costs one cache miss:
//
//   word  0        1     2    3 ...... 7   8 .. 9   10 ........ 13   14       15
//        +--------+-----+----+------------+--------+----------------+--------+------+
//        |version |link |tag | address 20 | nonce  | balance, low   | code   | wide |
//        |        |     |    |            | u64    | 128 bits       | id     | id   |
//        +--------+-----+----+------------+--------+----------------+--------+------+
//                                          '------------ payload, 8 words ---------'
//
// A storage slot's entry has 24 words (96 bytes). It always touches two cache lines, but takes a quarter less memory
// than two whole ones:
//
//   word  0        1     2    3 ...... 7   8 ......... 15   16 ........ 23
//        +--------+-----+----+------------+----------------+---------------+
//        |version |link |tag | address 20 | slot 32        | word 32       |
//        +--------+-----+----+------------+----------------+---------------+
//                                                           '-- payload --'
//
//   version  state version of the payload. In one bucket it only grows, whichever key is stored there: entry-reader.ts
//   link     ordinal of the record with the previous value of the key, 0 for none; CLOCK_MARK_BIT: set if the entry was
//            accessed since the clock hand (clock-hand.ts) last passed it
//   tag      hash of the key; EMPTY: the bucket is empty and ends a search; TOMBSTONE: the bucket's entry was evicted,
//            and a search continues past it. The tag is written last: an entry with a tag is complete
//   wide id  id of the balance's upper 128 bits in `halves`, 0 if they are zero. Real balances need 87 bits, those of
//            test chains up to 256
//   code id  index in the code directory, 0 for no code, NONEXISTENT_ACCOUNT_CODE_ID for an account that does not exist
//
// The record of an older value has 16 words, which is one cache line. It does not change from its publication until it
// is freed. Records are stored in a ring, in the order in which their values were replaced, so the records that can be
// freed are always at the tail of the ring:
//
//   word  0        1     2             3     4             5     6, 7       8 .......... 15
//        +--------+-----+-------------+-----+-------------+-----+----------+---------------+
//        |version |link |superseded by|jump |jump version |span | account  | payload       |
//        +--------+-----+-------------+-----+-------------+-----+----------+---------------+
//
//   superseded by  state version that replaced the value
//   jump     ordinal of an older record of the same key, which is `span` links back; 0 for none. `jump version` is the
//            version of that record. With jumps, the value before n later changes is found in about 2 log n steps
//            (Myers, "An applicative random-access stack", 1983)
//   account  1 if the payload is an account's, 0 if it is a slot's
//
// Numbers of 64 bits and more are stored with the low word first. Addresses, slots, EVM words and hashes are stored as
// their bytes in order.

// One table holds all versions of the state. See DECISIONS.md.
//
// Storing a single word publishes a version. See DECISIONS.md.
import { endianness } from 'node:os';
import { LIMITS } from '../../../limits/index.js';
import { HASH_KEY_WORDS } from './key-hash.js';

if (endianness() !== 'LE') throw new Error('the shared table needs a little-endian machine');

/**
 * Must be increased whenever this file changes the layout, so that no build reads another build's table. The same
 * number is in src/native/reads/table-reader.h.
 */
export const LAYOUT_VERSION = 6;

const LINE_WORDS = 16;

/** Word offsets of the header's fields. Only the writer changes the fields, and it writes `newest` last. */
export const TABLE_HEADER = {
  layoutVersion: 0,
  /** Number of this table's buffer. The larger table that replaces a full one has the next number. */
  generation: 1,
  /** 1 if the state is complete, so that a missing key is zero; 0 if a missing key is unknown. */
  complete: 2,
  /** The newest state version. Storing this word is what publishes a version. */
  newest: 16,
  /** The lowest state version that readers can still pin. */
  floor: 17,
  /** State versions below this one may lack values that were freed or evicted. */
  reclaimed: 18,
  /** Ordinal that the next record in the ring of older values will get, as of state version `newest`. */
  olderHead: 20,
  /** Ordinal of the oldest record in the ring of older values. */
  olderTail: 21,
  /** Number of codes, of high halves of balances, and of words that code bytes take. */
  codes: 22,
  halves: 23,
  codeWords: 24,
  /** Ordinal of the newest block's record in the ring of blocks. */
  blocks: 25,
  /** Number of accounts and of slots, for monitoring. */
  accounts: 26,
  slots: 27,
  /**
   * `stalls`: number of copies that were not finished in time, so that the publisher had to wait. `sliceUsMax`: longest
   * time slice of copying and evicting, in microseconds.
   */
  stalls: 28,
  sliceUsMax: 29,
  /** Number of evicted entries, 64 bits, low word first. */
  evictions: 30,
  /** Capacity of each region, in the order of CAPACITIES. */
  capacities: 32,
  /** Largest number of buckets that were copied or visited by clock hands in one time slice. */
  sliceBucketsMax: 40,
  /**
   * Number of times the whole table was copied without time slices, to change the hash key or after a failed
   * publication.
   */
  rebuilds: 41,
  hashKey: 48,
} as const;

const HEADER_WORDS = 64;

/** Word offsets of the fields that account entries and slot entries have in common. */
export const ENTRY_FIELDS = { version: 0, link: 1, tag: 2, address: 3 } as const;
/** Bit of an entry's link: set if the entry was read or written since the clock hand last passed it. */
export const CLOCK_MARK_BIT = 1 << 31;
/** Word offsets in an account's entry. The address is in words 3 to 7. */
export const ACCOUNT_ENTRY_LAYOUT = { words: 16, payload: 8 } as const;
/** Word offsets in a slot's entry. The address is in words 3 to 7, the slot in words 8 to 15. */
export const SLOT_ENTRY_LAYOUT = { words: 24, slot: 8, payload: 16 } as const;
export const PAYLOAD_WORDS = 8;
/**
 * Word offsets in an account's payload: nonce, the low 128 bits of the balance (low word first), code id, and id of the
 * balance's high half.
 */
export const ACCOUNT_PAYLOAD = { nonce: 0, balance: 2, code: 6, wide: 7 } as const;
/** Word offsets in the record of an older value, one that was replaced. The top of this file explains the fields. */
export const OLDER_VALUE_RECORD = {
  words: 16,
  version: 0,
  link: 1,
  supersededBy: 2,
  jump: 3,
  jumpVersion: 4,
  span: 5,
  account: 6,
  payload: 8,
} as const;

/** Code id of an account that does not exist, or no longer exists. */
export const NONEXISTENT_ACCOUNT_CODE_ID = -1;

/** Word offsets in the pin of a reader thread. Each pin has a cache line of its own. */
export const PIN_RECORD = {
  words: LINE_WORDS,
  /** 1 + threadId of the owner; 0 if the pin is free. */
  owner: 0,
  /** The lowest state version that the thread may read; 0 if the pin protects nothing. */
  version: 1,
  /** Number of times that the pin was set, which distinguishes one long pin from many short ones. */
  count: 2,
} as const;

/** Word offsets in the record of a state version. Numbers are f64; u64 and u256 have the low word first. */
export const VERSION_RECORD_FIELDS = {
  words: 80,
  version: 0,
  index: 1,
  flags: 2,
  /** The state version at which block `heads.latest` was complete; 0 if it is no longer retained. */
  latestVersion: 3,
  /** Ordinal of the record of the newest complete block on this state version's chain; 0 if there is none. */
  top: 4,
  block: 6,
  latest: 8,
  safe: 10,
  finalized: 12,
  publishedAtMs: 14,
  hash: 16,
  parentHash: 24,
  number: 32,
  timestamp: 34,
  gasLimit: 36,
  excessBlobGas: 38,
  baseFee: 40,
  difficulty: 48,
  prevRandao: 56,
  beaconRoot: 64,
  coinbase: 72,
  slotNumber: 78,
} as const;

/** Bits of `VERSION_RECORD_FIELDS.flags`. A set bit means that the optional field of this name is known. */
export const VERSION_FLAG_BITS = { hash: 1, safe: 2, finalized: 4, slotNumber: 8 } as const;

/**
 * Word offsets in the record of a complete block. `run` is the ordinal of the first record in the block's run. A run is
 * a series of records that are adjacent in the ring and belong to consecutive blocks.
 */
export const BLOCK_RECORD = {
  words: 32,
  ordinal: 0,
  completedAt: 1,
  previous: 2,
  run: 3,
  number: 4,
  hash: 8,
  parentHash: 16,
} as const;

/**
 * Word offsets in an entry of the code directory: hash of the code, first word of its bytes in the region, length in
 * bytes.
 */
export const CODE_DIRECTORY_ENTRY = { words: 16, hash: 0, offset: 8, length: 9 } as const;
/** Number of words of the high half (upper 128 bits) of a balance. */
export const BALANCE_HIGH_HALF_WORDS = 4;

/** Names of the capacities, in the order in which they are stored in the header. */
export const CAPACITY_NAMES = ['accounts', 'slots', 'older', 'codes', 'codeWords', 'halves'] as const;

/** Capacity of each region of a table. All but `halves`, `codes` and `codeWords` are powers of two. */
export type Capacities = Readonly<Record<(typeof CAPACITY_NAMES)[number], number>>;

/** First word of each region, and the word after the last one. */
export type RegionWordOffsets = Readonly<ReturnType<typeof computeRegionOffsets>>;

/** Load factor that is never exceeded. At it, linear probing visits 6 buckets on average for a key not in the table. */
export const LOAD_FACTOR_MAX = 0.7;
/** Load factor from which entries are evicted if a larger table is not allowed. */
export const EVICTION_LOAD_FACTOR = 0.6;
/** Load factor from which a larger table is filled next to this one: early enough to copy in short time slices. */
export const GROWTH_LOAD_FACTOR = 0.5;

/**
 * Number of block records, a power of two. It is enough for BLOCKHASH, for all blocks within the retained time, and for
 * as many blocks that reorganizations have replaced.
 */
export const BLOCK_RING_RECORDS = 4096;

/**
 * Mask of ordinals, the consecutive numbers of the records in a ring. Ordinals have 31 bits and wrap around. Because
 * the size of a ring is a power of two, the low bits of an ordinal always give the record's position in the ring.
 */
export const RECORD_ORDINAL_MASK = 0x7fffffff;

export function computeRegionOffsets(capacities: Capacities) {
  const pins = HEADER_WORDS;
  const versions = pins + LIMITS.pinsMax * PIN_RECORD.words;
  const blocks = versions + LIMITS.versionsKeptMax * VERSION_RECORD_FIELDS.words;
  const halves = blocks + BLOCK_RING_RECORDS * BLOCK_RECORD.words;
  const codeIndex = cacheLineUp(halves + (capacities.halves + 1) * BALANCE_HIGH_HALF_WORDS);
  const codes = cacheLineUp(codeIndex + codeIndexBuckets(capacities));
  const codeBytes = codes + (capacities.codes + 1) * CODE_DIRECTORY_ENTRY.words;
  const older = cacheLineUp(codeBytes + capacities.codeWords);
  const accounts = older + capacities.older * OLDER_VALUE_RECORD.words;
  const slots = accounts + capacities.accounts * ACCOUNT_ENTRY_LAYOUT.words;
  const end = slots + capacities.slots * SLOT_ENTRY_LAYOUT.words;
  return { pins, versions, blocks, halves, codeIndex, codes, codeBytes, older, accounts, slots, end };
}

/** Returns the number of buckets in the index of codes by hash, a power of two. */
export function codeIndexBuckets({ codes }: Capacities): number {
  return nextPowerOfTwo(2 * codes);
}

/** Returns the lowest power of two that is at least `value`. */
export function nextPowerOfTwo(value: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, value)));
}

export function writeCapacities(words: Int32Array, capacities: Capacities): void {
  CAPACITY_NAMES.forEach((name, index) => (words[TABLE_HEADER.capacities + index] = capacities[name]));
}

export function readCapacities(words: Int32Array): Capacities {
  const entries = CAPACITY_NAMES.map((name, index) => [name, words[TABLE_HEADER.capacities + index]]);
  return Object.fromEntries(entries) as Capacities;
}

function cacheLineUp(word: number): number {
  return Math.ceil(word / LINE_WORDS) * LINE_WORDS;
}

function relation(isTrue: boolean, proof: string): void {
  if (!isTrue) throw new Error(`the table's layout contradicts itself: ${proof}`);
}

relation(TABLE_HEADER.hashKey + HASH_KEY_WORDS <= HEADER_WORDS, 'the hash key fits the header');
relation(
  TABLE_HEADER.capacities + CAPACITY_NAMES.length <= TABLE_HEADER.sliceBucketsMax,
  'the capacities lie before what follows',
);
relation(
  BLOCK_RING_RECORDS >= 2 * (LIMITS.blockHashesKept + LIMITS.blocksInWindowMax),
  'kept blocks have records, replaced ones too',
);
relation((BLOCK_RING_RECORDS & (BLOCK_RING_RECORDS - 1)) === 0, 'the block ring is indexed by a mask');
relation(
  VERSION_RECORD_FIELDS.coinbase + 5 <= VERSION_RECORD_FIELDS.slotNumber &&
    VERSION_RECORD_FIELDS.slotNumber + 2 <= VERSION_RECORD_FIELDS.words,
  'a version record holds its last field',
);
