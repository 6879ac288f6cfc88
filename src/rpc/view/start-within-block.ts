// Where calls within a block start: the state of its parent, and the transactions that are replayed first.
import { encodeHeader } from '../../chain/block/header.js';
import { rpcError, type RpcError } from '../../errors.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import type { Job } from '../../transaction/evm-job.js';
import type { UpstreamPosition } from './chain-blocks.js';
import type { ExecutedBlocks } from './executed-blocks.js';
import { headerSoFar } from './header-so-far.js';
import type { LocalPosition, ReadPosition, ReadView } from './read-view.js';

/** A state, and what is replayed on it. */
type JobStart = Pick<Job, 'position' | 'replay'>;

/** What is here of a block. */
interface BlockDeps {
  /** RLP. */
  readonly header: Uint8Array;
  readonly transactions: readonly ExecutedTransaction[];
}

/**
 * The state after the first `count` transactions of the block at `position`, or after each of them in turn. If block or
 * parent are not here, a reference for the upstream node, if there is one.
 */
export function jobStartWithinBlock(
  position: LocalPosition,
  count: number | 'all',
  readView: ReadView,
  executed: ExecutedBlocks,
): JobStart | UpstreamPosition | RpcError {
  const { block } = position;
  const contents = contentsOf(block, readView, executed);
  if (contents === null) return elsewhere(block, readView);
  const { header, transactions } = contents;
  const most = transactions.length;
  const replayed = count === 'all' ? most : count;
  if (replayed > most) return tooMany(replayed, most, block);
  // Nothing is executed before genesis.
  if (block === 0) return { position };
  const parent = stateAfter(block - 1, readView);
  if ('error' in parent) return parent;
  if (parent.kind === 'upstream') return elsewhere(block, readView);
  const cumulativeGasUsed = transactions[replayed - 1]?.receipt.cumulativeGasUsed ?? 0n;
  return { position: parent, replay: { header, cumulativeGasUsed, transactions: transactions.slice(0, replayed) } };
}

function tooMany(count: number, most: number, block: number): RpcError {
  const text = `transactionIndex ${count} is beyond the ${most} transactions of block ${block}`;
  return rpcError('invalidParams', `invalid argument 1: ${text}`);
}

function elsewhere(block: number, readView: ReadView): UpstreamPosition | RpcError {
  return upstreamPositionOf(block, readView) ?? rpcError('stateNotKept');
}

/** A reference to the block for the upstream node; `null` if it is pre-confirmed, or there is no node. */
export function upstreamPositionOf(block: number, { blocks, pinned }: ReadView): UpstreamPosition | null {
  return block <= pinned.record.heads.latest ? blocks.upstream(block) : null;
}

function contentsOf(block: number, readView: ReadView, executed: ExecutedBlocks): BlockDeps | null {
  const { blocks, pinned } = readView;
  if (block > pinned.record.heads.latest) return preConfirmedContents(block, readView, executed);
  const header = blocks.header(block);
  const complete = executed.complete(blocks, block);
  if (header === null || complete === null) return null;
  const { transactions } = complete;
  // True if the block has a transaction of an unsupported kind.
  return transactions.some(({ reported }) => reported !== undefined) ? null : { header, transactions };
}

function preConfirmedContents(block: number, readView: ReadView, executed: ExecutedBlocks): BlockDeps | null {
  const soFar = executed.soFar(readView, block);
  if (soFar === null) return null;
  return { header: encodeHeader(headerSoFar(soFar, executed.chain)), transactions: soFar.transactions };
}

/** The state after a block, which may be pre-confirmed with another one on top of it. */
function stateAfter(block: number, readView: ReadView): ReadPosition | RpcError {
  const { pinned } = readView;
  if (block <= pinned.record.heads.latest) return readView.resolve({ kind: 'number', number: BigInt(block) });
  const version = pinned.versionBelow(block);
  return version === 0 ? rpcError('stateNotKept') : { kind: 'version', version, block };
}
