// Methods that return transactions, receipts and uncles, of complete and of pre-confirmed blocks. Pre-confirmed
// transactions have their final block number and index. Data that is not stored is requested from the upstream node.

// The dev chain serves `eth_getTransactionReceipt` and `eth_getTransactionByHash`. Without the former, `cast send` and
// ethers' `wait` fail; without the latter, viem's `waitForTransactionReceipt` does. See DECISIONS.md.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import type { MethodName } from '../../methods.table.js';
import { monotonicMs } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import type { HashOrSenderNonce, AcceptedTransaction } from '../../feed/feed.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { UpstreamBlockRef } from '../view/stored-blocks.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import type { ReadView } from '../view/pinned-read-view.js';
import type { RpcArguments } from '../params/arguments.js';
import type { MethodFunction, MethodFunctionByName } from '../call/method-types.js';
import {
  createForwardedBlockRequest,
  BLOCK_LOOKUP_ERROR_NAMES,
  type ByNumberAndByHashMethods,
  type UpstreamAheadDeps,
} from './hold-answer-until-block-arrives.js';
import { methodResultJson, type RpcCallOutcome } from '../answer/call-result.js';
import type { TransactionSubmitter } from '../call/submit-transaction.js';
import {
  renderReceipt,
  renderTransaction,
  renderUncle,
  renderPoolTransaction,
  NO_LOCATION,
} from '../render/blocks-and-transactions.js';
import type { AccountDeps } from './account.js';
import { findBySenderAndNonce, type SenderNonce } from '../view/sender-nonce-search.js';
import type { BlockParam } from '../view/block-param-types.js';
import type { ExecutedBlock, Inclusion } from '../view/executed-block-types.js';

export interface TransactionDeps extends UpstreamAheadDeps {
  readonly executed: ExecutedBlockLookup;
  /**
   * Whether a transaction's receipt and block are returned as soon as it is pre-confirmed, or only when it is
   * confirmed.
   */
  readonly receipts: 'preconfirmed' | 'confirmed';
  /** Returns the view of the current state table. */
  readonly readView: () => ReadView;
  /** Submits transactions; `null` if the chain accepts no transactions, or this program does not submit any. */
  readonly sending: TransactionSubmitter | null;
}

/** True if the receipt and block of this transaction may already be returned. */
export function mayReportInclusion({ block }: Inclusion, receipts: TransactionDeps['receipts']): boolean {
  return receipts === 'preconfirmed' || block.hash !== null;
}

/** The result for a missing raw transaction, as in go-ethereum. */
const NO_BYTES = '"0x"';

/** How a method renders a transaction that it has found by hash. */
interface Shown {
  readonly included: (inclusion: Inclusion) => unknown;
  /**
   * Renders a transaction that is accepted, but in no block that may be returned yet; `null` if the method returns the
   * same as for an unknown transaction.
   */
  readonly waiting: ((transaction: AcceptedTransaction) => unknown) | null;
  /** The method's JSON result if there is no such transaction. */
  readonly none: string;
}

/**
 * Creates a method that returns one transaction by hash: in a complete block, pre-confirmed, or accepted and still
 * waiting.
 */
function ofHash(shown: Shown): MethodFunction<TransactionDeps> {
  return (args, readView, deps) => {
    const hash = args.hash(0);
    if (args.failure) return args.failure;
    const found = deps.executed.find(readView, hash);
    if (found !== null) return foundText(found, shown, deps);
    if (deps.backing !== null)
      return { forward: args.all, decorate: (answer) => onceBlockArrives(methodResultJson(answer), shown, deps) };
    return deps.sending === null || shown.waiting === null
      ? shown.none
      : waitingText({ hash }, shown, deps, deps.sending);
  };
}

function foundText(found: Inclusion, { included, waiting, none }: Shown, { receipts }: TransactionDeps): string {
  if (mayReportInclusion(found, receipts)) return JSON.stringify(included(found));
  return waiting === null ? none : JSON.stringify(waiting(found.block.transactions[found.index]!));
}

/**
 * Renders a transaction that waits for inclusion. If it was published in a block in the meantime, it is looked up
 * again.
 */
async function waitingText(
  named: HashOrSenderNonce,
  shown: Shown,
  deps: TransactionDeps,
  sending: TransactionSubmitter,
): Promise<string> {
  const transaction = await sending.waiting(named);
  if (transaction !== null) return JSON.stringify(shown.waiting!(transaction));
  const found = sending.look((readView) => inclusionOf(named, readView, deps.executed));
  return found === null ? shown.none : foundText(found, shown, deps);
}

