// The layout of the archive's records of blocks, transactions and tags (heads). Each record is an RLP list. Integers
// have no leading zeros, and `null` is an empty string. Pure.
//
//   block        [hash, header, size in bytes, number of transactions, withdrawals or empty, environment], then a list
//                of the headers of its uncles if there are any, then the bytes of its access list if there is one
//   withdrawal   [index, validator, address, amount]
//   environment  [number, timestamp, gas limit, base fee, coinbase, prevRandao, difficulty, excess blob gas,
//                beacon root], and from Amsterdam on the slot number
//   transaction  [hash, raw, from, type, status or root, gas used, cumulative, price, contract or empty, logs], then
//                for an OP-Stack deposit its nonce; then, if clients receive the node's own JSON, the list [JSON of
//                the transaction or empty, JSON of the receipt]
//   log          [address, topics, data]
//   heads        [latest, safe or empty, finalized or empty], each number + 1, so that block 0 differs from null
import { encodeRlp, type RlpInput } from '../../../lib/bytes/encode-rlp.js';
import { decodeRlp, type DecodedRlpItem } from '../../../lib/bytes/rlp-reader.js';
import { WORD_BYTES, toBigInt } from '../../../lib/bytes/big-endian.js';
import { toPlainUint8Array } from './keys-and-values.js';
import type {
  CompleteBlock,
  ExecutedTransaction,
  Log,
  Receipt,
  NodeTransactionJson,
  Withdrawal,
} from '../../complete-block.js';
import type { BlockEnv, BlockTags } from '../../state-diff.js';

/** A block's record in the archive. Its transactions have records of their own. */
export interface BlockRecord extends Omit<CompleteBlock, 'number' | 'transactions'> {
  /** Number of transactions. */
  readonly transactions: number;
  readonly env: BlockEnv;
}

const NONE = new Uint8Array(0);

/** Encodes a block without its transactions. */
export function encodeBlockRecord(block: CompleteBlock, env: BlockEnv): Uint8Array {
  const withdrawals = block.withdrawals?.map((each) => [each.index, each.validatorIndex, each.address, each.amount]);
  const { hash, header, sizeBytes, transactions, uncles, accessList } = block;
  const more = [uncles, accessList].filter((part) => part !== undefined);
  return encodeRlp([hash, header, sizeBytes, transactions.length, withdrawals ?? NONE, envFields(env), ...more]);
}

export function decodeBlockRecord(record: Uint8Array): BlockRecord {
  const [hash, header, sizeBytes, transactions, withdrawals, env, ...more] = decode(record);
  const uncles = more.find((item) => Array.isArray(item));
  const accessList = more.find((item) => item instanceof Uint8Array);
  return {
    hash: bytes(hash),
    header: bytes(header),
    sizeBytes: number(sizeBytes),
    transactions: number(transactions),
    withdrawals: withdrawals instanceof Uint8Array ? null : list(withdrawals).map(decodeWithdrawal),
    env: decodeEnv(list(env)),
    ...(uncles === undefined ? {} : { uncles: list(uncles).map(bytes) }),
    ...(accessList === undefined ? {} : { accessList }),
  };
}

export function encodeTransactionRecord(transaction: ExecutedTransaction): Uint8Array {
  const { hash, raw, from, receipt, reported } = transaction;
  const { type, status, root, gasUsed, cumulativeGasUsed, effectiveGasPrice, contractAddress, depositNonce } = receipt;
  const logs = receipt.logs.map((log) => [log.address, log.topics, log.data]);
  const sums = [gasUsed, cumulativeGasUsed, effectiveGasPrice];
  const nonce = depositNonce === undefined ? [] : [depositNonce];
  const texts =
    reported === undefined ? [] : [[Buffer.from(reported.transaction ?? ''), Buffer.from(reported.receipt)]];
  return encodeRlp([hash, raw, from, type, root ?? status, ...sums, contractAddress ?? NONE, logs, ...nonce, ...texts]);
}

