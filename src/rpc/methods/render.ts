// Blocks, transactions and receipts as the JSON objects of the execution API. Runs on main.
import { DEPOSIT_TYPE, renderHeader, renderRaw, renderWithdrawal, type Members } from '../../chain/rlp-json.js';
import type { BlockEnv, Coordinates } from '../../state/diff.js';
import type { CompleteBlock, ConfirmedTransaction, PublishedTransaction } from '../../state/block.js';
import { toHex, toQuantity } from '../../lib/hex.js';
import { logsBloom } from '../../lib/bloom.js';

const ZERO_HASH = toHex(new Uint8Array(32));
const EMPTY_BLOOM = toHex(new Uint8Array(256));
const EMPTY_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
/** What nobody signed and nobody pays for is shown with, so that clients that expect these can read it. */
const UNSIGNED: Members = { v: '0x0', r: '0x0', s: '0x0', yParity: '0x0', gasPrice: '0x0' };

/** Where a transaction stands in a block; `hash: null` in one that is not complete. */
interface Inclusion {
  readonly number: number;
  readonly timestamp: bigint;
  readonly hash: Uint8Array | null;
  readonly index: number;
}

/** As go-ethereum shows what no complete block has: clients take a block number for a confirmation. */
const NOT_INCLUDED: Members = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null };

/** A transaction object. `gasPrice`: wei per gas paid, or `null` where only the transaction's own fees are known. */
function renderTransaction(tx: PublishedTransaction, gasPrice: bigint | null, at: Inclusion | null): Members {
  const { type, fields } = renderRaw(tx.raw);
  return {
    ...(at === null ? NOT_INCLUDED : inclusionMembers(at)),
    from: toHex(tx.from),
    hash: toHex(tx.hash),
    type: toQuantity(type),
    ...(gasPrice === null ? { gasPrice: fields['maxFeePerGas'] ?? null } : { gasPrice: toQuantity(gasPrice) }),
    ...fields,
    ...signatureMembers(type, tx, fields),
  };
}

function inclusionMembers({ number, timestamp, hash, index }: Inclusion): Members {
  return {
    blockHash: hash === null ? null : toHex(hash),
    blockNumber: toQuantity(number),
    blockTimestamp: toQuantity(timestamp),
    transactionIndex: toQuantity(index),
  };
}

/** What follows from the signature, or stands in for it. */
function signatureMembers(type: number, tx: PublishedTransaction | ConfirmedTransaction, fields: Members): Members {
  if (type === 0) return legacyChainId(fields['v'] as string);
  if (type !== DEPOSIT_TYPE) return { v: fields['yParity']! };
  const nonce = 'receipt' in tx ? (tx.receipt.depositNonce ?? 0n) : 0n;
  return { ...UNSIGNED, nonce: toQuantity(nonce) };
}

/** EIP-155: `v` carries the chain id from 35 on. */
function legacyChainId(v: string): Members {
  const value = BigInt(v);
  return value >= 35n ? { chainId: toQuantity((value - 35n) / 2n) } : {};
}

/** A complete block, with transaction hashes or whole transactions. */
export function renderBlock(block: CompleteBlock, full: boolean): Members {
  const header = renderHeader(block.header);
  const timestamp = BigInt(header['timestamp'] as string);
  return {
    ...header,
    hash: toHex(block.hash),
    size: toQuantity(block.sizeBytes),
    transactions: full
      ? block.transactions.map((_tx, index) => renderConfirmed(block, index, timestamp))
      : block.transactions.map((tx) => toHex(tx.hash)),
    uncles: [],
    ...(block.withdrawals === null ? {} : { withdrawals: block.withdrawals.map(renderWithdrawal) }),
  };
}

/**
 * The pre-confirmed block. What is known only of a complete block - hash, nonce, roots, bloom - is null or zero, so that
 * clients that need every header field can read it.
 */
export function renderPending(
  coordinates: Coordinates,
  env: BlockEnv,
  gasUsed: bigint,
  transactions: readonly PublishedTransaction[],
  full: boolean,
): Members {
  const inclusion = { number: env.number, timestamp: env.timestamp, hash: null };
  return {
    hash: null,
    nonce: null,
    parentHash: toHex(coordinates.parentHash),
    number: toQuantity(env.number),
    timestamp: toQuantity(env.timestamp),
    miner: toHex(env.coinbase),
    difficulty: toQuantity(env.difficulty),
    mixHash: toHex(env.prevRandao),
    gasLimit: toQuantity(env.gasLimit),
    gasUsed: toQuantity(gasUsed),
    baseFeePerGas: toQuantity(env.baseFeePerGas),
    excessBlobGas: toQuantity(env.excessBlobGas),
    blobGasUsed: '0x0',
    parentBeaconBlockRoot: toHex(env.parentBeaconBlockRoot),
    extraData: '0x',
    logsBloom: EMPTY_BLOOM,
    stateRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
    transactionsRoot: ZERO_HASH,
    withdrawalsRoot: ZERO_HASH,
    sha3Uncles: EMPTY_UNCLES,
    size: '0x0',
    uncles: [],
    withdrawals: [],
    transactions: full
      ? transactions.map((tx, index) => renderTransaction(tx, null, { ...inclusion, index }))
      : transactions.map((tx) => toHex(tx.hash)),
  };
}

/** Transaction `index` of a complete block, whose timestamp is given. */
export function renderConfirmed(block: CompleteBlock, index: number, timestamp: bigint): Members {
  const tx = block.transactions[index]!;
  return renderTransaction(tx, tx.receipt.effectiveGasPrice, {
    number: block.number,
    timestamp,
    hash: block.hash,
    index,
  });
}

/** A transaction that no complete block has yet. */
export function renderUnconfirmed(tx: PublishedTransaction): Members {
  return renderTransaction(tx, null, null);
}

/** The receipt of transaction `index` of a complete block. */
export function renderReceipt(block: CompleteBlock, index: number): Members {
  const tx = block.transactions[index]!;
  const { receipt } = tx;
  const sent = renderUnconfirmed(tx);
  const place: Members = {
    blockHash: toHex(block.hash),
    blockNumber: toQuantity(block.number),
    transactionHash: toHex(tx.hash),
    transactionIndex: toQuantity(index),
  };
  return {
    ...place,
    type: toQuantity(receipt.type),
    status: toQuantity(receipt.status),
    from: toHex(tx.from),
    to: sent['to'] ?? null,
    contractAddress: receipt.contractAddress === null ? null : toHex(receipt.contractAddress),
    gasUsed: toQuantity(receipt.gasUsed),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    ...(receipt.depositNonce === undefined ? {} : depositMembers(receipt.depositNonce)),
    logsBloom: toHex(logsBloom(receipt.logs)),
    logs: renderLogs(block, index, place),
  };
}

/** As op-geth shows deposits from Canyon on. */
function depositMembers(nonce: bigint): Members {
  return { depositNonce: toQuantity(nonce), depositReceiptVersion: '0x1' };
}

function renderLogs(block: CompleteBlock, index: number, place: Members): Members[] {
  const before = block.transactions.slice(0, index).reduce((sum, tx) => sum + tx.receipt.logs.length, 0);
  return block.transactions[index]!.receipt.logs.map((log, i) => ({
    ...place,
    address: toHex(log.address),
    topics: log.topics.map(toHex),
    data: toHex(log.data),
    logIndex: toQuantity(before + i),
    removed: false,
  }));
}
