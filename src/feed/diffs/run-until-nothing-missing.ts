// Runs a function on incomplete state. Fetches what it misses, and runs it again until nothing is missing.
import { LIMITS } from '../../limits/index.js';
import type { MissingKeys } from '../../state/views/miss-recording-view.js';
import { StateMiss } from '../../state/views/state-miss.js';

/**
 * Runs `work` until it no longer throws StateMiss, and returns its result. After each miss, `fetch` adds the missing
 * state to the table. `work` must leave no effects when it throws.
 */
export async function runUntilNothingMissing<T>(
  work: () => T | Promise<T>,
  fetch: (missing: MissingKeys) => Promise<unknown>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (miss) {
      if (!(miss instanceof StateMiss) || tries === LIMITS.missRoundsMax) throw miss;
      await fetch(keysOfMiss(miss));
    }
  }
}

/** Returns the missing account or slot. */
export function keysOfMiss({ address, slot }: StateMiss): MissingKeys {
  return slot === null ? { accounts: [address], slots: [] } : { accounts: [], slots: [{ address, slot }] };
}
