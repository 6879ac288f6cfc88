// Answers bodies of plain reads alone - nonces, balances and storage words at `latest` or `pending`, one or a batch - in one
// call of an addon: decoding, look-ups and encoding. Everything else, and all of it where the addon is not there, is the
// service's. Runs on main.
//
// Gain: beside what the transport takes, a batch of 100 nonces costs main 4.2 us instead of 18. Price: the form of a body, the
// way of a reader through the table and the form of an answer are stated a second time, in C++; a fuzzer holds both to the
// same bytes.
import { LIMITS } from '../../limits.js';
import { nativePart } from '../../native/load.js';
import type { NativeAnswer, ReadsPart } from '../../native/parts.js';
import { EMPTY, HASH_KEY_WORDS, TOMBSTONE } from '../../state/table/key-hash.js';
import {
  ACCOUNT,
  ACCOUNT_PAYLOAD,
  ENTRY,
  HEADER,
  LAYOUT_VERSION,
  MARK,
  OLDER,
  PAYLOAD_WORDS,
  SLOT,
} from '../../state/table/layout.js';
import { openTable, type Table } from '../../state/table/table.js';
import { FAST_METHODS } from '../decode/request-row.js';

/** The versions that `pending` and `latest` stand for; see PinnedVersion. */
export interface TagVersions {
  readonly version: number;
  readonly record: { readonly latestVersion: number };
}

/** Answers from one table. */
export interface PlainReads {
  /**
   * The whole answer; `null` where the body holds anything but plain reads, or one of them cannot be answered at once.
   * The bytes are valid until the next call. `at` says which versions of this table the tags stand for; it needs no pin: what
   * is reclaimed meanwhile cannot be answered.
   */
  answer(body: ArrayBuffer | Uint8Array, at: TagVersions): Uint8Array | null;
  /** Calls of the last body that was answered, by their places in FAST_METHODS. */
  readonly counts: ArrayLike<number>;
}

/** Opens a table for plain reads; `null` where none are answered here. */
export type OpenPlainReads = (buffer: SharedArrayBuffer) => PlainReads | null;

/** What serves plain reads, and why, for the log. */
export interface PlainReadsSupport {
  readonly open: OpenPlainReads;
  readonly reason: string;
}

/** What the addon has to take the table to be. */
const LAYOUT: Readonly<Record<string, number>> = {
  layoutVersion: LAYOUT_VERSION,
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
  hashKeyWords: HASH_KEY_WORDS,
};

/** Where no plain reads are answered by themselves: the service answers all of them. */
export const NO_PLAIN_READS: OpenPlainReads = () => null;

/** The addon where it can be loaded. `callsMax`: calls in one batch. */
export function loadPlainReads(callsMax: number): PlainReadsSupport {
  const { part, reason } = nativePart('reads');
  if (part === null) return { open: NO_PLAIN_READS, reason: `as all other calls: ${reason}` };
  try {
    return { open: plainReadsOf(part, callsMax), reason: 'addon' };
  } catch (error) {
    return { open: NO_PLAIN_READS, reason: `as all other calls: ${(error as Error).message}` };
  }
}

/** Throws where the addon was built for a table of another form. All tables share the memory for answers. */
export function plainReadsOf(addon: ReadsPart, callsMax: number): OpenPlainReads {
  const found = addon.layout();
  const different = Object.keys(LAYOUT).find((name) => found[name] !== LAYOUT[name]);
  if (different !== undefined) throw new Error(`it was built for another table: ${different}`);
  const out = new Uint8Array(LIMITS.plainAnswerBytesMax);
  const counts = new Uint32Array(FAST_METHODS.length);
  return (buffer) => {
    const table = openTable(buffer);
    const answer = addon.create(table.words, out, counts, geometryOf(table), callsMax);
    return new AddonReads(answer, out, counts);
  };
}

/** Answers to single calls are no longer: their views are kept, which saves 60 ns a call. */
const SHORT_BYTES_MAX = 160;

class AddonReads implements PlainReads {
  readonly counts: Uint32Array;
  readonly #answer: NativeAnswer;
  readonly #out: Uint8Array;
  readonly #short: (Uint8Array | undefined)[] = [];

  constructor(answer: NativeAnswer, out: Uint8Array, counts: Uint32Array) {
    this.#answer = answer;
    this.#out = out;
    this.counts = counts;
  }

  answer(body: ArrayBuffer | Uint8Array, { version, record }: TagVersions): Uint8Array | null {
    const bytes = this.#answer(body, version, record.latestVersion);
    return bytes === 0 ? null : this.#view(bytes);
  }

  #view(bytes: number): Uint8Array {
    if (bytes > SHORT_BYTES_MAX) return this.#out.subarray(0, bytes);
    return (this.#short[bytes] ??= this.#out.subarray(0, bytes));
  }
}

/** The words of `Geometry` in table.h. */
function geometryOf({ regions, accountMask, slotMask, olderMask, isComplete, hashKey }: Table): Uint32Array {
  const entries = [regions.accounts, accountMask, regions.slots, slotMask, regions.older, olderMask];
  return Uint32Array.from([...entries, isComplete ? 1 : 0, LIMITS.tableProbesMax, ...hashKey]);
}