export function decodeTransactionRecord(record: Uint8Array): ExecutedTransaction {
  const [hash, raw, from, type, status, gasUsed, cumulative, price, contract, logs, ...more] = decode(record);
  const nonce = more.find((item) => item instanceof Uint8Array);
  const reported = more.find((item) => Array.isArray(item));
  const contractAddress = bytes(contract);
  const receipt = {
    type: number(type),
    ...statusOf(bytes(status)),
    gasUsed: toBigInt(bytes(gasUsed)),
    cumulativeGasUsed: toBigInt(bytes(cumulative)),
    effectiveGasPrice: toBigInt(bytes(price)),
    contractAddress: contractAddress.length === 0 ? null : contractAddress,
    logs: list(logs).map(decodeLog),
    ...(nonce === undefined ? {} : { depositNonce: toBigInt(bytes(nonce)) }),
  };
  const texts = reported === undefined ? {} : { reported: decodeReported(reported) };
  return { hash: bytes(hash), raw: bytes(raw), from: bytes(from), receipt, ...texts };
}

function decodeReported(item: DecodedRlpItem): NodeTransactionJson {
  const [transaction = '', receipt = ''] = list(item).map((text) => Buffer.from(bytes(text)).toString());
  return { transaction: transaction === '' ? null : transaction, receipt };
}

/** Decodes the status of a receipt. Before Byzantium a receipt has a state root instead. */
function statusOf(status: Uint8Array): Pick<Receipt, 'status' | 'root'> {
  if (status.length === WORD_BYTES) return { status: 1, root: status };
  return { status: toBigInt(status) === 0n ? 0 : 1 };
}

/** Encodes the block numbers of the tags, with an empty string for an unknown one. */
export function encodeHeads(heads: BlockTags): Uint8Array {
  return encodeRlp([heads.latest, heads.safe, heads.finalized].map((head) => (head === null ? NONE : head + 1)));
}

export function decodeHeads(record: Uint8Array): BlockTags {
  const [latest, safe, finalized] = decode(record).map((head) => (bytes(head).length === 0 ? null : number(head) - 1));
  return { latest: latest ?? 0, safe: safe ?? null, finalized: finalized ?? null };
}

function envFields(env: BlockEnv): RlpInput[] {
  const { number: block, timestamp, gasLimit, baseFeePerGas, coinbase, prevRandao, difficulty, excessBlobGas } = env;
  const head = [block, timestamp, gasLimit, baseFeePerGas, coinbase, prevRandao, difficulty, excessBlobGas];
  return [...head, env.parentBeaconBlockRoot, ...(env.slotNumber === undefined ? [] : [env.slotNumber])];
}

function decodeEnv(fields: readonly DecodedRlpItem[]): BlockEnv {
  const [block, timestamp, gasLimit, baseFee, coinbase, prevRandao, difficulty, excessBlobGas, beaconRoot, slot] =
    fields;
  return {
    number: number(block),
    timestamp: toBigInt(bytes(timestamp)),
    gasLimit: toBigInt(bytes(gasLimit)),
    baseFeePerGas: toBigInt(bytes(baseFee)),
    coinbase: bytes(coinbase),
    prevRandao: bytes(prevRandao),
    difficulty: toBigInt(bytes(difficulty)),
    excessBlobGas: toBigInt(bytes(excessBlobGas)),
    parentBeaconBlockRoot: bytes(beaconRoot),
    ...(slot === undefined ? {} : { slotNumber: toBigInt(bytes(slot)) }),
  };
}

function decodeWithdrawal(item: DecodedRlpItem): Withdrawal {
  const [index, validatorIndex, address, amount] = list(item);
  return {
    index: toBigInt(bytes(index)),
    validatorIndex: toBigInt(bytes(validatorIndex)),
    address: bytes(address),
    amount: toBigInt(bytes(amount)),
  };
}

function decodeLog(item: DecodedRlpItem): Log {
  const [address, topics, data] = list(item);
  return { address: bytes(address), topics: list(topics).map(bytes), data: bytes(data) };
}

function decode(record: Uint8Array): readonly DecodedRlpItem[] {
  return list(decodeRlp(toPlainUint8Array(record)));
}

function bytes(item: DecodedRlpItem | undefined): Uint8Array {
  if (!(item instanceof Uint8Array)) throw new Error('archive record is damaged: bytes expected');
  return item;
}

function list(item: DecodedRlpItem | undefined): readonly DecodedRlpItem[] {
  if (item === undefined || item instanceof Uint8Array) throw new Error('archive record is damaged: list expected');
  return item;
}

function number(item: DecodedRlpItem | undefined): number {
  return Number(toBigInt(bytes(item)));
}
