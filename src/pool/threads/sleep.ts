// An estimator's sleep until main has a job for it, and main's way to wake it: by the system's futex where the addon has it,
// else by Atomics. Runs on main and on the estimators.

// Decision (2026-11, two cores): A worker sleeps by the system's futex (`src/pool/threads/sleep.ts`). `Atomics.notify` holds
// a lock of the process while it wakes a thread that needs that lock next, which falls asleep again and is woken a second
// time. Gain: an ERC-20 estimate over HTTP takes 0.92 of all threads' time, on 1 to 8 connections. Price: 100 lines of C++,
// on Linux; elsewhere Atomics serve. Node.js cannot end a thread that sleeps there; none sleeps longer than
// `mailboxLingerMs`.
//
// Decision (2026-11, two cores): It does not stay awake for its next job. To look for it for some 45 or 180 us before
// it sleeps took 11 and 27 % more processor time for a lone estimate, which came no sooner, and saved nothing with 64
// connections: on two processors the client needs the one that it looks on. To be measured again where a processor is
// free.
import { nativePart } from '../../native/load.js';
import type { WakePart } from '../../native/parts.js';

/** A way to sleep on a word of shared memory. All threads of a process have the same one. */
export type Sleep = Pick<WakePart, 'wait' | 'wake'>;

/** The way of JavaScript. */
export const ATOMICS: Sleep = {
  wait: (words, at, value, ms) => void Atomics.wait(words, at, value, ms),
  wake: (words, at) => void Atomics.notify(words, at),
};

const { part, reason } = nativePart('wake');

/** Sleep of this process. */
export const SLEEP: Sleep = part ?? ATOMICS;
/** Its name for the log, and why it is not the futex where it is not. */
export const SLEEP_NAME: string = part === null ? `Atomics: ${reason}` : 'futex';
