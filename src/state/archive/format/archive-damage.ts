// Damage in the archive has an error class of its own, so that it is not taken for a bug. Any thread may throw the
// error. The main thread counts damaged records, and reports each of them once.
import { LIMITS } from '../../../limits/index.js';
import { ArchiveError } from './archive-error.js';

/** Thrown for a record whose checksum is wrong or that LMDB cannot reach. The request that needs the record fails. */
export class ArchiveDamage extends ArchiveError {
  constructor(dir: string, what: string) {
    super(`the archive in ${dir} is damaged: ${what}`, 1);
  }
}

/** Counts damaged records, and reports each to `onDamage` once. */
export class DamageReporter {
  readonly #onDamage: (message: string) => void;
  readonly #seen = new Set<string>();
  #count = 0;

  constructor(onDamage: (message: string) => void) {
    this.#onDamage = onDamage;
  }

  /**
   * Number of different damaged records. Only `LIMITS.damagedRecordsReportedMax` records are remembered; every read of
   * any other damaged record is counted.
   */
  get count(): number {
    return this.#count;
  }

  /** Adds the number of damaged records, if there are any, to the `reason` of a status. */
  noted<T extends { readonly reason: string }>(said: T): T {
    return this.#count === 0
      ? said
      : { ...said, reason: `${said.reason}; damaged records of the archive: ${this.#count}` };
  }

  /** Counts the message of an `ArchiveDamage`, and reports it if it is new. */
  add(message: string): void {
    if (this.#seen.has(message)) return;
    this.#count++;
    if (this.#seen.size >= LIMITS.damagedRecordsReportedMax) return;
    this.#seen.add(message);
    this.#onDamage(message);
  }
}
