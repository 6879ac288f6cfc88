// The CPU time of this thread, on Linux; elsewhere the time on the wall. A machine that does other things leaves it alone.
import { openThreadTime } from '../../src/lib/thread-time.js';

/** Milliseconds of CPU time since some moment. A call takes some microseconds. */
export function threadCpuClock(): () => number {
  const threadMs = openThreadTime();
  return Number.isNaN(threadMs()) ? () => performance.now() : threadMs;
}
