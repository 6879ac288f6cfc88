// Verifies receipts from eth_getBlockReceipts by the header's receipts root, for blocks that we do not execute
// ourselves. Pure.
import { encodeReceipt } from '../../chain/block/encode-block.js';
import { listTrieRoot } from '../../chain/list-trie-root.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { ExecutedTransaction, Log, Receipt } from '../../state/complete-block.js';
import type { UndecodedTransaction } from '../../upstream/upstream.js';
import {
  parseBytes,
  isAbsent,
  asJsonArray,
  asJsonObject,
  parseSafeInteger,
  parseQuantity,
  throwWrongAnswer,
} from '../../upstream/reads/json-values.js';
import type { SenderAndRecipient } from './hidden-creations.js';

/** What a receipt says about its transaction. It can be read even if we do not know the transaction's type. */
export interface TransactionFromReceipt extends SenderAndRecipient {
  /** The transaction's hash, 32 bytes. */
  readonly hash: Uint8Array;
  readonly receipt: Receipt;
}

/**
 * Returns the transactions of a block that contains unknown transaction types. `raws` has the bytes of the transactions
 * with these types, in order; `result` has the receipts of all transactions, as the node sent them, and `received` has
 * them decoded. Throws UpstreamError if bytes do not have the listed hash, or the transactions do not have the header's
 * root.
 */
export function transactionsFromRawsAndReceipts(
  listed: readonly UndecodedTransaction[],
  transactionsRoot: Uint8Array,
  raws: readonly Uint8Array[],
  result: unknown,
  received: readonly TransactionFromReceipt[],
): ExecutedTransaction[] {
  const texts = receiptJsonStrings(result);
  const left = [...raws];
  const transactions = listed.map(({ hash, raw, text }, at): ExecutedTransaction => {
    const bytes = raw ?? left.shift()!;
    if (!sameBytes(keccak256(bytes), hash))
      throwWrongAnswer(`transaction ${toHex(hash)} has other bytes than its hash`);
    const reported = { transaction: raw === null ? text : null, receipt: texts[at]! };
    return { hash, raw: bytes, from: received[at]!.from, receipt: received[at]!.receipt, reported };
  });
  const root = listTrieRoot(transactions.map(({ raw }) => raw));
  if (!sameBytes(root, transactionsRoot))
    throwWrongAnswer(`the transactions have root ${toHex(root)}, the header says another one`);
  return transactions;
}

export function receiptJsonStrings(result: unknown): string[] {
  return asJsonArray(result, 'the receipts of a block').map((receipt) => JSON.stringify(receipt));
}

/**
 * Parses receipts, in order. Throws UpstreamError if they are malformed, if their gas does not add up, or if their root
 * is not `root`.
 */
export function verifyReceipts(result: unknown, root: Uint8Array): TransactionFromReceipt[] {
  let total = 0n;
  const received = asJsonArray(result, 'the receipts of a block').map((json) => {
    const transaction = receivedTransaction(json);
    const { gasUsed, cumulativeGasUsed } = transaction.receipt;
    total += gasUsed;
    if (total !== cumulativeGasUsed) throwWrongAnswer(`gas of receipt ${toHex(transaction.hash)} does not add up`);
    return transaction;
  });
  const found = listTrieRoot(received.map(({ receipt }) => encodeReceipt(receipt)));
  if (!sameBytes(found, root))
    throwWrongAnswer(`the receipts have root ${toHex(found)}, the header says ${toHex(root)}`);
  return received;
}

function receivedTransaction(json: unknown): TransactionFromReceipt {
  const members = asJsonObject(json, 'a receipt');
  const { contractAddress, depositNonce, to } = members;
  const status = parseSafeInteger(members['status'], 'status');
  if (status !== 0 && status !== 1) throwWrongAnswer(`a receipt has status ${status}`);
  return {
    hash: parseBytes(members['transactionHash'], 'transactionHash', 32),
    from: parseBytes(members['from'], 'from', 20),
    to: isAbsent(to) ? null : parseBytes(to, 'to', 20),
    receipt: {
      // Nodes of some other chains leave out the type of a legacy transaction.
      type: isAbsent(members['type']) ? 0 : parseSafeInteger(members['type'], 'type'),
      status: status === 1 ? 1 : 0,
      gasUsed: parseQuantity(members['gasUsed'], 'gasUsed'),
      cumulativeGasUsed: parseQuantity(members['cumulativeGasUsed'], 'cumulativeGasUsed'),
      effectiveGasPrice: parseQuantity(members['effectiveGasPrice'], 'effectiveGasPrice'),
      contractAddress: isAbsent(contractAddress) ? null : parseBytes(contractAddress, 'contractAddress', 20),
      logs: asJsonArray(members['logs'], 'logs').map(logOf),
      ...(isAbsent(depositNonce) ? {} : { depositNonce: parseQuantity(depositNonce, 'depositNonce') }),
    },
  };
}

function logOf(json: unknown): Log {
  const { address, topics, data } = asJsonObject(json, 'a log');
  return {
    address: parseBytes(address, 'address', 20),
    topics: asJsonArray(topics, 'topics').map((topic) => parseBytes(topic, 'a topic', 32)),
    data: parseBytes(data, 'data', null),
  };
}
