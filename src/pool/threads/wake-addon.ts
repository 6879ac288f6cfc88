// The native way in which threads wake each other, or why there is none. Runs on main and on the estimators.
import { nativePart } from '../../native/load.js';
import type { WakePart } from '../../native/parts.js';

const { part, reason } = nativePart('wake');

/** Addon of this process; all of its threads have it, or none has. */
export const WAKE: { readonly addon: WakePart | null; readonly reason: string } = {
  addon: part,
  reason: part === null ? `Atomics: ${reason}` : 'futex',
};
