// Finds the first transaction whose receipt differs from the chain's, and how, for the log line of a mismatch.
import { verifyReceipts } from '../../diffs/verify-receipts.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { toHex } from '../../../lib/bytes/hex.js';
import type { ExecutedTransaction, Log, Receipt } from '../../../state/complete-block.js';
import { nullIfRefused, type Upstream, type UpstreamBlock } from '../../../upstream/upstream.js';

export interface TransactionMismatch {
  readonly index: number;
  /** The transaction's hash, 32 bytes. */
  readonly hash: Uint8Array;
  readonly kind: 'status' | 'gas' | 'logs';
  /** One line that says how the transaction differs. */
  readonly what: string;
}

/**
 * Requests the block's receipts from the node and compares them with ours. Returns `null` if the node does not have
 * them, or they are the same. Rejects with UpstreamError if the node does not respond.
 */
export async function findReceiptMismatch(
  { hash }: UpstreamBlock,
  executed: readonly ExecutedTransaction[],
  receiptsRoot: Uint8Array,
  upstream: Pick<Upstream, 'request'>,
): Promise<TransactionMismatch | null> {
  try {
    const result = await upstream.request('eth_getBlockReceipts', [toHex(hash)]);
    const receipts = verifyReceipts(result, receiptsRoot);
    return firstReceiptMismatch(
      executed,
      receipts.map(({ receipt }) => receipt),
    );
  } catch (error) {
    return nullIfRefused(error);
  }
}

/**
 * Compares executed transactions with `receipts`, which are the chain's, in order. Returns the first difference, or
 * `null`.
 */
export function firstReceiptMismatch(
  executed: readonly ExecutedTransaction[],
  receipts: readonly Receipt[],
): TransactionMismatch | null {
  for (const [index, { hash, receipt }] of executed.entries()) {
    const theirs = receipts[index];
    const difference = theirs === undefined ? null : differenceOf(receipt, theirs);
    if (difference !== null) return { index, hash, ...difference };
  }
  return null;
}

export function receiptMismatchText({ index, hash, kind, what }: TransactionMismatch): string {
  return `transaction ${index} ${toHex(hash)} differs in its ${kind}: ${what}`;
}

function differenceOf(ours: Receipt, theirs: Receipt): Pick<TransactionMismatch, 'kind' | 'what'> | null {
  if (ours.status !== theirs.status) return { kind: 'status', what: `${ours.status}, the chain has ${theirs.status}` };
  if (ours.gasUsed !== theirs.gasUsed)
    return { kind: 'gas', what: `${ours.gasUsed} used, the chain has ${theirs.gasUsed}` };
  if (ours.logs.length !== theirs.logs.length)
    return { kind: 'logs', what: `${ours.logs.length} of them, the chain has ${theirs.logs.length}` };
  const at = ours.logs.findIndex((log, index) => !sameLog(log, theirs.logs[index]!));
  return at < 0 ? null : { kind: 'logs', what: `log ${at} of ${toHex(ours.logs[at]!.address)} is another one` };
}

function sameLog(a: Log, b: Log): boolean {
  return (
    sameBytes(a.address, b.address) &&
    sameBytes(a.data, b.data) &&
    a.topics.length === b.topics.length &&
    a.topics.every((topic, index) => sameBytes(topic, b.topics[index]!))
  );
}
