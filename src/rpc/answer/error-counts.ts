// Counts the errors with which calls end, by error name.
import type { ErrorName } from '../../rpc-errors.js';
import { type RpcCallOutcome, isError } from './call-result.js';

export class ErrorCounts {
  readonly #counts = new Map<ErrorName, number>();

  get all(): ReadonlyMap<ErrorName, number> {
    return this.#counts;
  }

  add(error: ErrorName): void {
    this.#counts.set(error, (this.#counts.get(error) ?? 0) + 1);
  }

  /** Counts the error of a call, if it has one. */
  note(result: RpcCallOutcome): void {
    if (isError(result)) this.add(result.error);
  }
}
