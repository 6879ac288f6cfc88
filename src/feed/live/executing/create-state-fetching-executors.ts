// Creates the executors for one live chain, whose blocks may be executed concurrently.
import { TransactionExecutor, type TransactionExecutorDeps } from '../../../execution/block/transaction-executor.js';
import { NO_STATE } from '../../../state/views/state-view.js';
import type { ChainRules } from '../../../evm/reference/fork-rules.js';
import { StateFetchingExecutor, type StateFetchingExecutorDeps } from './state-fetching-executor.js';

interface StateFetchingExecutors {
  /**
   * Creates an executor of blocks. All executors share one transaction executor for dry runs, because only one of them
   * makes dry runs at a time.
   */
  readonly next: () => StateFetchingExecutor;
  /**
   * The transaction executor that all block executors share for dry runs. Between dry runs, blocks are applied as diffs
   * with it.
   */
  readonly plain: TransactionExecutor;
}

export function createStateFetchingExecutors(
  rules: ChainRules,
  how: TransactionExecutorDeps | undefined,
  deps: Omit<StateFetchingExecutorDeps, 'ahead'>,
): StateFetchingExecutors {
  const ahead = new TransactionExecutor(rules, NO_STATE, how);
  const next = (): StateFetchingExecutor =>
    new StateFetchingExecutor(new TransactionExecutor(rules, NO_STATE, how), { ...deps, ahead });
  return { next, plain: ahead };
}
