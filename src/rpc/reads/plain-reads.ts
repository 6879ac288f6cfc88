// Answers plain reads - nonces, balances and storage words at a tag, at the number of a kept block or at the default block - in one
// call of an addon, a body of them alone or a run of them in a batch: decoding, look-ups and encoding. Everything else, and all
// of it where the addon is not there, goes through the table of methods. Runs on main.
//
// Gain: a nonce costs main 0.1 us instead of 1.6, a batch of 100 nonces 3.4 us instead of 110. Price: the form of a body, the
// way of a reader through the table and the form of an answer are stated a second time, in C++; a fuzzer holds both to the
// same bytes.

// Decision (2026-11, two cores): Plain reads in one call of an addon (`src/rpc/reads`): it reads all calls, fetches
// their entries, looks them up and writes the answer, 3.4 us for 100 nonces where the table of methods takes 110,
// whether the block is a tag or a number. It answers a body whole, or a run of reads in a batch of others, 14 us for 99
// of them: where a call has another form, a key is not held, a version not kept or an entry is written this moment, the
// table of methods answers. Price: 720 lines of C++ that know the table's layout - compared with `layout.ts` when it is
// loaded - and state the reader's protocol again; a fuzzer with mutants holds bodies and values to the service's and to
// a snapshot's, and a race to the writer's schedule. A row of the decoder holds no parameters: a second way that
// answered from them cost 350 lines and took 1 us off what the addon does not take.
import { LIMITS } from '../../limits/index.js';
import { GuardedAccounts } from './guarded.js';
import { nativePart } from '../../native/load.js';
import type { NativeAnswer, ReadsPart } from '../../native/parts.js';
import { EMPTY, HASH_KEY_WORDS, TOMBSTONE } from '../../state/table/layout/key-hash.js';
import {
  ACCOUNT,
  ACCOUNT_PAYLOAD,
  BLOCK,
  BLOCK_RING,
  ENTRY,
  HEADER,
  LAYOUT_VERSION,
  MARK,
  OLDER,
  ORDINAL_MASK,
  PAYLOAD_WORDS,
  SLOT,
} from '../../state/table/layout/layout.js';
import { openTable, type Table } from '../../state/table/layout/table.js';
import { topOf, type VersionRecord } from '../../state/table/layout/version-record.js';

/** The methods of plain reads, in the order of their counts. */
export const PLAIN_METHODS = ['eth_getTransactionCount', 'eth_getStorageAt', 'eth_getBalance'] as const;

/** The version that `pending` stands for, and what the other names of blocks mean seen from it; see PinnedVersion. */
export interface Heads {
  readonly version: number;
  readonly record: Pick<VersionRecord, 'latestVersion' | 'heads'> & {
    readonly coordinates: { readonly block: number };
  };
}

/** Answers from one table. */
export interface PlainReads {
  /**
   * The whole answer; `null` where the body holds anything but plain reads, or one of them cannot be answered at once.
   * The bytes are valid until the next call. `at` says what blocks of this table the tags stand for; it needs no pin: what
   * is reclaimed meanwhile cannot be answered.
   */
  answer(body: ArrayBuffer | Uint8Array, at: Heads): Uint8Array | null;
  /** Answers, separated by commas, to the calls of a well-formed batch that begin at `from`: some of those up to the first other call. */
  run(body: Uint8Array, from: number, at: Heads): Uint8Array | null;
  /** Calls of the last answer, by their places in PLAIN_METHODS. */
  readonly counts: ArrayLike<number>;
}

/** Opens a table for plain reads; `null` where none are answered here. */
export type OpenPlainReads = (buffer: SharedArrayBuffer) => PlainReads | null;

/** Reader of plain reads, and why it is that one, for the log. */
export interface PlainReadsSupport {
  readonly open: OpenPlainReads;
  readonly reason: string;
}

/** Layout of the table as the addon has to know it. */
const LAYOUT: Readonly<Record<string, number>> = {
  layoutVersion: LAYOUT_VERSION,
  floor: HEADER.floor,
  reclaimed: HEADER.reclaimed,
  version: ENTRY.version,
  link: ENTRY.link,
  tag: ENTRY.tag,
  key: ENTRY.address,
  accountWords: ACCOUNT.words,
  accountPayload: ACCOUNT.payload,
  slotWords: SLOT.words,
  slotPayload: SLOT.payload,
  payloadWords: PAYLOAD_WORDS,
  nonce: ACCOUNT_PAYLOAD.nonce,
  balance: ACCOUNT_PAYLOAD.balance,
  wide: ACCOUNT_PAYLOAD.wide,
  mark: MARK >>> 0,
  empty: EMPTY,
  tombstone: TOMBSTONE,
  olderWords: OLDER.words,
  olderVersion: OLDER.version,
  olderLink: OLDER.link,
  jump: OLDER.jump,
  jumpVersion: OLDER.jumpVersion,
  olderPayload: OLDER.payload,
  blockWords: BLOCK.words,
  blockOrdinal: BLOCK.ordinal,
  blockCompletedAt: BLOCK.completedAt,
  blockPrevious: BLOCK.previous,
  blockRun: BLOCK.run,
  blockNumber: BLOCK.number,
  ordinalMask: ORDINAL_MASK,
  hashKeyWords: HASH_KEY_WORDS,
};

