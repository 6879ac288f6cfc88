// Executors of one live chain, for blocks that are executed concurrently.
import { TransactionExecutor, type TransactionExecutorDeps } from '../../../execution/block/transaction-executor.js';
import type { StateView } from '../../../state/views/view.js';
import type { Rules } from '../../../evm/reference/fork-rules.js';
import { LiveExecutor, type LiveExecutorDeps } from './live-executor.js';

/** Executors of one live chain. */
export interface Executors {
  /** Makes one. They share one executor of transactions for looking ahead: only one of them does so at a time. */
  readonly next: () => LiveExecutor;
  /** The one for looking ahead, used by blocks that are applied as diffs meanwhile. */
  readonly plain: TransactionExecutor;
}

/** Those of the chain with these rules. */
export function liveExecutors(
  rules: Rules,
  how: TransactionExecutorDeps | undefined,
  deps: Omit<LiveExecutorDeps, 'ahead'>,
): Executors {
  const ahead = new TransactionExecutor(rules, NOWHERE, how);
  const next = (): LiveExecutor => new LiveExecutor(new TransactionExecutor(rules, NOWHERE, how), { ...deps, ahead });
  return { next, plain: ahead };
}

/** Used between blocks. */
const NOWHERE: StateView = {
  account: () => null,
  code: () => new Uint8Array(0),
  storage: () => new Uint8Array(32),
  blockHash: () => null,
};
