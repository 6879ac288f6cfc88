// Renders blocks, transactions and receipts as the JSON objects of the execution API.
import { blockSizeBytes } from '../../chain/block/encode-block.js';
import { GAS_PER_BLOB } from '../../chain/active-forks.js';
import { encodeHeader } from '../../chain/block/header.js';
import { renderHeader, renderWithdrawal, type JsonValue, type JsonRecord } from '../../chain/render-header-json.js';
import { DEPOSIT_TRANSACTION_TYPE } from '../../transaction/fields.table.js';
import { renderTransactionJson } from '../../transaction/render-transaction-json.js';
import { logsBloom } from '../../lib/bytes/bloom.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { AcceptedTransaction } from '../../feed/feed.js';
import type { CompleteBlock, Log } from '../../state/complete-block.js';
import { blockTimestampMs } from '../../transaction/op/block-timestamp-ms.js';
import type { L1Attributes } from '../../transaction/op/l1-attributes.js';
import { daFootprint, l1Fee, l1GasUsed } from '../../transaction/op/l1-and-operator-fees.js';
import { wholeHeaderSoFar } from '../view/pre-confirmed-header.js';
import type {
  PreConfirmedBlock,
  ExecutedBlock,
  Inclusion,
  L1FeeParams,
  BlockWithLogs,
} from '../view/executed-block-types.js';

const ZERO_HASH = toHex(new Uint8Array(32));
/** The `depositReceiptVersion` of deposits from Canyon on. */
const DEPOSIT_RECEIPT_VERSION = '0x1';

/**
 * Signature and gas price members of a deposit transaction, which has neither. They are zero, for clients that require
 * the members.
 */
const UNSIGNED: JsonRecord = { v: '0x0', r: '0x0', s: '0x0', yParity: '0x0', gasPrice: '0x0' };

/**
 * Renders the header of a complete block for subscribers. `timestampMs` is the block time in milliseconds; `null` if
 * the block has none.
 */
export function renderNewHead(header: Uint8Array, hash: Uint8Array, timestampMs: bigint | null): JsonRecord {
  return { ...renderHeader(header), ...millisMembers('timestampMs', timestampMs), hash: toHex(hash) };
}

/** Renders a block's time in milliseconds under `name`, as Base's node returns it from the Denim fork on. */
function millisMembers(name: 'timestampMs' | 'blockTimestampMs', timestampMs: bigint | null): JsonRecord {
  return timestampMs === null ? {} : { [name]: toQuantity(timestampMs) };
}

/** Renders a block hash; zeros if the block is not complete, as in OP-Stack nodes. */
function hashText(hash: Uint8Array | null): string {
  return hash === null ? ZERO_HASH : toHex(hash);
}

export function renderTransaction({ block, index }: Inclusion): JsonRecord {
  const { number, timestamp, timestampMs, hash, transactions } = block;
  const tx = transactions[index]!;
  const reported = tx.reported?.transaction ?? null;
  if (reported !== null) return JSON.parse(reported) as JsonRecord;
  const { type, fields } = renderTransactionJson(tx.raw);
  return {
    blockHash: hashText(hash),
    blockNumber: toQuantity(number),
    blockTimestamp: toQuantity(timestamp),
    ...millisMembers('blockTimestampMs', timestampMs),
    transactionIndex: toQuantity(index),
    from: toHex(tx.from),
    hash: toHex(tx.hash),
    type: toQuantity(type),
    gasPrice: toQuantity(tx.receipt.effectiveGasPrice),
    ...fields,
    ...signatureMembers(type, tx.receipt.depositNonce ?? 0n, fields),
  };
}

/** Location members of a transaction that is in no block. */
export const NO_LOCATION = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null };

/**
 * Renders a transaction that is in no block yet, as go-ethereum does for its transaction pool: the gas price is the
 * highest price that it may pay.
 */
export function renderPoolTransaction({ raw, hash, from }: AcceptedTransaction): JsonRecord {
  const { type, fields } = renderTransactionJson(raw);
  return {
    ...NO_LOCATION,
    from: toHex(from),
    hash: toHex(hash),
    type: toQuantity(type),
    gasPrice: fields['maxFeePerGas'] ?? null,
    ...fields,
    ...signatureMembers(type, 0n, fields),
  };
}

/**
 * Renders the members that come from the signature. For a deposit, which has no signature, renders `depositNonce` and
 * zeros instead.
 */
function signatureMembers(type: number, depositNonce: bigint, fields: JsonRecord): JsonRecord {
  if (type === 0) return legacyChainId(fields['v'] as string);
  if (type !== DEPOSIT_TRANSACTION_TYPE) return { v: fields['yParity']! };
  return { ...UNSIGNED, nonce: toQuantity(depositNonce), depositReceiptVersion: DEPOSIT_RECEIPT_VERSION };
}