/** Meaning of a block that a call leaves out. */
export type DefaultBlock = 'latest' | 'pending';

/** No plain reads are answered by themselves: the service answers all of them. */
export const NO_PLAIN_READS: OpenPlainReads = () => null;

/** Nobody's nonces are told elsewhere. */
const NONE_GUARDED = new GuardedAccounts(0);

/**
 * The addon where it can be loaded. `callsMax`: calls in one batch; `defaultBlock`: what a missing block means; `guarded`: accounts
 * whose nonces at `pending` are left to the service.
 */
export function loadPlainReads(
  callsMax: number,
  defaultBlock: DefaultBlock = 'latest',
  guarded: GuardedAccounts = NONE_GUARDED,
): PlainReadsSupport {
  const { part, reason } = nativePart('reads');
  if (part === null) return { open: NO_PLAIN_READS, reason: `as all other calls: ${reason}` };
  try {
    return { open: plainReadsOf(part, callsMax, defaultBlock, guarded), reason: 'addon' };
  } catch (error) {
    return { open: NO_PLAIN_READS, reason: `as all other calls: ${(error as Error).message}` };
  }
}

/** Throws where the addon was built for a table of another form. All tables share the memory for answers. */
export function plainReadsOf(
  addon: ReadsPart,
  callsMax: number,
  defaultBlock: DefaultBlock = 'latest',
  guarded: GuardedAccounts = NONE_GUARDED,
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

/** Answers to single calls are no longer: their views are kept, which saves 60 ns a call. */
const SHORT_BYTES_MAX = 160;

class AddonReads implements PlainReads {
  readonly counts: Uint32Array;
  readonly #answer: NativeAnswer;
  readonly #heads: HeadWords;
  readonly #out: Uint8Array;
  readonly #short: (Uint8Array | undefined)[] = [];

  constructor(answer: NativeAnswer, heads: HeadWords, out: Uint8Array, counts: Uint32Array) {
    this.#answer = answer;
    this.#heads = heads;
    this.#out = out;
    this.counts = counts;
  }

  answer(body: ArrayBuffer | Uint8Array, at: Heads): Uint8Array | null {
    this.#heads.set(at);
    return this.#view(this.#answer(body, 0));
  }

  run(body: Uint8Array, from: number, at: Heads): Uint8Array | null {
    this.#heads.set(at);
    return this.#view(this.#answer(body, from));
  }

  #view(bytes: number): Uint8Array | null {
    if (bytes === 0) return null;
    if (bytes > SHORT_BYTES_MAX) return this.#out.subarray(0, bytes);
    return (this.#short[bytes] ??= this.#out.subarray(0, bytes));
  }
}

/** The words of `Heads` in answers.h. */
class HeadWords {
  readonly words = new Uint32Array(12);
  readonly #table: Table;
  #record: Heads['record'] | null = null;

  constructor(table: Table, defaultBlock: DefaultBlock) {
    this.#table = table;
    this.words[3] = defaultBlock === 'latest' ? 0 : 1;
  }

  /** Another record is another version. */
  set({ version, record }: Heads): void {
    if (record === this.#record) return;
    this.#record = record;
    const { coordinates, heads, latestVersion } = record;
    this.words.set([version, latestVersion, topOf(this.#table, version)]);
    [coordinates.block, heads.latest, heads.safe, heads.finalized].forEach((number, i) =>
      this.#setNumber(4 + 2 * i, number),
    );
  }

  #setNumber(at: number, number: number | null): void {
    this.words[at] = number ?? -1;
    this.words[at + 1] = number === null ? -1 : number / 2 ** 32;
  }
}

/** The words of `Geometry` in table.h. */
function geometryOf({ regions, accountMask, slotMask, olderMask, isComplete, hashKey }: Table): Uint32Array {
  const entries = [regions.accounts, accountMask, regions.slots, slotMask, regions.older, olderMask];
  const blocks = [regions.blocks, BLOCK_RING - 1];
  return Uint32Array.from([...entries, ...blocks, isComplete ? 1 : 0, LIMITS.tableProbesMax, ...hashKey]);
}
