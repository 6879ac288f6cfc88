// Creates executors for the blocks of one live chain, which may be executed concurrently.
import { TransactionExecutor, type TransactionExecutorDeps } from '../../../execution/block/transaction-executor.js';
import { NO_STATE } from '../../../state/views/state-view.js';
import type { ChainRules } from '../../../evm/reference/fork-rules.js';
import { LiveExecutor, type LiveExecutorDeps } from './live-executor.js';

interface LiveExecutors {
  /** Makes an executor. All share one transaction executor for looking ahead, which only one of them does at a time. */
  readonly next: () => LiveExecutor;
  /** The executor for looking ahead, which blocks that are applied as diffs use in between. */
  readonly plain: TransactionExecutor;
}

export function createLiveExecutors(
  rules: ChainRules,
  how: TransactionExecutorDeps | undefined,
  deps: Omit<LiveExecutorDeps, 'ahead'>,
): LiveExecutors {
  const ahead = new TransactionExecutor(rules, NO_STATE, how);
  const next = (): LiveExecutor => new LiveExecutor(new TransactionExecutor(rules, NO_STATE, how), { ...deps, ahead });
  return { next, plain: ahead };
}
