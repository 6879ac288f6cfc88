// How an estimator sleeps until main has a job for it, and how main wakes it: by the system's futex if the addon
// supports it, else by Atomics. Runs on main and on the estimators.

// Decision (2026-11, two cores): A worker sleeps on the system's futex (`src/pool/threads/sleep.ts`). `Atomics.notify`
// holds a process-wide lock while it wakes a thread that needs that lock next, so the thread falls asleep again and is
// woken a second time. Gain: an ERC-20 estimate over HTTP takes 0.92 of all threads' time, on 1 to 8 connections.
// Price: 100 lines of C++, on Linux; elsewhere Atomics are used. Node.js cannot terminate a thread that sleeps there;
// none sleeps longer than `mailboxLingerMs`.
//
// Decision (2026-11, two cores): A worker does not busy-wait for its next job. Polling for some 45 or 180 us before it
// sleeps took 11 and 27 % more processor time for a lone estimate, which was no faster, and saved nothing with 64
// connections: on two processors the client needs the one that is polling. To be measured again where a processor is
// free.
import { nativePart } from '../../native/load.js';
import type { WakePart } from '../../native/parts.js';

/** A mechanism to sleep on a word of shared memory. All threads of a process use the same one. */
export type Sleep = Pick<WakePart, 'wait' | 'wake'>;

/** The one built into JavaScript. */
export const ATOMICS: Sleep = {
  wait: (words, at, value, ms) => void Atomics.wait(words, at, value, ms),
  wake: (words, at) => void Atomics.notify(words, at),
};

const { part, reason } = nativePart('wake');

/** The one that this process uses. */
export const SLEEP: Sleep = part ?? ATOMICS;
/** Its name for the log, and the reason if it is not the futex. */
export const SLEEP_NAME: string = part === null ? `Atomics: ${reason}` : 'futex';
