// The senders of a batch that threads have recovered so far, read without making the batch recover the others itself.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SenderRecoveryBatch } from '../../../src/pool/sender-recovery-batch.js';
import { PATIENCE_MS } from '../../support/patience.js';

/** Number of known senders. */
export function countKnown({ task: { buffer, count } }: SenderRecoveryBatch): number {
  return new Int32Array(buffer, 0, count).filter((state) => state !== 0).length;
}

/** True if threads have recovered so many within the time limit. */
export async function byThreads(batch: SenderRecoveryBatch, count: number, msMax = PATIENCE_MS): Promise<boolean> {
  const untilMs = performance.now() + msMax;
  while (countKnown(batch) < count && performance.now() < untilMs) await sleep(1);
  return countKnown(batch) >= count;
}
