// Computes all changes of a block from the writes of its transactions.
import { BlockExecutor, type BlockPlan } from '../../execution/block/block-executor.js';
import type { TransactionExecutor } from '../../execution/block/transaction-executor.js';
import { JournaledState } from '../../evm/journal/journaled-state.js';
import type { StateChanges } from '../../state/state-diff.js';
import type { StateView } from '../../state/views/state-view.js';
import type { BlockWrites } from './block-writes.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

/**
 * Computes a block's changes from a trace. The tracer shows only transactions, so the system calls before and after
 * them are executed here (EIP-4788, 2935, 7002, 7251), and withdrawals are credited. `view` is the state after the
 * parent block. Rejects with InvalidBlockError, or with StateMiss if `view` lacks state. After a StateMiss the call can
 * be repeated. `queues` are system contracts of a fork that is unknown to us: 20-byte addresses that the node reports
 * by eth_config (EIP-7910). They are called with empty input at the end of the block, in addition to those of the known
 * forks.
 */
export async function blockChangesFromTrace(
  plan: BlockPlan,
  writes: BlockWrites,
  queues: readonly Uint8Array[],
  { executor, view }: { readonly executor: TransactionExecutor; readonly view: StateView },
): Promise<StateChanges> {
  const blockExecutor = await BlockExecutor.open(plan, { executor, view, trie: null });
  writes.applyTo(executor.state);
  // Such calls process queues of requests, as those of EIP-7002 and EIP-7251 do. A contract does not change if it has
  // no queued requests and no excess from earlier blocks, or if its call fails.
  for (const queue of queues) await executor.call(queue, EMPTY_BYTES);
  const { changes } = await blockExecutor.seal();
  return changes;
}

/** Computes a block's changes from its access list, which shows all of them. Throws StateMiss if `view` lacks state. */
export function blockChangesFromAccessList(writes: BlockWrites, view: StateView): StateChanges {
  const state = new JournaledState(view);
  writes.applyTo(state);
  return state.changes();
}
