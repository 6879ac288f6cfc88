// Encodes receipts, withdrawals and whole blocks. Roots and block sizes are computed from these encodings.
import { logsBloom } from '../../lib/bytes/bloom.js';
import {
  EncodedRlp,
  RLP_LIST_PREFIX_MIN,
  encodeRlp,
  rlpListLength,
  rlpStringLength,
  type RlpInput,
} from '../../lib/bytes/encode-rlp.js';
import type { CompleteBlock, Receipt, Withdrawal } from '../../state/complete-block.js';

/** `depositReceiptVersion` of OP-Stack deposit receipts, which encode it after the deposit's nonce from Canyon on. */
const DEPOSIT_RECEIPT_VERSION = 1;

/**
 * Encodes a receipt as the receipts trie contains it (EIP-2718, EIP-658). Before Byzantium, it contains the state root
 * after the transaction in place of a status.
 */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  const { type, status, root, cumulativeGasUsed, logs, depositNonce } = receipt;
  const items = [
    root ?? status,
    cumulativeGasUsed,
    logsBloom(logs),
    logs.map(({ address, topics, data }) => [address, topics, data]),
    ...(depositNonce === undefined ? [] : [depositNonce, DEPOSIT_RECEIPT_VERSION]),
  ];
  return encodeRlp(items, type);
}

/** Encodes a withdrawal as RLP (EIP-4895). */
export function encodeWithdrawal({ index, validatorIndex, address, amount }: Withdrawal): Uint8Array {
  return encodeRlp([index, validatorIndex, address, amount]);
}

/** Members of a complete block that its encoding contains. */
type EncodedBlock = Pick<CompleteBlock, 'header' | 'uncles' | 'withdrawals'> & {
  readonly transactions: readonly Pick<CompleteBlock['transactions'][number], 'raw'>[];
};

/** Contents of a block that determine its encoded size. Headers and transactions are already encoded. */
export interface BlockContents {
  readonly header: Uint8Array;
  readonly transactions: readonly Uint8Array[];
  readonly uncles: readonly Uint8Array[];
  readonly withdrawals: readonly Withdrawal[] | null;
}

function encoded(bytes: Uint8Array): EncodedRlp {
  return new EncodedRlp(bytes);
}

/** Returns the RLP of a whole block, with withdrawals from Shanghai on (EIP-4895). */
export function encodeBlock({ header, transactions, uncles = [], withdrawals }: EncodedBlock): Uint8Array {
  const lists: RlpInput[] = [transactions.map(({ raw }) => (isLegacy(raw) ? encoded(raw) : raw)), uncles.map(encoded)];
  if (withdrawals !== null) lists.push(withdrawals.map(encodeWithdrawal).map(encoded));
  return encodeRlp([encoded(header), ...lists]);
}

/** True for a legacy transaction, which is an RLP list within the block. A typed transaction is a byte string. */
function isLegacy(raw: Uint8Array): boolean {
  return raw[0]! >= RLP_LIST_PREFIX_MIN;
}

/** Returns the size of a block's RLP in bytes. */
export function blockSizeBytes(block: BlockContents): number {
  const transactions = block.transactions.map((raw) => (isLegacy(raw) ? raw.length : rlpStringLength(raw)));
  const lists = [transactions, block.uncles.map((uncle) => uncle.length)];
  if (block.withdrawals !== null) lists.push(block.withdrawals.map((item) => encodeWithdrawal(item).length));
  return rlpListLength(lists.reduce((total, list) => total + rlpListLength(sum(list)), block.header.length));
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}
