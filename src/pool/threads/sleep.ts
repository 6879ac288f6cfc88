// How an estimator sleeps until main has a job for it, and how main wakes it: by the system's futex where its addon is
// there, else by Atomics. Runs on main and on the estimators.
//
// Gain: Atomics.notify wakes a thread that goes for a lock which main still has, so that it falls asleep again and is woken a
// second time. By futex and bell (doorbell.ts) a lone ERC-20 estimate takes 58 us of all threads instead of 71 and is answered after
// 60 us instead of 69; one of 32 takes 28.5 instead of 31.6. Price: an addon. Node.js cannot end a thread that sleeps there; it
// does not sleep longer than LIMITS.mailboxLingerMs.
import type { WakePart } from '../../native/parts.js';
import { WAKE } from './wake-addon.js';

/** A way to sleep on a word of shared memory. All threads of a process have the same one. */
export type Sleep = Pick<WakePart, 'wait' | 'wake'>;

/** The way of JavaScript. */
export const ATOMICS: Sleep = {
  wait: (words, at, value, ms) => void Atomics.wait(words, at, value, ms),
  wake: (words, at) => void Atomics.notify(words, at),
};

/** That of this process. */
export const SLEEP: Sleep = WAKE.addon ?? ATOMICS;
