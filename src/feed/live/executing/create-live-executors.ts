// Creates the executors for one live chain, whose blocks may be executed concurrently.
import { TransactionExecutor, type TransactionExecutorDeps } from '../../../execution/block/transaction-executor.js';
import { NO_STATE } from '../../../state/views/state-view.js';
import type { ChainRules } from '../../../evm/reference/fork-rules.js';
import { LiveExecutor, type LiveExecutorDeps } from './live-executor.js';

interface LiveExecutors {
  /**
   * Creates an executor of blocks. All executors share one transaction executor for dry runs, because only one of them
   * makes dry runs at a time.
   */
  readonly next: () => LiveExecutor;
  /**
   * The transaction executor that all block executors share for dry runs. Between dry runs, blocks are applied as diffs
   * with it.
   */
  readonly plain: TransactionExecutor;
}

export function createLiveExecutors(
  rules: ChainRules,
  how: TransactionExecutorDeps,
  deps: Omit<LiveExecutorDeps, 'ahead'>,
): LiveExecutors {
  const ahead = new TransactionExecutor(rules, NO_STATE, how);
  const next = (): LiveExecutor => new LiveExecutor(new TransactionExecutor(rules, NO_STATE, how), { ...deps, ahead });
  return { next, plain: ahead };
}
