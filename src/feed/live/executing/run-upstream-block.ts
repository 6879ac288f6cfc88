// Executes a block of the node on state that may be incomplete, and compares the result with the block's header.
import { blockPlanOf, messageOfInvalidBlockError, type SealedBlock } from '../../../execution/block/block-executor.js';
import { decodeHeader, type Header } from '../../../chain/block/header.js';
import { headerMismatchWithoutStateRoot } from '../../../execution/block/header-validation.js';
import type { ChainRules } from '../../../evm/reference/fork-rules.js';
import type { ExecutedTransaction } from '../../../state/complete-block.js';
import type { StateChanges } from '../../../state/state-diff.js';
import type { StateView } from '../../../state/views/state-view.js';
import { NonEvmCodeError } from '../../../evm/non-evm-code-error.js';
import type { Upstream, UpstreamBlock } from '../../../upstream/upstream.js';
import type { NotAppliedReason } from '../../diffs/choose-execution-or-diff.js';
import { TransactionDecoding } from './transaction-decoding.js';
import { findReceiptMismatch } from './find-receipt-mismatch.js';
import type { ExecutionTimeLimiter } from './execution-time-limiter.js';
import type { StateFetchingExecutor } from './state-fetching-executor.js';
import type { TransactionSenders } from './transaction-senders.js';

/** The result of executing a block. */
export type BlockRunResult =
  | {
      readonly kind: 'fits';
      readonly changes: StateChanges;
      readonly transactions: readonly ExecutedTransaction[];
      /** RLP of the block's access list (EIP-7928), if it has one. */
      readonly accessList: Uint8Array | undefined;
    }
  | NotAppliedReason;

export interface BlockRunDeps {
  readonly executor: StateFetchingExecutor;
  readonly rules: ChainRules;
  readonly senders: TransactionSenders;
  readonly time: ExecutionTimeLimiter;
  readonly upstream: Pick<Upstream, 'request'>;
}

/** Executes `block` on `view`, the state after its parent. Rejects with UpstreamError. */
export async function runUpstreamBlock(
  block: UpstreamBlock,
  view: StateView,
  deps: BlockRunDeps,
): Promise<BlockRunResult> {
  return run(block, view, deps).catch((error: unknown): BlockRunResult => {
    return error instanceof NonEvmCodeError
      ? { kind: 'foreign', reason: error.message }
      : mismatch(messageOfInvalidBlockError(error));
  });
}

async function run(block: UpstreamBlock, view: StateView, deps: BlockRunDeps): Promise<BlockRunResult> {
  const { executor, rules, senders, time } = deps;
  const header = decodeHeader(block.header);
  const fork = rules.at(header.number, header.timestamp);
  senders.expectBlock(block.transactions);
  const raws = block.transactions.map(({ raw }) => raw);
  const decoding = new TransactionDecoding(raws, { senders, rules: fork, time });
  const work = await executor.open(blockPlanOf(header, block, fork), view, decoding);
  const applied = await executor.apply(work, decoding);
  const sealed = typeof applied === 'string' ? applied : await executor.seal(work);
  const untrue = senders.firstUntrue(block.transactions, !fork.common.gteHardfork('homestead'));
  if (untrue >= 0) return mismatch(`transaction ${untrue}: its sender is not the one that the node tells`);
  if (typeof sealed === 'string') return mismatch(sealed);
  const reason = headerMismatchWithoutStateRoot(sealed.header, header, fork);
  if (reason !== null) return mismatch(reason + (await firstMismatchText(block, header, sealed, deps)));
  await executor.fetchChanged(sealed.changes);
  const { transactions, accessList } = sealed.block;
  return { kind: 'fits', changes: sealed.changes, transactions, accessList };
}

/** Returns a text that names the first transaction whose receipt differs; empty if none is found. */
async function firstMismatchText(
  block: UpstreamBlock,
  { receiptsRoot }: Header,
  { block: { transactions } }: SealedBlock,
  { upstream }: BlockRunDeps,
): Promise<string> {
  if (transactions.length === 0) return '';
  const found = await findReceiptMismatch(block, transactions, receiptsRoot, upstream);
  return found === null ? '' : `; ${found}`;
}

function mismatch(reason: string): NotAppliedReason {
  return { kind: 'mismatch', reason };
}
