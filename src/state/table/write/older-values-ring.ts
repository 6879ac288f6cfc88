// The ring of older values, in the order in which they were superseded, so that reclaiming only moves the tail.
//
// A record of the ring may be overwritten while a reader without a pin still reads it. The reader notices by
// `reclaimed`, which was raised before, so a record is written with ordered stores after that (seqlock.ts).
import { copyIn } from '../../seqlock.js';
import { ACCOUNT, ENTRY, HEADER, OLDER, ORDINAL_MASK, PAYLOAD_WORDS } from '../layout/layout.js';
import { nextOrdinal, type Table } from '../layout/table.js';

/** The writer's side of the ring. Its head is stored in the header with each publication, its tail when it moves. */
export class OlderValuesRing {
  readonly #table: Table;
  #head: number;
  #tail: number;
  /** The record that is being built, outside of shared memory. */
  readonly #record = new Int32Array(OLDER.words);

  constructor(table: Table) {
    this.#table = table;
    this.#head = table.words[HEADER.olderHead]!;
    this.#tail = table.words[HEADER.olderTail]!;
  }

  /** Records that can be added without reclaiming. One place stays empty, one ordinal is never used. */
  get free(): number {
    return this.#table.olderMask - 1 - this.used;
  }

  /** Records in use. */
  get used(): number {
    return (this.#head - this.#tail) & ORDINAL_MASK;
  }

  /** Appends the current value of `entry`, which `version` supersedes, and returns its ordinal. */
  push(entry: number, payload: number, version: number): number {
    const { words, regions, olderMask } = this.#table;
    const ordinal = this.#head;
    const record = this.#record;
    record[OLDER.version] = words[entry + ENTRY.version]!;
    record[OLDER.link] = words[entry + ENTRY.link]! & ORDINAL_MASK;
    record[OLDER.supersededBy] = version;
    record[OLDER.account] = payload === ACCOUNT.payload ? 1 : 0;
    for (let i = 0; i < PAYLOAD_WORDS; i++) record[OLDER.payload + i] = words[entry + payload + i]!;
    this.#addJump();
    copyIn(words, regions.older + (ordinal & olderMask) * OLDER.words, record, OLDER.words);
    this.#head = nextOrdinal(ordinal);
    return ordinal;
  }

  /** Adds a jump. It spans the next two jumps if they are equally long, otherwise only the next record. */
  #addJump(): void {
    const { words } = this.#table;
    const record = this.#record;
    const link = record[OLDER.link]!;
    const next = this.#recordOf(link);
    const second = next === 0 ? 0 : this.#recordOf(words[next + OLDER.jump]!);
    const isEven = second !== 0 && words[second + OLDER.span] === words[next + OLDER.span];
    record[OLDER.jump] = isEven ? words[second + OLDER.jump]! : next === 0 ? 0 : link;
    record[OLDER.jumpVersion] = isEven ? words[second + OLDER.jumpVersion]! : next === 0 ? 0 : words[next]!;
    record[OLDER.span] = isEven ? 2 * words[next + OLDER.span]! + 1 : next === 0 ? 0 : 1;
  }

  /** First word of a record; 0 if there is none or it was reclaimed. */
  #recordOf(ordinal: number): number {
    const isThere = ordinal !== 0 && ((ordinal - this.#tail) & ORDINAL_MASK) <= this.#table.olderMask;
    return isThere ? this.#table.regions.older + (ordinal & this.#table.olderMask) * OLDER.words : 0;
  }

  /** Frees every record that no version from `least` on needs. Readers are notified before a record is overwritten. */
  reclaim(least: number): void {
    const { words, regions, olderMask } = this.#table;
    let reclaimed = 0;
    while (this.#tail !== this.#head) {
      const supersededBy = words[regions.older + (this.#tail & olderMask) * OLDER.words + OLDER.supersededBy]!;
      if (supersededBy > least) break;
      reclaimed = supersededBy;
      this.#tail = nextOrdinal(this.#tail);
    }
    words[HEADER.olderTail] = this.#tail;
    if (reclaimed > words[HEADER.reclaimed]!) Atomics.store(words, HEADER.reclaimed, reclaimed);
  }

  /** Makes everything that was pushed part of the version that is about to be published. */
  commit(): void {
    this.#table.words[HEADER.olderHead] = this.#head;
  }
}
