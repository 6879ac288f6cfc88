// Copies contract code when a table is copied. From a complete table, all codes are copied, and keep their ids. From an
// incomplete table, a code is copied together with the first account that refers to it, and gets a new id.
import { appendCode, codeBytes, codeHash, codeSizeWords } from '../layout/codes.js';
import { ACCOUNT_PAYLOAD, TABLE_HEADER, OLDER_VALUE_RECORD } from '../layout/table-layout.js';
import type { Table } from '../layout/table.js';

/**
 * Copies codes from one table to another. The cost of copying a code is its size divided by that of an older-value
 * record (64 bytes), rounded up: copying one such record is a unit of work.
 */
export class CodeCopy {
  readonly #source: Table;
  readonly #target: Table;
  /** The id of the next code to be copied from a complete table. */
  #next = 1;
  /** For an incomplete table, the new id of each copied code by its old id. */
  readonly #ids = new Map<number, number>();

  constructor(source: Table, target: Table) {
    this.#source = source;
    this.#target = target;
  }

  /** Number of codes that are still to be copied from a complete table. */
  get left(): number {
    return this.#source.isComplete ? this.#source.words[TABLE_HEADER.codes]! - this.#next + 1 : 0;
  }

  /** Copies the next code of a complete table. Returns the cost of copying it, in units of work (see the class). */
  copyNext(): number {
    const id = this.#next++;
    this.#copy(id);
    return this.#bucketsOf(id);
  }

  /**
   * Makes an account's payload, at word `payload`, refer to its code in the new table, and copies the code if
   * necessary. Returns the cost of copying.
   */
  renumber(words: Int32Array, payload: number): number {
    const id = words[payload + ACCOUNT_PAYLOAD.code]!;
    if (id <= 0 || this.#source.isComplete) return 0;
    const known = this.#ids.get(id);
    const copied = known ?? this.#copy(id);
    words[payload + ACCOUNT_PAYLOAD.code] = copied;
    if (known !== undefined) return 0;
    this.#ids.set(id, copied);
    return this.#bucketsOf(id);
  }

  #copy(id: number): number {
    return appendCode(this.#target, codeHash(this.#source, id), codeBytes(this.#source, id));
  }

  #bucketsOf(id: number): number {
    return Math.ceil(codeSizeWords(codeBytes(this.#source, id)) / OLDER_VALUE_RECORD.words);
  }
}
