// Determines where calls inside a block start: on the state of the parent block, after the block's transactions that
// are replayed first.
import { encodeHeader } from '../../chain/block/header.js';
import { rpcError, type RpcError } from '../../rpc-errors.js';
import type { Job } from '../../transaction/evm-job.js';
import type { UpstreamBlockRef } from './stored-blocks.js';
import type { ExecutedBlock } from './executed-block-types.js';
import type { ExecutedBlockLookup } from './executed-block-lookup.js';
import { headerSoFar } from './pre-confirmed-header.js';
import type { LocalPosition, ReadView } from './pinned-read-view.js';

/** The state on which a job starts, and the transactions that are replayed on it first. */
type JobStart = Pick<Job, 'position' | 'replay'>;

/**
 * Returns the start of a job that first replays the first `count` transactions of the block at `position`, or all of
 * its transactions. If the block or its parent is not stored, returns a reference to the block for the upstream node,
 * if there is a node.
 */
export function jobStartWithinBlock(
  position: LocalPosition,
  count: number | 'all',
  readView: ReadView,
  executed: ExecutedBlockLookup,
): JobStart | UpstreamBlockRef | RpcError {
  const { block } = position;
  const contents = contentsOf(block, readView, executed);
  if (contents === null) return elsewhere(block, readView);
  const { header, transactions } = contents;
  const most = transactions.length;
  const replayed = count === 'all' ? most : count;
  if (replayed > most) return tooMany(replayed, most, block);
  // The genesis block has no transactions to replay.
  if (block === 0) return { position };
  const parent = readView.resolve({ kind: 'number', number: BigInt(block) - 1n });
  if ('error' in parent) return parent;
  if (parent.kind === 'upstream') return elsewhere(block, readView);
  const cumulativeGasUsed = transactions[replayed - 1]?.receipt.cumulativeGasUsed ?? 0n;
  return { position: parent, replay: { header, cumulativeGasUsed, transactions: transactions.slice(0, replayed) } };
}

function tooMany(count: number, most: number, block: number): RpcError {
  const text = `transactionIndex ${count} is beyond the ${most} transactions of block ${block}`;
  return rpcError('invalidParams', `invalid argument 1: ${text}`);
}

function elsewhere(block: number, readView: ReadView): UpstreamBlockRef | RpcError {
  return upstreamBlockRefOf(block, readView) ?? rpcError('stateNotKept');
}

/**
 * Returns a reference to the block for the upstream node; `null` if the block is pre-confirmed, or there is no node.
 */
export function upstreamBlockRefOf(block: number, { blocks, pinned }: ReadView): UpstreamBlockRef | null {
  return block <= pinned.record.heads.latest ? blocks.upstream(block) : null;
}

/** Returns what is needed to replay a block's transactions; `null` if the block is not stored. */
function contentsOf(
  block: number,
  readView: ReadView,
  executed: ExecutedBlockLookup,
): ({ readonly header: Uint8Array } & Pick<ExecutedBlock, 'transactions'>) | null {
  const { blocks } = readView;
  const soFar = executed.soFar(readView, block);
  if (soFar !== null)
    return { header: encodeHeader(headerSoFar(soFar, executed.chain)), transactions: soFar.transactions };
  const header = blocks.header(block);
  const complete = executed.complete(blocks, block);
  if (header === null || complete === null) return null;
  const { transactions } = complete;
  // A block with a transaction of an unsupported type cannot be replayed.
  return transactions.some(({ reported }) => reported !== undefined) ? null : { header, transactions };
}
