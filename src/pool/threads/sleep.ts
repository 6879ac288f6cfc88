// How an estimator sleeps until main has a job, and how main wakes it: by the system's futex if the addon supports
// that, otherwise by Atomics.

// A worker sleeps on the system's futex. See DECISIONS.md.
//
// A worker does not poll for its next job. See DECISIONS.md.
import { nativePart } from '../../native/load.js';
import type { WakeModule } from '../../native/addon-types.js';

/** A mechanism for sleeping on a word of shared memory. All threads of a process must use the same one. */
export type Sleep = Pick<WakeModule, 'wait' | 'wake'>;

/** The mechanism that is built into JavaScript. */
export const ATOMICS: Sleep = {
  wait: (words, at, value, ms) => void Atomics.wait(words, at, value, ms),
  wake: (words, at) => void Atomics.notify(words, at),
};

const { part: module, reason } = nativePart('wake');

/** The mechanism that this process uses. */
export const SLEEP: Sleep = module ?? ATOMICS;
/** Its name for the log, with the reason if it is not the futex. */
export const SLEEP_NAME: string = module === null ? `Atomics: ${reason}` : 'futex';
