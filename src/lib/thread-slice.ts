// The slice of a thread: how long it means to run at a time. Of the threads that want a core Linux runs the one first whose
// slice would end first, and one that is woken takes the core of another with a longer slice (EEVDF; since 6.12 a thread has a
// say in it, without any privilege). What a thread gets in all stays the same: that is its priority. Runs on main, which hands
// it on to all threads that it starts, and on publisher and estimators, of which these yield.
import { createRequire } from 'node:module';

/** The shortest that Linux has; its own are of 0.7 ms and more, by the number of cores. */
const SHORT_NS = 100_000;
const NS_A_MS = 1e6;

interface Addon {
  /** Asks for a slice of the calling thread and answers what it then has. */
  readonly set: (ns: number) => number;
  /** sched_yield(2). */
  readonly yield: () => void;
}

const addon: Addon | null = load();

function load(): Addon | null {
  try {
    return createRequire(import.meta.url)('./thread-slice/slice.node') as Addon;
  } catch {
    return null;
  }
}

/**
 * Makes the slices of this thread short, and those of the threads that it starts from then on. Answers how long they are,
 * in milliseconds; 0 where the system or the build has no say in it.
 */
export function shortenThreadSlice(): number {
  return addon === null ? 0 : addon.set(SHORT_NS) / NS_A_MS;
}

let yieldedMs = -Infinity;

/**
 * Lets a thread that waits for the core of this one go first, once in a slice: without one nothing happens. `nowMs`:
 * `performance.now()`. Linux takes a core from a thread that computes only when another one wakes up, or at its next tick, up to
 * 4 ms later. Price: some 0.6 us, and what is left of the slice where somebody waits.
 */
export function yieldCore(nowMs: number): void {
  if (nowMs - yieldedMs < SHORT_NS / NS_A_MS) return;
  yieldedMs = nowMs;
  addon?.yield();
}
