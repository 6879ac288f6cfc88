// Encodes the contents of a block, from which its roots and its size are computed.
import { logsBloom } from '../../lib/bytes/bloom.js';
import {
  EncodedRlp,
  RLP_LIST_PREFIX_MIN,
  encodeRlp,
  rlpListLength,
  rlpStringLength,
  type RlpInput,
} from '../../lib/bytes/rlp.js';
import type { CompleteBlock, Receipt, Withdrawal } from '../../state/complete-block.js';

/** From Canyon on, the receipts trie of the OP Stack contains the nonces of deposits. */
const DEPOSIT_RECEIPT_VERSION = 1;

/**
 * Encodes a receipt as in the receipts trie (EIP-2718, EIP-658). `stateRoot` is the root after the transaction, which
 * receipts have instead of a status before Byzantium; `null` from then on.
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
  return encodeRlp(items, type);
}

/** EIP-4895. */
export function encodeWithdrawal({ index, validatorIndex, address, amount }: Withdrawal): Uint8Array {
  return encodeRlp([index, validatorIndex, address, amount]);
}

/** The members of a complete block that are needed to encode it. */
type EncodedBlock = Pick<CompleteBlock, 'header' | 'uncles' | 'withdrawals'> & {
  readonly transactions: readonly Pick<CompleteBlock['transactions'][number], 'raw'>[];
};

/** The contents of a block that determine its size. Headers and transactions are already encoded. */
export interface BlockContents {
  readonly header: Uint8Array;
  readonly transactions: readonly Uint8Array[];
  readonly uncles: readonly Uint8Array[];
  readonly withdrawals: readonly Withdrawal[] | null;
}

function encoded(bytes: Uint8Array): EncodedRlp {
  return new EncodedRlp(bytes);
}

/** The RLP of a whole block, with withdrawals from Shanghai on (EIP-4895). */
export function encodeBlock({ header, transactions, uncles = [], withdrawals }: EncodedBlock): Uint8Array {
  const lists: RlpInput[] = [transactions.map(({ raw }) => (isLegacy(raw) ? encoded(raw) : raw)), uncles.map(encoded)];
  if (withdrawals !== null) lists.push(withdrawals.map(encodeWithdrawal).map(encoded));
  return encodeRlp([encoded(header), ...lists]);
}

/** In the list of transactions, a legacy transaction is itself a list, and a typed one is a byte string. */
function isLegacy(raw: Uint8Array): boolean {
  return raw[0]! >= RLP_LIST_PREFIX_MIN;
}

/** Size of a whole block's RLP, bytes. */
export function blockSizeBytes(block: BlockContents): number {
  const transactions = block.transactions.map((raw) => (isLegacy(raw) ? raw.length : rlpStringLength(raw)));
  const lists = [transactions, block.uncles.map((uncle) => uncle.length)];
  if (block.withdrawals !== null) lists.push(block.withdrawals.map((item) => encodeWithdrawal(item).length));
  return rlpListLength(lists.reduce((total, list) => total + rlpListLength(sum(list)), block.header.length));
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}
