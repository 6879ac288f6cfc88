// The header of a pre-confirmed block, as far as the block has come. Runs on main.

// Decision (2026-11, two cores): A pre-confirmed block has the roots and the bloom of what there is of it
// (`src/rpc/view/header-so-far.ts`), made on main for each increment that somebody asks about. Typed clients recompute
// them, and refuse an empty block with another root than that of nothing. Hash and nonce are null under `pending`, as
// in go-ethereum, and zeros by number, for clients that need them. Price: 20 ms of main for 5,000 transactions; the
// root of the state stays zero.
import { encodeReceipt } from '../../chain/block/block-body.js';
import { GAS_PER_BLOB } from '../../chain/forks.js';
import { headerOfEnv, type Header } from '../../chain/block/header.js';
import { listRoot } from '../../chain/trie/list-root.js';
import { renderRaw } from '../../chain/rlp-json.js';
import { logsBloom } from '../../lib/bytes/bloom.js';
import type { ConfirmedTransaction } from '../../state/block.js';
import type { BlockSoFar } from './pre-confirmed-blocks.js';

const BLOB_TYPE = 3;

/** Fields that follow from the transactions alone. */
type Sums = Pick<Header, 'transactionsRoot' | 'receiptsRoot' | 'logsBloom'>;

/** Sums by the last transaction of a block, which knows those before it. */
const SUMS = new WeakMap<ConfirmedTransaction, Sums>();
const NO_SUMS: Sums = sumsOf([]);

/** Header of a block so far with its gas, without its roots. */
export function headerSoFar({ env, coordinates, extraData, gasUsed, transactions }: BlockSoFar): Header {
  return { ...headerOfEnv(env, coordinates.parentHash), extraData, gasUsed, blobGasUsed: blobGasOf(transactions) };
}

/**
 * Header with the fields that follow from its transactions: made once for each increment that somebody asks about, for
 * 5,000 transactions in 20 ms. What only a complete block has, the root of its state, is zero.
 */
export function wholeHeaderSoFar(soFar: BlockSoFar): Header {
  const { transactions } = soFar;
  const last = transactions.at(-1);
  const sums = last === undefined ? NO_SUMS : (SUMS.get(last) ?? sumsOf(transactions));
  if (last !== undefined) SUMS.set(last, sums);
  return { ...headerSoFar(soFar), ...sums };
}

function sumsOf(transactions: readonly ConfirmedTransaction[]): Sums {
  return {
    transactionsRoot: listRoot(transactions.map(({ raw }) => raw)),
    receiptsRoot: listRoot(transactions.map(({ receipt }) => encodeReceipt(receipt, receipt.root ?? null))),
    logsBloom: logsBloom(transactions.flatMap(({ receipt }) => receipt.logs)),
  };
}

function blobGasOf(transactions: readonly ConfirmedTransaction[]): bigint {
  let gas = 0n;
  for (const { raw } of transactions) {
    const hashes = raw[0] === BLOB_TYPE ? renderRaw(raw).fields['blobVersionedHashes'] : [];
    if (Array.isArray(hashes)) gas += GAS_PER_BLOB * BigInt(hashes.length);
  }
  return gas;
}
