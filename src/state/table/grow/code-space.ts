// Space for codes in an incomplete table: tracks how much they use, and when a copy is due that drops unused ones.
import type { EntryKind } from '../write/entry-writer.js';
import { HEADER } from '../layout/layout.js';
import { accountsForCodes, areCodesDue, codeUseOf, type CodeUse } from './capacity.js';
import type { Table } from '../layout/table.js';

/** Codes only ever fill their regions; only a copy drops some. */
export class CodeSpace {
  #before: CodeUse;
  /** Accounts that may stay so that codes of others have space. */
  #accountsMax = Infinity;
  /** Evictions up to the last copy. */
  #evictionsBefore = 0;

  constructor(table: Table) {
    this.#before = codeUseOf(table);
  }

  /** Entries of a kind that may stay so that codes have space. */
  mostOf({ name }: EntryKind): number {
    return name === 'accounts' ? this.#accountsMax : Infinity;
  }

  /** Records the use by codes of a table with so many accounts. */
  note(table: Table, accounts: number): void {
    this.#before = codeUseOf(table);
    this.#accountsMax = accountsForCodes(table, accounts, this.#before);
  }

  /** Records the use by codes after a copy, and how many entries had been evicted by then. */
  copied(table: Table, accounts: number, evictions: number): void {
    this.#evictionsBefore = evictions;
    this.note(table, accounts);
  }

  /** True if codes have grown so much since the last record that a copy is worth it. */
  isDue(table: Table): boolean {
    return !table.isComplete && areCodesDue(table, this.#before);
  }

  /**
   * True if there is no space for the codes `wanted`, and a copy may drop some. `evictions`: entries evicted so far.
   */
  canLeave({ capacities, isComplete, words }: Table, wanted: CodeUse, evictions: number): boolean {
    const isShort = wanted.codes > capacities.codes || wanted.codeWords > capacities.codeWords;
    const isNew = words[HEADER.codes]! > this.#before.codes;
    return !isComplete && isShort && (isNew || evictions !== this.#evictionsBefore);
  }
}
