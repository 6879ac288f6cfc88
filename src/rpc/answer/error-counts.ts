// Counts the errors with which calls end, by error name.
import type { ErrorName } from '../../rpc-errors.js';
import { type RpcCallOutcome, isError } from './call-result.js';

export class ErrorCounts {
  readonly all = new Map<ErrorName, number>();

  add(error: ErrorName): void {
    this.all.set(error, (this.all.get(error) ?? 0) + 1);
  }

  /** Counts the error of a call, if it has one. */
  note(result: RpcCallOutcome): void {
    if (isError(result)) this.add(result.error);
  }
}
