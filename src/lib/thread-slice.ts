// The slice of a thread: how long it means to run at a time. Of the threads that want a core Linux runs the one first whose
// slice would end first, and one that is woken takes the core of another with a longer slice (EEVDF; since 6.12 a thread has a
// say in it, without any privilege). What a thread gets in all stays the same: that is its priority. Runs on main, which hands
// it on to the publisher and the senders, and on the estimators.
import { createRequire } from 'node:module';

/** The shortest that Linux has; its own are of 0.7 ms and more, by the number of cores. */
const SHORT_NS = 100_000;
/** Longer than any of the system's own. */
const LONG_NS = 10_000_000;
const NS_A_MS = 1e6;

interface Addon {
  /** Asks for a slice of the calling thread and answers what it then has. */
  readonly set: (ns: number) => number;
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
  return set(SHORT_NS);
}

/** Makes the slices of this thread long: whoever wakes up goes before it. Answers as `shortenThreadSlice` does. */
export function lengthenThreadSlice(): number {
  return set(LONG_NS);
}

function set(ns: number): number {
  return addon === null ? 0 : addon.set(ns) / NS_A_MS;
}
