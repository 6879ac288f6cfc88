// Answers plain reads: nonces, balances and storage words, at a tag, at the number of a retained block or at the
// default block. The addon does this without JavaScript: one call decodes, looks up and encodes a body that contains
// only plain reads, or several consecutive plain reads of a batch. All other calls go through the method table, and so
// do plain reads if the addon is missing.
//
// A nonce takes the main thread 0.1 us instead of 1.6, and a batch of 100 nonces 3.4 us instead of 110. The
// disadvantage: parsing a body, reading the state table and encoding a response are implemented a second time, in C++.
// A fuzzer checks that both implementations produce the same bytes.

// Plain reads are answered in one call of the addon. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import { METHODS, type MethodName } from '../../methods.table.js';
import { SubmittedNonceAddresses } from './submitted-nonce-addresses.js';
import { loadNativeModule } from '../../native/load-addon.js';
import type { NativePlainReadAnswerer, PlainReadsModule } from '../../native/addon-types.js';
import { EMPTY_BUCKET_TAG, HASH_KEY_WORDS, TOMBSTONE_TAG } from '../../state/table/layout/key-hash.js';
import {
  ACCOUNT_ENTRY_LAYOUT,
  ACCOUNT_PAYLOAD,
  BLOCK_RECORD,
  BLOCK_RING_RECORDS,
  ENTRY_FIELDS,
  TABLE_HEADER,
  LAYOUT_VERSION,
  CLOCK_MARK_BIT,
  OLDER_VALUE_RECORD,
  RECORD_ORDINAL_MASK,
  PAYLOAD_WORDS,
  SLOT_ENTRY_LAYOUT,
} from '../../state/table/layout/table-layout.js';
import { openTable, type Table } from '../../state/table/layout/table.js';
import { newestBlockOrdinal, type VersionRecord } from '../../state/table/layout/state-version-record.js';

/** The methods of plain reads, in the order of `PlainReads.counts`. */
export const PLAIN_METHODS: readonly MethodName[] = [...METHODS.values()]
  .filter(({ plain }) => plain !== undefined)
  .toSorted((a, b) => a.plain! - b.plain!)
  .map(({ name }) => name);

/**
 * The state version that `pending` means, and which blocks the other tags mean in that version; see `PinnedVersion`.
 */
export interface BlockTagsAtVersion {
  readonly version: number;
  readonly record: Pick<VersionRecord, 'latestVersion' | 'heads'> & {
    readonly coordinates: { readonly block: number };
  };
}

/** Answers plain reads (of nonces, balances and storage words) from one state table. */
export interface PlainReads {
  /**
   * If `from` is 0, returns the whole response. Otherwise answers calls of a batch, from byte `from` of the body up to
   * the first call that is no plain read, and returns their responses, separated by commas. Returns `null` if the
   * (first) call is no plain read, or a plain read that cannot be answered at once. The bytes are valid until the next
   * call. `at` says what the block tags mean in this table. The version need not be pinned, because reading a reclaimed
   * value fails.
   */
  answer(body: Uint8Array, from: number, at: BlockTagsAtVersion): Uint8Array | null;
  /** Number of calls in the last response, by index of the method in PLAIN_METHODS. */
  readonly counts: ArrayLike<number>;
}

/** Opens a state table for plain reads; returns `null` if the addon is missing. */
export type OpenPlainReads = (buffer: SharedArrayBuffer) => PlainReads | null;

/** How plain reads are answered, and why in this way, for the log. */
interface PlainReadsSupport {
  readonly open: OpenPlainReads;
  readonly reason: string;
}

/** Layout of the state table, in the form that the addon needs. */
const LAYOUT: Readonly<Record<string, number>> = {
  layoutVersion: LAYOUT_VERSION,
  floor: TABLE_HEADER.floor,
  reclaimed: TABLE_HEADER.reclaimed,
  version: ENTRY_FIELDS.version,
  link: ENTRY_FIELDS.link,
  tag: ENTRY_FIELDS.tag,
  key: ENTRY_FIELDS.address,
  accountWords: ACCOUNT_ENTRY_LAYOUT.words,
  accountPayload: ACCOUNT_ENTRY_LAYOUT.payload,
  slotWords: SLOT_ENTRY_LAYOUT.words,
  slotPayload: SLOT_ENTRY_LAYOUT.payload,
  payloadWords: PAYLOAD_WORDS,
  nonce: ACCOUNT_PAYLOAD.nonce,
  balance: ACCOUNT_PAYLOAD.balance,
  wide: ACCOUNT_PAYLOAD.wide,
  mark: CLOCK_MARK_BIT >>> 0,
  empty: EMPTY_BUCKET_TAG,
  tombstone: TOMBSTONE_TAG,
  olderWords: OLDER_VALUE_RECORD.words,
  olderVersion: OLDER_VALUE_RECORD.version,
  olderLink: OLDER_VALUE_RECORD.link,
  jump: OLDER_VALUE_RECORD.jump,
  jumpVersion: OLDER_VALUE_RECORD.jumpVersion,
  olderPayload: OLDER_VALUE_RECORD.payload,
  blockWords: BLOCK_RECORD.words,
  blockOrdinal: BLOCK_RECORD.ordinal,
  blockCompletedAt: BLOCK_RECORD.completedAt,
  blockPrevious: BLOCK_RECORD.previous,
  blockRun: BLOCK_RECORD.run,
  blockNumber: BLOCK_RECORD.number,
  ordinalMask: RECORD_ORDINAL_MASK,
  hashKeyWords: HASH_KEY_WORDS,
};

