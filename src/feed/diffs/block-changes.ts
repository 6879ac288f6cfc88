// Computes all changes of a block from the writes of its transactions.
import { BlockExecutor, type BlockPlan } from '../../execution/block/block-executor.js';
import type { TransactionExecutor } from '../../execution/block/transaction-executor.js';
import { JournaledState } from '../../evm/journal/journaled-state.js';
import { ChangeSet } from '../../state/merge-state-changes.js';
import type { StateChanges } from '../../state/state-diff.js';
import type { StateView } from '../../state/views/state-view.js';
import type { BlockWrites } from './block-writes.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

/** A block with the writes of its transactions. */
interface BlockWithWrites {
  readonly plan: BlockPlan;
  readonly writes: BlockWrites;
  /**
   * Addresses of system contracts that the block calls with empty input at its end, in addition to those of its known
   * rules. They belong to an unknown fork; the node names them (EIP-7910).
   */
  readonly queues: readonly Uint8Array[];
}

/** Dependencies for applying a block that has no access list. */
interface BlockChangesDeps {
  readonly executor: TransactionExecutor;
  /** The state after the parent block. */
  readonly view: StateView;
}

/**
 * Computes a block's changes from a trace. The tracer shows only transactions, so the system calls before and after
 * them are executed here (EIP-4788, 2935, 7002, 7251), and withdrawals are credited. Rejects with InvalidBlockError; or
 * with StateMiss if the view misses state, and can then be retried.
 */
export async function blockChangesFromTrace(
  { plan, writes, queues }: BlockWithWrites,
  deps: BlockChangesDeps,
): Promise<StateChanges> {
  const { executor, view } = deps;
  const blockExecutor = await BlockExecutor.open(plan, { executor, view, trie: null });
  writes.applyTo(executor.state);
  // These calls process request queues (EIP-7002, EIP-7251). A contract is left unchanged if it has neither requests
  // nor an excess of earlier ones, or if its call fails.
  for (const queue of queues) await executor.call(queue, EMPTY_BYTES);
  const { changes } = await blockExecutor.seal();
  return changes;
}

/** Computes a block's changes from its access list, which is complete. Throws StateMiss if the view misses state. */
export function blockChangesFromAccessList(writes: BlockWrites, view: StateView): StateChanges {
  const state = new JournaledState(view);
  writes.applyTo(state);
  return state.changes();
}

/** Replaces each unverified value in `changes` by the value that was read from the node after the block. */
export function correctUnverified(changes: StateChanges, read: StateChanges): StateChanges {
  const all = new ChangeSet();
  all.add(changes);
  all.add(read);
  return all.all();
}
