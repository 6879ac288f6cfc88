// The CPU time of this thread on Linux, and elapsed time elsewhere. CPU time is not affected by other load on the
// machine.
import { openSync, readSync } from 'node:fs';

const FILE = '/proc/thread-self/schedstat';
const TEXT_BYTES = 64;
const NS_PER_MS = 1e6;

/**
 * Milliseconds of CPU time since some moment. A call takes 3 us, and its answer may be some milliseconds behind, until
 * the system's next tick.
 */
export function threadCpuClock(): () => number {
  let file: number;
  try {
    file = openSync(FILE, 'r');
  } catch {
    return () => performance.now();
  }
  const text = Buffer.alloc(TEXT_BYTES);
  const threadMs = (): number => {
    const length = readSync(file, text, 0, TEXT_BYTES, 0);
    return Number.parseInt(text.toString('latin1', 0, length), 10) / NS_PER_MS;
  };
  // A thread that reads this has had a processor: a kernel that does not count says zero.
  return threadMs() > 0 ? threadMs : () => performance.now();
}