/** The block tag that a missing block parameter means. */
export type DefaultBlockTag = 'latest' | 'pending';

/** Disables plain reads in the addon, so that the service answers all of them. */
export const NO_PLAIN_READS: OpenPlainReads = () => null;

/** An empty set: the addon answers the `pending` nonces of all accounts itself. */
const NONE_GUARDED = new SubmittedNonceAddresses(0);

/**
 * Loads the addon if possible. `callsMax`: maximum number of calls in one batch. `defaultBlock`: what a missing block
 * parameter means. `guarded`: accounts whose nonces at `pending` the addon leaves to the service.
 */
export function loadPlainReads(
  callsMax: number,
  defaultBlock: DefaultBlockTag = 'latest',
  guarded: SubmittedNonceAddresses = NONE_GUARDED,
): PlainReadsSupport {
  const { part, reason } = loadNativeModule('reads');
  if (part === null) return { open: NO_PLAIN_READS, reason: `as all other calls: ${reason}` };
  try {
    return { open: createPlainReads(part, callsMax, defaultBlock, guarded), reason: 'addon' };
  } catch (error) {
    return { open: NO_PLAIN_READS, reason: `as all other calls: ${(error as Error).message}` };
  }
}

/**
 * Creates plain reads with the addon. Throws if the addon was built for another layout of the state table. All tables
 * share one output buffer.
 */
export function createPlainReads(
  addon: PlainReadsModule,
  callsMax: number,
  defaultBlock: DefaultBlockTag = 'latest',
  guarded: SubmittedNonceAddresses = NONE_GUARDED,
): OpenPlainReads {
  const found = addon.layout();
  const different = Object.keys(LAYOUT).find((name) => found[name] !== LAYOUT[name]);
  if (different !== undefined) throw new Error(`it was built for another table: ${different}`);
  const out = new Uint8Array(LIMITS.plainAnswerBytesMax);
  const counts = new Uint32Array(PLAIN_METHODS.length);
  return (buffer) => {
    const table = openTable(buffer);
    const heads = new HeadWords(table, defaultBlock);
    const answer = addon.create(table.words, out, counts, heads.words, guarded.words, geometryOf(table), callsMax);
    return new AddonReads(answer, heads, out, counts);
  };
}

/**
 * Length of the longest response to a single call. Views of the output buffer up to this length are cached, which saves
 * 60 ns per call.
 */
const SHORT_BYTES_MAX = 160;

class AddonReads implements PlainReads {
  readonly counts: Uint32Array;
  readonly #answer: NativePlainReadAnswerer;
  readonly #heads: HeadWords;
  readonly #out: Uint8Array;
  readonly #short: (Uint8Array | undefined)[] = [];

  constructor(answer: NativePlainReadAnswerer, heads: HeadWords, out: Uint8Array, counts: Uint32Array) {
    this.#answer = answer;
    this.#heads = heads;
    this.#out = out;
    this.counts = counts;
  }

  answer(body: Uint8Array, from: number, at: BlockTagsAtVersion): Uint8Array | null {
    this.#heads.set(at);
    const bytes = this.#answer(body, from);
    if (bytes === 0) return null;
    if (bytes > SHORT_BYTES_MAX) return this.#out.subarray(0, bytes);
    return (this.#short[bytes] ??= this.#out.subarray(0, bytes));
  }
}

/** Block numbers of the block tags, as 32-bit words in the layout of `BlockTags` in plain-read-responses.h. */
class HeadWords {
  readonly words = new Uint32Array(12);
  readonly #table: Table;
  #record: BlockTagsAtVersion['record'] | null = null;

  constructor(table: Table, defaultBlock: DefaultBlockTag) {
    this.#table = table;
    this.words[3] = defaultBlock === 'latest' ? 0 : 1;
  }

  /**
   * Sets the words that depend on the state version. Every version has its own record object, so the same object means
   * that nothing has changed.
   */
  set({ version, record }: BlockTagsAtVersion): void {
    if (record === this.#record) return;
    this.#record = record;
    const { coordinates, heads, latestVersion } = record;
    this.words.set([version, latestVersion, newestBlockOrdinal(this.#table, version)]);
    [coordinates.block, heads.latest, heads.safe, heads.finalized].forEach((number, i) =>
      this.#setNumber(4 + 2 * i, number),
    );
  }

  #setNumber(at: number, number: number | null): void {
    this.words[at] = number ?? -1;
    this.words[at + 1] = number === null ? -1 : number / 2 ** 32;
  }
}

/** Returns the geometry of the state table as 32-bit words in the layout of `Geometry` in table-reader.h. */
function geometryOf({ regions, accountMask, slotMask, olderMask, isComplete, hashKey }: Table): Uint32Array {
  const entries = [regions.accounts, accountMask, regions.slots, slotMask, regions.older, olderMask];
  const blocks = [regions.blocks, BLOCK_RING_RECORDS - 1];
  return Uint32Array.from([...entries, ...blocks, isComplete ? 1 : 0, LIMITS.tableProbesMax, ...hashKey]);
}
