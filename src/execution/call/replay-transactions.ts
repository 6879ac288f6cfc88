// Executes the first transactions of a block again, for calls that start in the middle of the block.

// eth_callMany may start after any transaction of a block. See DECISIONS.md.
import { decodeHeader, blockEnvOfHeader } from '../../chain/block/header.js';
import { failureOutcome, type JobOutcome, type BlockReplay } from '../../transaction/evm-job.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import { decodeBlockTransaction, type SignedOrDepositTransaction } from '../../transaction/signed-transaction.js';
import { BlockExecutor, InvalidBlockError } from '../block/block-executor.js';
import { TransactionExecutor } from '../block/transaction-executor.js';
import { DeadlineError } from '../deadline-error.js';
import { isDeadlinePast, type CallSequenceBase } from './call-environment.js';

/** Observes the transactions of a replay while they are executed. */
export interface ReplayObserver {
  /** Called when a transaction starts, before it has changed the state. */
  begins?(transaction: SignedOrDepositTransaction, index: number, block: BlockExecutor): void;
  /** Called when a transaction has ended and its fees are paid. */
  ended(transaction: ExecutedTransaction): void;
}

/**
 * Replays transactions on the state of `parent`. Returns the state after them and the block's environment, for calls
 * within the block.
 */
export async function replayTransactions(
  replay: BlockReplay,
  parent: CallSequenceBase,
  watch?: ReplayObserver,
): Promise<CallSequenceBase | JobOutcome> {
  const header = decodeHeader(replay.header);
  const { parentHash, extraData } = header;
  const env = blockEnvOfHeader(header);
  const { common } = parent.rules.at(env.number, env.timestamp);
  if (!common.gteHardfork('london')) return failureOutcome('blocks are executed again from London on');
  const executor = createTransactionExecutorForCalls(parent);
  const plan = { env, parentHash, extraData, withdrawals: null, work: null };
  try {
    const block = await BlockExecutor.open(plan, { executor, view: parent.view, trie: null });
    const difference = await run(replay, block, parent, watch);
    if (difference !== null)
      return failureOutcome(`block ${env.number} differs when it is executed again: ${difference}`);
    return { ...parent, env, blockHash: executor.blockHash };
  } catch (error) {
    if (error instanceof InvalidBlockError) return failureOutcome(error.message);
    throw error;
  }
}

/** Replays the transactions. Returns how the result differs from the block's own result; `null` if both are equal. */
async function run(
  { transactions, cumulativeGasUsed }: BlockReplay,
  block: BlockExecutor,
  { deadline }: CallSequenceBase,
  watch: ReplayObserver | undefined,
): Promise<string | null> {
  for (const [index, { raw, hash, from }] of transactions.entries()) {
    if (isDeadlinePast(deadline)) throw new DeadlineError('the replay was broken off');
    const transaction = decodeBlockTransaction(raw, block.rules, { hash, address: from });
    if (typeof transaction === 'string') return transaction;
    watch?.begins?.(transaction, index, block);
    const applied = await block.apply(transaction);
    if (applied.kind === 'refused') return applied.message;
    watch?.ended(applied.transaction);
  }
  const { gasPaid } = block;
  return gasPaid === cumulativeGasUsed ? null : `${gasPaid} gas is used instead of ${cumulativeGasUsed}`;
}

/** Makes a transaction executor on the state, engines and deadline of the job's calls. */
export function createTransactionExecutorForCalls({
  rules,
  view,
  state,
  engines,
  deadline,
}: CallSequenceBase): TransactionExecutor {
  const executor = new TransactionExecutor(rules, view, { shared: { state, engines } });
  executor.deadline = deadline;
  return executor;
}