function inclusionOf(named: HashOrSenderNonce, readView: ReadView, executed: ExecutedBlockLookup): Inclusion | null {
  if ('hash' in named) return executed.find(readView, named.hash);
  const search = findBySenderAndNonce(readView, executed, named);
  return search.kind === 'found' ? search.inclusion : null;
}

/**
 * Returns the node's result. If it is about a block that has not arrived here yet, it is returned when the block
 * arrives, so that the client's next requests also find the block. If the block does not arrive in time, the
 * transaction is returned as one that waits for inclusion.
 */
async function onceBlockArrives(
  answer: string,
  { waiting, none }: Shown,
  { events }: TransactionDeps,
): Promise<string> {
  const found = JSON.parse(answer) as string | { readonly blockNumber?: string | null } | null;
  if (found === null || typeof found === 'string' || (await events.waitForBlock(Number(found.blockNumber ?? 0))))
    return answer;
  return waiting === null ? none : JSON.stringify({ ...found, ...NO_LOCATION });
}

const TRANSACTION: Shown = { included: renderTransaction, waiting: renderPoolTransaction, none: 'null' };

/**
 * Searches again when the main thread has received the transactions of the newest increment. The request is not
 * forwarded before, because the node may not have the method.
 */
async function onceArrived(
  wanted: SenderNonce,
  forwarded: readonly unknown[],
  readView: ReadView,
  deps: TransactionDeps,
): Promise<RpcCallOutcome> {
  const { executed, events, backing } = deps;
  const { record } = readView.pinned;
  await events.waitUntil(() => executed.hasArrived(record));
  const found = deps.readView().atNewest((newest) => inclusionOf(wanted, newest, executed));
  if (found !== null) return foundText(found, TRANSACTION, deps);
  if (backing === null) return rpcError('stateNotKept', 'the block of this nonce is not here');
  return backing.request('eth_getTransactionBySenderAndNonce', forwarded, monotonicMs() + LIMITS.fillMsMax);
}

/** `[transaction hash]`: returns the EIP-2718 encoding of the transaction. */
const getRawTransactionByHash = ofHash({
  included: renderRawTransaction,
  waiting: ({ raw }) => toHex(raw),
  none: NO_BYTES,
});

function renderRawTransaction({ block, index }: Inclusion): string {
  return toHex(block.transactions[index]!.raw);
}

/** Renders the part of a block that a method returns. */
type Show = (block: ExecutedBlock) => unknown;

/** How a method's parameters identify a block, and the upstream node's methods for a block number and a block hash. */
interface Naming extends Omit<ByNumberAndByHashMethods, 'member'> {
  readonly ref: (args: RpcArguments) => BlockParam;
}

/** Creates a method that returns a part of a block. `prepare` reads the parameters after the block. */
function ofBlock(naming: Naming, prepare: (args: RpcArguments) => Show): MethodFunction<TransactionDeps> {
  return (args, readView, deps) => {
    args.required(0);
    const ref = naming.ref(args);
    const show = prepare(args);
    if (args.failure) return args.failure;
    const block = blockAt(ref, readView, deps);
    if (block !== null && 'error' in block) return block;
    if (block !== null && 'transactions' in block) return JSON.stringify(show(block));
    return createForwardedBlockRequest(block, args.all.slice(1), { ...naming, member: 'blockNumber' }, deps);
  };
}

/**
 * Returns the block that `ref` refers to, or the reference for a request to the node; `null` if there is no such block.
 */
function blockAt(
  ref: BlockParam,
  readView: ReadView,
  { executed }: TransactionDeps,
): ExecutedBlock | UpstreamBlockRef | RpcError | null {
  const number = readView.preConfirmedNumber(ref);
  const open = number === null ? null : executed.preConfirmed(readView, number);
  if (open !== null) return open;
  const position = readView.resolve(ref);
  if ('error' in position) return BLOCK_LOOKUP_ERROR_NAMES.has(position.error) ? position : null;
  if (position.kind === 'upstream') return position;
  return executed.complete(readView.blocks, position.block) ?? readView.blocks.upstream(position.block);
}

/** Creates two methods with the same result: one takes a block number or tag, the other a block hash. */
function ofNumberAndHash<Name extends MethodName>(
  byNumber: Name,
  byHash: Name,
  prepare: (args: RpcArguments) => Show,
  none = 'null',
): Readonly<Record<Name, MethodFunction<TransactionDeps>>> {
  const names = { byNumber, byHash, none };
  return {
    [byNumber]: ofBlock({ ...names, ref: (args) => args.blockNumber(0) }, prepare),
    [byHash]: ofBlock({ ...names, ref: (args) => ({ kind: 'hash', hash: args.hash(0) }) }, prepare),
  } as Record<Name, MethodFunction<TransactionDeps>>;
}