/** Renders the chain id of a legacy transaction: by EIP-155, `v` contains it if `v` is at least 35. */
function legacyChainId(v: string): JsonRecord {
  const value = BigInt(v);
  return value >= 35n ? { chainId: toQuantity((value - 35n) / 2n) } : {};
}

/** Renders a complete block with transaction hashes, or with whole transactions if `executed` is passed. */
export function renderBlock(block: CompleteBlock, executed: ExecutedBlock | null): JsonRecord {
  const header = renderHeader(block.header);
  const timestampMs = blockTimestampMs(BigInt(header['timestamp'] as string), block.transactions);
  return {
    ...header,
    ...millisMembers('timestampMs', timestampMs),
    hash: toHex(block.hash),
    size: toQuantity(block.sizeBytes),
    transactions: executed === null ? hashesOf(block) : transactionsOf(executed),
    uncles: (block.uncles ?? []).map((uncle) => toHex(keccak256(uncle))),
    ...(block.withdrawals === null ? {} : { withdrawals: block.withdrawals.map(renderWithdrawal) }),
  };
}

/** Renders an uncle, which has a header but no transactions. */
export function renderUncle(header: Uint8Array): JsonRecord {
  const size = blockSizeBytes({ header, transactions: [], uncles: [], withdrawals: null });
  return { ...renderNewHead(header, keccak256(header), null), size: toQuantity(size), uncles: [] };
}

function hashesOf({ transactions }: Pick<ExecutedBlock, 'transactions'>): JsonValue[] {
  return transactions.map(({ hash }) => toHex(hash));
}

function transactionsOf(block: ExecutedBlock): JsonValue[] {
  return block.transactions.map((_tx, index) => renderTransaction({ block, index }));
}

/** Hash and nonce of a pre-confirmed block, by how the block was requested. By tag they are null, as in go-ethereum. */
const UNSEALED = {
  tag: { hash: null, nonce: null },
  number: { hash: ZERO_HASH, nonce: '0x0000000000000000' },
} as const;

/**
 * Renders the pre-confirmed block. Fields that only a complete block has (hash, nonce, state root) are null or zero, so
 * that clients that require every header field can parse it. Fields that are derived from transactions cover the
 * transactions so far.
 */
export function renderPendingBlock(
  { soFar, block, chain }: PreConfirmedBlock,
  { full, by = 'tag' }: { readonly full: boolean; readonly by?: keyof typeof UNSEALED },
): JsonRecord {
  const fields = wholeHeaderSoFar(soFar, chain);
  const header = encodeHeader(fields);
  const withdrawals = fields.withdrawalsRoot === null ? null : [];
  const raws = soFar.transactions.map(({ raw }) => raw);
  return {
    ...renderHeader(header),
    ...UNSEALED[by],
    ...millisMembers('timestampMs', block.timestampMs),
    size: toQuantity(blockSizeBytes({ header, transactions: raws, uncles: [], withdrawals })),
    uncles: [],
    ...(withdrawals === null ? {} : { withdrawals }),
    transactions: full ? transactionsOf(block) : hashesOf(block),
  };
}

export function renderReceipt({ block, index }: Inclusion): JsonRecord {
  const tx = block.transactions[index]!;
  const { receipt, reported } = tx;
  if (reported !== undefined) return JSON.parse(reported.receipt) as JsonRecord;
  const { fields } = renderTransactionJson(tx.raw);
  return {
    ...locationMembers(block, index),
    type: toQuantity(receipt.type),
    ...(receipt.root === undefined ? { status: toQuantity(receipt.status) } : { root: toHex(receipt.root) }),
    from: toHex(tx.from),
    to: fields['to'] ?? null,
    contractAddress: receipt.contractAddress === null ? null : toHex(receipt.contractAddress),
    gasUsed: toQuantity(receipt.gasUsed),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    ...(receipt.depositNonce === undefined ? {} : depositMembers(receipt.depositNonce)),
    ...blobMembers(fields['blobVersionedHashes'], block),
    ...(block.l1 === null || receipt.type === DEPOSIT_TRANSACTION_TYPE ? {} : l1Members(tx.raw, block.l1)),
    logsBloom: toHex(logsBloom(receipt.logs)),
    logs: renderLogs({ block, index }),
  };
}

function locationMembers({ number, hash, transactions }: BlockWithLogs, index: number): JsonRecord {
  return {
    blockHash: hashText(hash),
    blockNumber: toQuantity(number),
    transactionHash: toHex(transactions[index]!.hash),
    transactionIndex: toQuantity(index),
  };
}

/** Renders the blob members of a receipt (EIP-4844). */
function blobMembers(hashes: JsonValue | undefined, { blobGasPrice }: ExecutedBlock): JsonRecord {
  if (!Array.isArray(hashes)) return {};
  return { blobGasUsed: toQuantity(GAS_PER_BLOB * BigInt(hashes.length)), blobGasPrice: toQuantity(blobGasPrice) };
}

