// Room for codes in an incomplete table: what they took when they were looked at last, and when a copy is due that leaves
// behind those out of use. Runs on the publisher.
import type { EntryKind } from '../write/entry-writer.js';
import { HEADER } from '../layout/layout.js';
import { accountsForCodes, areCodesDue, codeUseOf, type CodeUse } from './room.js';
import type { Table } from '../layout/table.js';

/** Codes only ever fill their regions; a copy alone leaves some behind. */
export class CodeRoom {
  #before: CodeUse;
  /** Accounts that may be there so that codes of others find room. */
  #accountsMax = Infinity;
  /** Entries that had been given up at the last copy. */
  #evictionsBefore = 0;

  constructor(table: Table) {
    this.#before = codeUseOf(table);
  }

  /** Entries of a kind that may be there so that codes find room. */
  mostOf({ name }: EntryKind): number {
    return name === 'accounts' ? this.#accountsMax : Infinity;
  }

  /** Looks at the codes of a table with so many accounts. */
  note(table: Table, accounts: number): void {
    this.#before = codeUseOf(table);
    this.#accountsMax = accountsForCodes(table, accounts, this.#before);
  }

  /** Looks at the codes of a copy, at which so many entries had been given up. */
  copied(table: Table, accounts: number, evictions: number): void {
    this.#evictionsBefore = evictions;
    this.note(table, accounts);
  }

  /** True if codes have filled so much since they were looked at that a copy is worth it. */
  isDue(table: Table): boolean {
    return !table.isComplete && areCodesDue(table, this.#before);
  }

  /** True if codes lack room for `wanted`, and a copy may leave some behind. `evictions`: entries given up so far. */
  canLeave({ capacities, isComplete, words }: Table, wanted: CodeUse, evictions: number): boolean {
    const isShort = wanted.codes > capacities.codes || wanted.codeWords > capacities.codeWords;
    const isNew = words[HEADER.codes]! > this.#before.codes;
    return !isComplete && isShort && (isNew || evictions !== this.#evictionsBefore);
  }
}
