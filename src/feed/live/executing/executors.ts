// Executors of one live chain, for blocks that are worked at beside each other. Runs on the publisher.
import { TransactionExecutor, type TransactionExecutorParts } from '../../../execution/block/transaction-executor.js';
import type { StateView } from '../../../state/views/view.js';
import type { Rules } from '../../../evm/reference/fork-rules.js';
import { LiveExecutor, type LiveExecutorParts } from './live-executor.js';

/** Answers a function that makes one. They look ahead on one executor of transactions: only one of them does so at a time. */
export function liveExecutors(
  rules: Rules,
  how: TransactionExecutorParts | undefined,
  parts: Omit<LiveExecutorParts, 'ahead'>,
): () => LiveExecutor {
  const ahead = new TransactionExecutor(rules, NOWHERE, how);
  return () => new LiveExecutor(new TransactionExecutor(rules, NOWHERE, how), { ...parts, ahead });
}

/** Looked at between blocks. */
const NOWHERE: StateView = {
  account: () => null,
  code: () => new Uint8Array(0),
  storage: () => new Uint8Array(32),
  blockHash: () => null,
};