/** Reads the transaction or uncle index in a block from the second parameter. */
function transactionIndexOf(args: RpcArguments): number {
  return Number(args.quantity(args.required(1), 64, { index: 1 }, 'hexutil.Uint'));
}

export const transactionMethods = {
  /** `[transaction hash]`: returns the receipt. */
  eth_getTransactionReceipt: ofHash({ included: renderReceipt, waiting: null, none: 'null' }),

  /** `[transaction hash]`: returns the transaction. */
  eth_getTransactionByHash: ofHash(TRANSACTION),

  /**
   * `[sender, nonce]`: returns the transaction, whether it is complete, pre-confirmed, submitted through this program,
   * or in the dev chain's transaction pool. Null if the nonce is unused, or if something else used it (such as an
   * EIP-7702 authorization). If the transaction's block is not stored, the request is forwarded to the node.
   */
  eth_getTransactionBySenderAndNonce: (args, readView, deps) => {
    const from = args.address(0);
    const nonce = args.quantity(args.required(1), 64, { index: 1 }, 'hexutil.Uint64');
    if (args.failure) return args.failure;
    const { executed, backing, sending, ownSends } = deps;
    const search = findBySenderAndNonce(readView, executed, { from, nonce });
    switch (search.kind) {
      case 'found':
        return foundText(search.inclusion, TRANSACTION, deps);
      case 'unused': {
        const own = ownSends?.at(from, nonce) ?? null;
        if (own !== null) return JSON.stringify(renderPoolTransaction(own));
        return sending === null || backing !== null ? 'null' : waitingText({ from, nonce }, TRANSACTION, deps, sending);
      }
      case 'arriving':
        return onceArrived({ from, nonce }, args.all, readView, deps);
      case 'elsewhere':
        return backing === null
          ? rpcError('stateNotKept', 'the block of this nonce is not here')
          : { forward: args.all };
      default:
        return 'null';
    }
  },

  /** `[block]`: returns the receipts of a block by number, tag or hash. */
  eth_getBlockReceipts: ofBlock(
    { ref: (args) => args.block(0), byNumber: 'eth_getBlockReceipts', byHash: 'eth_getBlockReceipts', none: 'null' },
    () => (block) => block.transactions.map((_tx, index) => renderReceipt({ block, index })),
  ),

  eth_getRawTransactionByHash: getRawTransactionByHash,
  debug_getRawTransaction: getRawTransactionByHash,

  /** `[block]`: returns the number of transactions in the block. */
  ...ofNumberAndHash(
    'eth_getBlockTransactionCountByNumber',
    'eth_getBlockTransactionCountByHash',
    () => (block) => toQuantity(block.transactions.length),
  ),

  /** `[block, index]`: returns the transaction at that index in the block; null if there is none. */
  ...ofNumberAndHash('eth_getTransactionByBlockNumberAndIndex', 'eth_getTransactionByBlockHashAndIndex', (args) => {
    const index = transactionIndexOf(args);
    return (block) => (index < block.transactions.length ? renderTransaction({ block, index }) : null);
  }),

  /**
   * `[block, index]`: returns the EIP-2718 encoding of the transaction at that index in the block; empty if there is
   * none.
   */
  ...ofNumberAndHash(
    'eth_getRawTransactionByBlockNumberAndIndex',
    'eth_getRawTransactionByBlockHashAndIndex',
    (args) => {
      const index = transactionIndexOf(args);
      return (block) => (index < block.transactions.length ? renderRawTransaction({ block, index }) : '0x');
    },
    NO_BYTES,
  ),

  /** `[block]`: returns the number of the block's uncles. */
  ...ofNumberAndHash(
    'eth_getUncleCountByBlockNumber',
    'eth_getUncleCountByBlockHash',
    () => (block) => toQuantity(block.uncles.length),
  ),

  /** `[block, index]`: returns the uncle at that index in the block; null if there is none. */
  ...ofNumberAndHash('eth_getUncleByBlockNumberAndIndex', 'eth_getUncleByBlockHashAndIndex', (args) => {
    const index = transactionIndexOf(args);
    return ({ uncles }) => (index < uncles.length ? renderUncle(uncles[index]!) : null);
  }),
} satisfies MethodFunctionByName<TransactionDeps & AccountDeps>;
