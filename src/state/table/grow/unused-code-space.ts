// Tracks how much space codes take in an incomplete table. Decides when the table should be copied to drop codes that
// no account uses any more.
import type { EntryLayout } from '../write/entry-writer.js';
import { TABLE_HEADER, type Capacities } from '../layout/table-layout.js';
import { REGION_HIGH } from './capacity.js';
import type { Table } from '../layout/table.js';

/** Number of codes in a table, and of the words that their bytes take. */
export type CodeUse = Pick<Capacities, 'codes' | 'codeWords'>;

const CODE_REGIONS = ['codes', 'codeWords'] as const;
/**
 * If codes take more than REGION_HIGH of a code region, and those added since the last copy of the table take more than
 * this share of it, the table is copied to drop unused codes, provided that memory allows.
 */
const CODES_ADDED = 1 / 16;
/** If codes still take more than REGION_HIGH after a copy, accounts are evicted until codes take about this share. */
const CODES_WANTED = 0.6;

/**
 * Tracks the space for codes. Codes are only ever added to a table; unused ones are dropped only when the table is
 * copied.
 */
export class CodeSpace {
  #before: CodeUse;
  /**
   * Number of accounts to which eviction reduces the table. With fewer accounts, fewer codes are in use, so that the
   * next copy of the table has more space for new codes.
   */
  #accountsMax = Infinity;
  /** Number of evictions up to the last copy of the table. */
  #evictionsBefore = 0;

  constructor(table: Table) {
    this.#before = codesInUse(table);
  }

  /** Returns to how many entries of a kind eviction should reduce the table, to get space for new codes. */
  mostOf({ name }: EntryLayout): number {
    return name === 'accounts' ? this.#accountsMax : Infinity;
  }

  /** Records how much space codes take now in a table with this many accounts. */
  note(table: Table, accounts: number): void {
    const used = codesInUse(table);
    const share = Math.max(...CODE_REGIONS.map((name) => used[name] / table.capacities[name]));
    this.#before = used;
    this.#accountsMax = share > REGION_HIGH ? Math.floor((accounts * CODES_WANTED) / share) : Infinity;
  }

  /** Records how much space codes take after the table was copied, and how many entries had been evicted by then. */
  copied(table: Table, accounts: number, evictions: number): void {
    this.#evictionsBefore = evictions;
    this.note(table, accounts);
  }

  /**
   * Returns true if codes have grown so much since the last `note` that a copy which drops unused ones is worth it. The
   * codes of a complete table are never dropped.
   */
  isDue(table: Table): boolean {
    const used = codesInUse(table);
    const isFilling = CODE_REGIONS.some((name) => {
      const buckets = table.capacities[name];
      return used[name] > buckets * REGION_HIGH && used[name] - this.#before[name] > buckets * CODES_ADDED;
    });
    return isFilling && !table.isComplete;
  }

  /**
   * Returns true if there is no space for the codes in `wanted`, but a copy of the table may drop unused ones.
   * `evictions` is the number of entries evicted so far.
   */
  canLeave({ capacities, isComplete, words }: Table, wanted: CodeUse, evictions: number): boolean {
    const isShort = wanted.codes > capacities.codes || wanted.codeWords > capacities.codeWords;
    const isNew = words[TABLE_HEADER.codes]! > this.#before.codes;
    return !isComplete && isShort && (isNew || evictions !== this.#evictionsBefore);
  }
}

/** Returns how much of a table's code regions is in use. */
export function codesInUse({ words }: Table): CodeUse {
  return { codes: words[TABLE_HEADER.codes]!, codeWords: words[TABLE_HEADER.codeWords]! };
}
