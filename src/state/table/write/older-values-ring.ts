// A ring of records with older values, which newer state versions have replaced. Records are in the order in which
// their values were replaced, so the oldest ones are freed by moving the tail.
//
// A record may be overwritten while a reader without a pin still reads it. The reader notices this, because `reclaimed`
// in the table's header was raised before. To guarantee this order, records are written with ordered stores
// (seqlock-word-copy.ts).
import { copyToShared } from '../../seqlock-word-copy.js';
import {
  ACCOUNT_ENTRY_LAYOUT,
  ENTRY_FIELDS,
  TABLE_HEADER,
  OLDER_VALUE_RECORD,
  RECORD_ORDINAL_MASK,
  PAYLOAD_WORDS,
} from '../layout/table-layout.js';
import { nextOrdinal, olderValueAt, type Table } from '../layout/table.js';

/**
 * The writer's access to the ring. The ring's head is stored in the table's header with each publication, its tail
 * whenever it moves.
 */
export class OlderValuesRing {
  readonly #table: Table;
  #head: number;
  #tail: number;
  /** The record that is being prepared, outside of shared memory. */
  readonly #record = new Int32Array(OLDER_VALUE_RECORD.words);

  constructor(table: Table) {
    this.#table = table;
    this.#head = table.words[TABLE_HEADER.olderHead]!;
    this.#tail = table.words[TABLE_HEADER.olderTail]!;
  }

  /**
   * Number of records that can be added before others must be freed. Two less than the size: one position stays empty,
   * and the ordinal 0 is skipped.
   */
  get free(): number {
    return this.#table.olderMask - 1 - this.used;
  }

  /** Number of records in use. */
  get used(): number {
    return (this.#head - this.#tail) & RECORD_ORDINAL_MASK;
  }

  /** Appends the current value of `entry`, which `version` will replace. Returns the record's ordinal. */
  push(entry: number, payload: number, version: number): number {
    const { words } = this.#table;
    const ordinal = this.#head;
    const record = this.#record;
    record[OLDER_VALUE_RECORD.version] = words[entry + ENTRY_FIELDS.version]!;
    record[OLDER_VALUE_RECORD.link] = words[entry + ENTRY_FIELDS.link]! & RECORD_ORDINAL_MASK;
    record[OLDER_VALUE_RECORD.supersededBy] = version;
    record[OLDER_VALUE_RECORD.account] = payload === ACCOUNT_ENTRY_LAYOUT.payload ? 1 : 0;
    for (let i = 0; i < PAYLOAD_WORDS; i++) record[OLDER_VALUE_RECORD.payload + i] = words[entry + payload + i]!;
    this.#addJump();
    copyToShared(words, olderValueAt(this.#table, ordinal), record, OLDER_VALUE_RECORD.words);
    this.#head = nextOrdinal(ordinal);
    return ordinal;
  }

  /**
   * Adds a jump pointer to the record, as in a skew-binary list (Myers 1983). If the jump of the next older record has
   * the same length as the jump from its target, the new jump covers both. Otherwise it leads to the next older record.
   */
  #addJump(): void {
    const { words } = this.#table;
    const record = this.#record;
    const link = record[OLDER_VALUE_RECORD.link]!;
    const next = this.#recordOf(link);
    const second = next === 0 ? 0 : this.#recordOf(words[next + OLDER_VALUE_RECORD.jump]!);
    const isEven = second !== 0 && words[second + OLDER_VALUE_RECORD.span] === words[next + OLDER_VALUE_RECORD.span];
    record[OLDER_VALUE_RECORD.jump] = isEven ? words[second + OLDER_VALUE_RECORD.jump]! : next === 0 ? 0 : link;
    record[OLDER_VALUE_RECORD.jumpVersion] = isEven
      ? words[second + OLDER_VALUE_RECORD.jumpVersion]!
      : next === 0
        ? 0
        : words[next]!;
    record[OLDER_VALUE_RECORD.span] = isEven ? 2 * words[next + OLDER_VALUE_RECORD.span]! + 1 : next === 0 ? 0 : 1;
  }

  /** Returns the first word of a record; 0 if there is none or it was freed. */
  #recordOf(ordinal: number): number {
    const isThere = ordinal !== 0 && ((ordinal - this.#tail) & RECORD_ORDINAL_MASK) <= this.#table.olderMask;
    return isThere ? olderValueAt(this.#table, ordinal) : 0;
  }

  /**
   * Frees all records that no state version from `least` on needs. Raises `reclaimed` in the table's header, by which
   * readers of older state versions notice that values may be missing.
   */
  reclaim(least: number): void {
    const { words } = this.#table;
    let reclaimed = 0;
    while (this.#tail !== this.#head) {
      const supersededBy = words[olderValueAt(this.#table, this.#tail) + OLDER_VALUE_RECORD.supersededBy]!;
      if (supersededBy > least) break;
      reclaimed = supersededBy;
      this.#tail = nextOrdinal(this.#tail);
    }
    words[TABLE_HEADER.olderTail] = this.#tail;
    if (reclaimed > words[TABLE_HEADER.reclaimed]!) Atomics.store(words, TABLE_HEADER.reclaimed, reclaimed);
  }

  /** Called right before a publication: makes the records that were added so far part of the published ring. */
  commit(): void {
    this.#table.words[TABLE_HEADER.olderHead] = this.#head;
  }
}
