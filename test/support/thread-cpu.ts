// The CPU time of this thread on Linux, which other load on the machine does not affect; elapsed time elsewhere.
import { openSync, readSync } from 'node:fs';

const FILE = '/proc/thread-self/schedstat';
const TEXT_BYTES = 64;
const NS_PER_MS = 1e6;

/**
 * Milliseconds of CPU time since an arbitrary moment. A call takes 3 us, and the result may lag by some milliseconds,
 * until the kernel's next tick.
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
  // A thread that reads this has used some CPU time; a kernel that does not account for it reports zero.
  return threadMs() > 0 ? threadMs : () => performance.now();
}
