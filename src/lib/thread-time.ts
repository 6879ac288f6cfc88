// The time for which a thread has had a processor, as Linux tells it; elsewhere nothing is known. Runs on the estimators.
import { openSync, readSync } from 'node:fs';

const FILE = '/proc/thread-self/schedstat';
const TEXT_BYTES = 64;
const NS_PER_MS = 1e6;

/**
 * Reads the processor time of the thread that calls this, in milliseconds; a read takes 3 us and may be some milliseconds
 * behind, until the system's next tick. NaN where nobody counts it. The file stays open for as long as the process lives.
 */
export function openThreadTime(): () => number {
  let file: number;
  try {
    file = openSync(FILE, 'r');
  } catch {
    return () => Number.NaN;
  }
  const text = Buffer.alloc(TEXT_BYTES);
  return () => {
    const length = readSync(file, text, 0, TEXT_BYTES, 0);
    // A thread that reads this has had a processor: a kernel that does not count says zero.
    return Number.parseInt(text.toString('latin1', 0, length), 10) / NS_PER_MS || Number.NaN;
  };
}
