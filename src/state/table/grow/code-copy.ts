// Copies the codes when a table is copied. From a complete table, all are copied with their ids. From an incomplete
// one, each is copied with the first account that refers to it, under a new id.
import { appendCode, codeBytes, codeHash, codeSizeWords } from '../layout/codes.js';
import { ACCOUNT_PAYLOAD, TABLE_HEADER, OLDER_VALUE_RECORD } from '../layout/layout.js';
import type { Table } from '../layout/table.js';

/** Copies codes from one table to another. The size of a code is counted in units of one older record. */
export class CodeCopy {
  readonly #source: Table;
  readonly #target: Table;
  /** For a complete source, the id of the next code. */
  #next = 1;
  /** For an incomplete source, the ids of codes in the target by those in the source. */
  readonly #ids = new Map<number, number>();

  constructor(source: Table, target: Table) {
    this.#source = source;
    this.#target = target;
  }

  /** Codes of a complete source that have not been copied yet. */
  get left(): number {
    return this.#source.isComplete ? this.#source.words[TABLE_HEADER.codes]! - this.#next + 1 : 0;
  }

  /** Copies the next code; returns its size in units. */
  copyNext(): number {
    const id = this.#next++;
    this.#copy(id);
    return this.#bucketsOf(id);
  }

  /** Makes the payload at word `payload` refer to its code in the target. Returns the units copied. */
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