/** Renders the members that only a deposit's receipt has, as in op-geth from Canyon on. */
function depositMembers(nonce: bigint): JsonRecord {
  return { depositNonce: toQuantity(nonce), depositReceiptVersion: DEPOSIT_RECEIPT_VERSION };
}

/**
 * Renders what a transaction has paid for L1 data, as in op-geth. Members that a fork has added appear from that fork
 * on.
 */
function l1Members(raw: Uint8Array, { attributes, rules }: L1FeeParams): JsonRecord {
  const paid = {
    l1GasPrice: toQuantity(attributes.baseFee),
    l1GasUsed: toQuantity(l1GasUsed(raw, attributes, rules)),
    l1Fee: toQuantity(l1Fee(raw, attributes, rules)),
  };
  if (attributes.bedrock !== null) return { ...paid, l1FeeScalar: millionths(attributes.bedrock.scalar) };
  return {
    ...paid,
    l1BaseFeeScalar: toQuantity(attributes.baseFeeScalar),
    l1BlobBaseFee: toQuantity(attributes.blobBaseFee),
    l1BlobBaseFeeScalar: toQuantity(attributes.blobBaseFeeScalar),
    ...operatorMembers(attributes),
    ...(attributes.form === 'jovian' ? footprintMembers(raw, attributes) : {}),
  };
}

/** Formats a count of millionths as Go prints a float of at most ten significant digits: `0.684`, `1e-06`. */
function millionths(value: bigint): string {
  const number = Number((Number(value) / 1e6).toPrecision(10));
  const isPlain = number === 0 || (number >= 1e-4 && number < 1e10);
  return isPlain
    ? number.toString()
    : number.toExponential().replace(/e([+-])(\d)$/, (_all, sign, digit) => `e${sign}0${digit}`);
}

/** Renders the operator fee members (from Isthmus on), or none if the operator charges nothing. */
function operatorMembers({ operatorFeeScalar, operatorFeeConstant }: L1Attributes): JsonRecord {
  if (operatorFeeScalar === 0n && operatorFeeConstant === 0n) return {};
  return {
    operatorFeeScalar: toQuantity(operatorFeeScalar),
    operatorFeeConstant: toQuantity(operatorFeeConstant),
  };
}

/** Renders the DA footprint members (from Jovian on), when the DA footprint takes the place of blob gas. */
function footprintMembers(raw: Uint8Array, attributes: L1Attributes): JsonRecord {
  return {
    daFootprintGasScalar: toQuantity(attributes.daFootprintGasScalar),
    blobGasUsed: toQuantity(daFootprint(raw, attributes)),
  };
}

/** Results of `logsBefore` by block object, because clients that want all receipts of a block request each of them. */
const COUNTED = new WeakMap<ExecutedBlock, Float64Array>();

/** Counts the logs before each transaction of a block. */
function logsBefore(block: ExecutedBlock): Float64Array {
  const known = COUNTED.get(block);
  if (known !== undefined) return known;
  let logs = 0;
  const before = Float64Array.from(
    block.transactions,
    ({ receipt }) => (logs += receipt.logs.length) - receipt.logs.length,
  );
  COUNTED.set(block, before);
  return before;
}

/** Renders the logs of a transaction whose block is in the chain. */
export function renderLogs({ block, index }: Inclusion): JsonRecord[] {
  const before = logsBefore(block)[index]!;
  const location = logLocationMembers(block, index);
  return block.transactions[index]!.receipt.logs.map(({ address, topics, data }, i) => ({
    ...location,
    address: toHex(address),
    topics: topics.map(toHex),
    data: toHex(data),
    logIndex: toQuantity(before + i),
    removed: false,
  }));
}

function logLocationMembers(block: BlockWithLogs, index: number): JsonRecord {
  return {
    ...locationMembers(block, index),
    blockTimestamp: toQuantity(block.timestamp),
    ...millisMembers('blockTimestampMs', block.timestampMs),
  };
}

/**
 * Returns a function that renders the logs of transaction `index` as JSON: the same as `renderLogs`, in a third of its
 * time. `removed` is true if the block has left the chain.
 */
export function transactionLogRenderer(
  block: BlockWithLogs,
  index: number,
  removed: boolean,
): (log: Log, logIndex: number) => string {
  const location = JSON.stringify(logLocationMembers(block, index)).slice(0, -1);
  return ({ address, topics, data }, logIndex) => {
    const words = topics.length === 0 ? '' : `"${topics.map(toHex).join('","')}"`;
    const members = `"address":"${toHex(address)}","topics":[${words}],"data":"${toHex(data)}"`;
    return `${location},${members},"logIndex":"${toQuantity(logIndex)}","removed":${removed}}`;
  };
}
