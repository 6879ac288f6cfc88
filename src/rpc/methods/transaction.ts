// Methods that show transactions and receipts: of complete blocks, and of pre-confirmed ones with the numbers and places that
// they will have. What is not here is asked of the upstream node. Runs on main.
import type { RpcError } from '../../errors.js';
import { toQuantity } from '../../lib/hex.js';
import type { UpstreamPosition } from '../chain-blocks.js';
import type { ExecutedBlock, Inclusion } from '../executed-blocks.js';
import type { ReadView } from '../read-view.js';
import type { Arguments, BlockRef } from './arguments.js';
import type { Forward, MethodParts, Run } from './method.js';
import { renderReceipt, renderTransaction } from './render.js';

/** Shows one transaction, found by its hash; null where it is neither complete nor pre-confirmed. */
function ofHash(show: (inclusion: Inclusion) => unknown): Run {
  return (args, readView, { executed, backing }) => {
    const hash = args.hash(0);
    if (args.failure) return args.failure;
    const found = executed.find(readView, hash);
    if (found !== null) return JSON.stringify(show(found));
    return backing === null ? 'null' : { forward: args.all };
  };
}

/** `[transaction hash]`: the receipt. */
export const getTransactionReceipt = ofHash(renderReceipt);

/** `[transaction hash]`: the transaction. */
export const getTransactionByHash = ofHash(renderTransaction);

/** What a method shows of a block. */
type Show = (block: ExecutedBlock) => unknown;

/** How a method names its block, and what it is called where it is asked of the upstream node by number, or by hash. */
interface Naming {
  readonly ref: (args: Arguments) => BlockRef;
  readonly byNumber: string;
  readonly byHash: string;
}

/** Shows something of a block; null where there is no such block. `prepare` reads the parameters behind the block. */
function ofBlock(naming: Naming, prepare: (args: Arguments) => Show): Run {
  return (args, readView, parts) => {
    args.required(0);
    const ref = naming.ref(args);
    const show = prepare(args);
    if (args.failure) return args.failure;
    const block = blockAt(ref, readView, parts);
    if (block === null) return 'null';
    if ('error' in block) return block;
    return 'transactions' in block ? JSON.stringify(show(block)) : forward(block, naming, args);
  };
}

/** Why there is no block, where that is an error and not null. */
const TOLD: ReadonlySet<RpcError['error']> = new Set(['unknownBlock', 'notCanonical']);

/** The block that a reference means, or who knows it; `null`: there is none. */
function blockAt(
  ref: BlockRef,
  readView: ReadView,
  { executed }: MethodParts,
): ExecutedBlock | UpstreamPosition | RpcError | null {
  const number = readView.preConfirmedNumber(ref);
  const open = number === null ? null : executed.preConfirmed(readView, number);
  if (open !== null) return open;
  const position = readView.resolve(ref);
  if ('error' in position) return TOLD.has(position.error) ? position : null;
  if (position.kind === 'upstream') return position;
  return executed.complete(readView.blocks, position.block) ?? readView.blocks.upstream(position.block);
}

function forward({ ref }: UpstreamPosition, { byNumber, byHash }: Naming, args: Arguments): Forward {
  const [, ...more] = args.all;
  if (typeof ref === 'string') return { forward: [ref, ...more], method: byNumber };
  return { forward: [ref.requireCanonical === true ? ref : ref.blockHash, ...more], method: byHash };
}

const blockHashed = (args: Arguments): BlockRef => ({ kind: 'hash', hash: args.hash(0) });

/** The two methods for the same of a block: by number or tag, and by hash. */
function ofNumberAndHash(name: string, prepare: (args: Arguments) => Show): readonly [byNumber: Run, byHash: Run] {
  const names = { byNumber: name.replace('*', 'Number'), byHash: name.replace('*', 'Hash') };
  return [
    ofBlock({ ...names, ref: (args) => args.blockNumber(0) }, prepare),
    ofBlock({ ...names, ref: blockHashed }, prepare),
  ];
}

/** `[block]`: the receipts of a block, by number, tag or hash. */
export const getBlockReceipts = ofBlock(
  { ref: (args) => args.block(0), byNumber: 'eth_getBlockReceipts', byHash: 'eth_getBlockReceipts' },
  () => (block) => block.transactions.map((_tx, index) => renderReceipt({ block, index })),
);

/** `[block]`: how many transactions it has. */
export const [getBlockTransactionCountByNumber, getBlockTransactionCountByHash] = ofNumberAndHash(
  'eth_getBlockTransactionCountBy*',
  () => (block) => toQuantity(block.transactions.length),
);

/** `[block, index]`: the transaction at that place; null where the block has none there. */
export const [getTransactionByBlockNumberAndIndex, getTransactionByBlockHashAndIndex] = ofNumberAndHash(
  'eth_getTransactionByBlock*AndIndex',
  (args) => {
    const index = Number(args.quantity(args.required(1), 64, { index: 1 }));
    return (block) => (index < block.transactions.length ? renderTransaction({ block, index }) : null);
  },
);
