// How an estimator sleeps until main has a job for it, and how main wakes it: by the system's futex if the addon
// supports it, else by Atomics.

// A worker sleeps on the system's futex (`src/pool/threads/sleep.ts`). See DECISIONS.md.
//
// A worker does not busy-wait for its next job. See DECISIONS.md.
import { nativePart } from '../../native/load.js';
import type { WakeModule } from '../../native/addon-types.js';

/** A mechanism to sleep on a word of shared memory. All threads of a process use the same one. */
export type Sleep = Pick<WakeModule, 'wait' | 'wake'>;

/** The one built into JavaScript. */
export const ATOMICS: Sleep = {
  wait: (words, at, value, ms) => void Atomics.wait(words, at, value, ms),
  wake: (words, at) => void Atomics.notify(words, at),
};

const { part: module, reason } = nativePart('wake');

/** The one that this process uses. */
export const SLEEP: Sleep = module ?? ATOMICS;
/** Its name for the log, and the reason if it is not the futex. */
export const SLEEP_NAME: string = module === null ? `Atomics: ${reason}` : 'futex';
