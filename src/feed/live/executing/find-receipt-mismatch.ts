// Finds the first transaction whose receipt differs from the chain's, and how, for the log line of a mismatch.
import { verifyReceipts } from '../../diffs/verify-receipts.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { toHex } from '../../../lib/bytes/hex.js';
import type { ExecutedTransaction, Log, Receipt } from '../../../state/complete-block.js';
import { nullIfRefused, type Upstream, type UpstreamBlock } from '../../../upstream/upstream.js';

/**
 * Requests the block's receipts from the node and compares them with ours. Returns the first difference as one line;
 * `null` if the node does not have the receipts, or they are the same. Rejects with UpstreamError if the node does not
 * respond.
 */
export async function findReceiptMismatch(
  { hash }: UpstreamBlock,
  executed: readonly ExecutedTransaction[],
  receiptsRoot: Uint8Array,
  upstream: Pick<Upstream, 'request'>,
): Promise<string | null> {
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
 * Compares executed transactions with `receipts`, which are the chain's, in order. Returns the first difference as
 * one line, or `null`.
 */
export function firstReceiptMismatch(
  executed: readonly ExecutedTransaction[],
  receipts: readonly Receipt[],
): string | null {
  for (const [index, { hash, receipt }] of executed.entries()) {
    const theirs = receipts[index];
    const difference = theirs === undefined ? null : differenceOf(receipt, theirs);
    if (difference !== null) return `transaction ${index} ${toHex(hash)} differs in its ${difference}`;
  }
  return null;
}

function differenceOf(ours: Receipt, theirs: Receipt): string | null {
  if (ours.status !== theirs.status) return `status: ${ours.status}, the chain has ${theirs.status}`;
  if (ours.gasUsed !== theirs.gasUsed) return `gas: ${ours.gasUsed} used, the chain has ${theirs.gasUsed}`;
  if (ours.logs.length !== theirs.logs.length)
    return `logs: ${ours.logs.length} of them, the chain has ${theirs.logs.length}`;
  const at = ours.logs.findIndex((log, index) => !sameLog(log, theirs.logs[index]!));
  return at < 0 ? null : `logs: log ${at} of ${toHex(ours.logs[at]!.address)} is another one`;
}

function sameLog(a: Log, b: Log): boolean {
  return (
    sameBytes(a.address, b.address) &&
    sameBytes(a.data, b.data) &&
    a.topics.length === b.topics.length &&
    a.topics.every((topic, index) => sameBytes(topic, b.topics[index]!))
  );
}
