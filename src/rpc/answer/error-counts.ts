// Counts the errors that calls are answered with. Runs on main.
import type { ErrorName } from '../../errors.js';
import { type CallResult, isError } from './call-result.js';

/** Counts of errors by their names in the error table. */
export class ErrorCounts {
  readonly #counts = new Map<ErrorName, number>();

  /** Errors that were ever answered. */
  get all(): ReadonlyMap<ErrorName, number> {
    return this.#counts;
  }

  /** A call is answered with this error. */
  add(error: ErrorName): void {
    this.#counts.set(error, (this.#counts.get(error) ?? 0) + 1);
  }

  /** A call has ended so. */
  note(result: CallResult): void {
    if (isError(result)) this.add(result.error);
  }
}
