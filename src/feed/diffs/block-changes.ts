// Changes of a whole block from the writes of its transactions.
import { BlockExecutor, type BlockPlan } from '../../execution/block/executor.js';
import type { TransactionExecutor } from '../../execution/block/transaction-executor.js';
import { JournaledState } from '../../evm/journal/journaled-state.js';
import { ChangeSet } from '../../state/change-set.js';
import type { StateChanges } from '../../state/diff.js';
import type { StateView } from '../../state/views/view.js';
import type { BlockWrites } from './writes.js';

/** A block whose transactions are known by what they wrote. */
export interface DiffBlock {
  readonly plan: BlockPlan;
  readonly writes: BlockWrites;
  /**
   * System contracts that the block calls with empty input at its end, beyond those of the rules it is executed by:
   * those of an unknown fork, as the node names them (EIP-7910).
   */
  readonly queues: readonly Uint8Array[];
}

/** What applying a block without an access list needs. */
export interface DiffDeps {
  readonly executor: TransactionExecutor;
  /** State after the parent. */
  readonly view: StateView;
}

const NOTHING = new Uint8Array(0);

/**
 * Changes of a block by a tracer, which shows transactions alone: the system calls before and after them are executed
 * here (EIP-4788, 2935, 7002, 7251), and withdrawals are credited. Rejects with InvalidBlock, and with StateMiss if the
 * view misses something: it can be retried.
 */
export async function changesByTrace({ plan, writes, queues }: DiffBlock, deps: DiffDeps): Promise<StateChanges> {
  const { executor, view } = deps;
  const blockExecutor = await BlockExecutor.open(plan, { executor, view, trie: null });
  writes.applyTo(executor.state);
  // Queue contracts that have no excess of requests yet, or fail, are left as they are.
  for (const queue of queues) await executor.call(queue, NOTHING);
  const { changes } = await blockExecutor.seal();
  return changes;
}

/** Changes of a block by its access list, which is complete. Throws StateMiss if the view misses something. */
export function changesByList(writes: BlockWrites, view: StateView): StateChanges {
  const state = new JournaledState(view);
  writes.applyTo(state);
  return state.changes();
}

/** `changes`, with unverified values replaced by those that were read after the block. */
export function corrected(changes: StateChanges, read: StateChanges): StateChanges {
  const all = new ChangeSet();
  all.add(changes);
  all.add(read);
  return all.all();
}
