// The CPU time of this thread, on Linux; elsewhere the time on the wall. A machine that does other things leaves it alone.
import { openSync, readSync } from 'node:fs';

const SCHEDSTAT = '/proc/thread-self/schedstat';

/** Milliseconds of CPU time since some moment. A call takes some microseconds. */
export function threadCpuClock(): () => number {
  if (process.platform !== 'linux') return () => performance.now();
  const file = openSync(SCHEDSTAT, 'r');
  const text = Buffer.alloc(64);
  return () => {
    const length = readSync(file, text, 0, text.length, 0);
    // Nanoseconds on a core, nanoseconds waiting for one, turns.
    return Number(text.toString('latin1', 0, length).split(' ')[0]) / 1e6;
  };
}
