// Encodes the contents of a block, for its roots and its size. Runs on main, publisher and estimators.
import { logsBloom } from '../../lib/bytes/bloom.js';
import { encodeBytes, encodeList, encodeNumber, listBytes } from '../../lib/bytes/rlp.js';
import { RlpWriter } from '../../lib/bytes/rlp-writer.js';
import type { CompleteBlock, Receipt, Withdrawal } from '../../state/block.js';

/** OP Stack from Canyon on: the receipts trie contains the nonces of deposits. */
const DEPOSIT_RECEIPT_VERSION = 1;
/** First byte of an RLP list. */
const FIRST_LIST = 0xc0;
const writer = new RlpWriter();

/**
 * A receipt as encoded in the receipts trie (EIP-2718, EIP-658). `stateRoot`: the root after the transaction, which
 * replaces the status before Byzantium; `null` from then on.
 */
export function encodeReceipt(receipt: Receipt, stateRoot: Uint8Array | null): Uint8Array {
  const { type, status, cumulativeGasUsed, logs, depositNonce } = receipt;
  const items = [
    stateRoot ?? status,
    cumulativeGasUsed,
    logsBloom(logs),
    logs.map(({ address, topics, data }) => [address, topics, data]),
    ...(depositNonce === undefined ? [] : [depositNonce, DEPOSIT_RECEIPT_VERSION]),
  ];
  return writer.encode(items, type);
}

/** EIP-4895. */
export function encodeWithdrawal(withdrawal: Withdrawal): Uint8Array {
  return encodeList([
    encodeNumber(withdrawal.index),
    encodeNumber(withdrawal.validatorIndex),
    encodeBytes(withdrawal.address),
    encodeNumber(withdrawal.amount),
  ]);
}

/** Members of a complete block that are encoded. */
type EncodedBlock = Pick<CompleteBlock, 'header' | 'uncles' | 'withdrawals'> & {
  readonly transactions: readonly Pick<CompleteBlock['transactions'][number], 'raw'>[];
};

/** The contents of a block that determine its size. Headers and transactions are encoded. */
export interface BlockParts {
  readonly header: Uint8Array;
  readonly transactions: readonly Uint8Array[];
  readonly uncles: readonly Uint8Array[];
  readonly withdrawals: readonly Withdrawal[] | null;
}

/** The RLP of a whole block (EIP-4895 from Shanghai on). */
export function encodeBlock({ header, transactions, uncles = [], withdrawals }: EncodedBlock): Uint8Array {
  const lists = [transactions.map(({ raw }) => (raw[0]! >= FIRST_LIST ? raw : encodeBytes(raw))), uncles];
  if (withdrawals !== null) lists.push(withdrawals.map(encodeWithdrawal));
  return encodeList([header, ...lists.map(encodeList)]);
}

/** Size of a whole block's RLP, bytes. */
export function blockBytes(block: BlockParts): number {
  // A legacy transaction is a list inside the list of transactions, a typed one a byte string.
  const transactions = block.transactions.map((raw) => (raw[0]! >= FIRST_LIST ? raw.length : encodeBytes(raw).length));
  const lists = [transactions, block.uncles.map((uncle) => uncle.length)];
  if (block.withdrawals !== null) lists.push(block.withdrawals.map((item) => encodeWithdrawal(item).length));
  return listBytes(lists.reduce((total, list) => total + listBytes(sum(list)), block.header.length));
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}
