// An estimator's sleep until main has a job for it, and main's way to wake it: by the system's futex where its addon is
// there, else by Atomics. Runs on main and on the estimators.
//
// Gain: Atomics.notify wakes a thread that goes for a lock which main still has, so that it falls asleep again and is woken a
// second time. By futex and bell (doorbell.ts) a lone ERC-20 estimate takes 58 us of all threads instead of 71 and is answered after
// 60 us instead of 69; one of 32 takes 28.5 instead of 31.6. Price: an addon. Node.js cannot end a thread that sleeps there; it
// does not sleep longer than LIMITS.mailboxLingerMs.

// Decision (2026-11, two cores): A worker sleeps by the system's futex (`src/pool/threads/sleep.ts`) and calls main by
// a bell of main's event loop (`src/pool/threads/doorbell.ts`, libuv's `uv_async_send`). `Atomics.notify` holds a lock
// while it wakes a thread that needs that lock next. Gain: a lone ERC-20 estimate takes 58 us of all threads instead of
// 71 and has its answer after 60 us instead of 69; of 32 connections each takes 28.5 instead of 31.6; a lone swap 80
// instead of 90. Price: 210 lines of C++, on Linux; elsewhere Atomics serve.
//
// Decision (2026-11, two cores): It does not stay awake for its next job. To look for it for some 45 or 180 us before
// it sleeps took 11 and 27 % more processor time for a lone estimate, which came no sooner, and saved nothing with 64
// connections: on two processors the client needs the one that it looks on. To be measured again where a processor is
// free.
import type { WakePart } from '../../native/parts.js';
import { WAKE } from './wake-addon.js';

/** A way to sleep on a word of shared memory. All threads of a process have the same one. */
export type Sleep = Pick<WakePart, 'wait' | 'wake'>;

/** The way of JavaScript. */
export const ATOMICS: Sleep = {
  wait: (words, at, value, ms) => void Atomics.wait(words, at, value, ms),
  wake: (words, at) => void Atomics.notify(words, at),
};

/** Sleep of this process. */
export const SLEEP: Sleep = WAKE.addon ?? ATOMICS;
