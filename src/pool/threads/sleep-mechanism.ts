// How an estimator thread sleeps until the main thread has a job, and how the main thread wakes it: by the system's
// futex if the addon supports that, otherwise by Atomics.

// A worker thread sleeps on the system's futex. See DECISIONS.md.
//
// A worker thread does not poll for its next job. See DECISIONS.md.
import { loadNativeModule } from '../../native/load-addon.js';
import type { SystemCallsModule } from '../../native/addon-types.js';

/** A mechanism for sleeping on a word of shared memory. All threads of a process must use the same one. */
export type SleepMechanism = Pick<SystemCallsModule, 'wait' | 'wake'>;

/** Sleeping and waking by Atomics, which are part of JavaScript. */
export const ATOMICS_SLEEP: SleepMechanism = {
  wait: (words, at, value, ms) => void Atomics.wait(words, at, value, ms),
  wake: (words, at) => void Atomics.notify(words, at),
};

const { part: module, reason } = loadNativeModule('wake');

export const SLEEP_MECHANISM: SleepMechanism = module ?? ATOMICS_SLEEP;
/** Name of the mechanism for the log, with the reason if it is not the futex. */
export const SLEEP_MECHANISM_NAME: string = module === null ? `Atomics: ${reason}` : 'futex';
