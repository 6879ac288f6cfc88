// Space for codes in an incomplete table: how much is used, and when a copy should drop unused ones.
import type { EntryKind } from '../write/entry-writer.js';
import { TABLE_HEADER } from '../layout/layout.js';
import { accountsMaxForCodes, isCodeCopyDue, codesInUse, type CodeUse } from './capacity.js';
import type { Table } from '../layout/table.js';

/** Tracks the space for codes. Their regions are only appended to, and only a copy drops codes. */
export class CodeSpace {
  #before: CodeUse;
  /** Number of accounts that may stay, so that there is space for the codes of others. */
  #accountsMax = Infinity;
  /** Number of evictions up to the last copy. */
  #evictionsBefore = 0;

  constructor(table: Table) {
    this.#before = codesInUse(table);
  }

  /** Number of entries of a kind that may stay, so that there is space for codes. */
  mostOf({ name }: EntryKind): number {
    return name === 'accounts' ? this.#accountsMax : Infinity;
  }

  /** Records how much space codes take in a table with this many accounts. */
  note(table: Table, accounts: number): void {
    this.#before = codesInUse(table);
    this.#accountsMax = accountsMaxForCodes(table, accounts, this.#before);
  }

  /** Records how much space codes take after a copy, and how many entries had been evicted by then. */
  copied(table: Table, accounts: number, evictions: number): void {
    this.#evictionsBefore = evictions;
    this.note(table, accounts);
  }

  /** True if codes have grown so much since the last record that a copy is worth it. */
  isDue(table: Table): boolean {
    return !table.isComplete && isCodeCopyDue(table, this.#before);
  }

  /** True if there is no space for codes `wanted`, but a copy may drop some after so many `evictions`. */
  canLeave({ capacities, isComplete, words }: Table, wanted: CodeUse, evictions: number): boolean {
    const isShort = wanted.codes > capacities.codes || wanted.codeWords > capacities.codeWords;
    const isNew = words[TABLE_HEADER.codes]! > this.#before.codes;
    return !isComplete && isShort && (isNew || evictions !== this.#evictionsBefore);
  }
}
