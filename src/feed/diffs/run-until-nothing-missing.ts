// Runs work on state of which parts may be missing, and repeats it until nothing is missing.
import { LIMITS } from '../../limits/index.js';
import { NO_MISSING_KEYS, type MissingKeys } from '../../state/views/miss-recording-view.js';
import { StateMiss } from '../../state/views/state-miss.js';

/** The result of the work, which must leave no effects when state is missing. `fetch` makes that resident. */
export async function runUntilNothingMissing<T>(
  work: () => T | Promise<T>,
  fetch: (missing: MissingKeys) => Promise<unknown>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (miss) {
      if (!(miss instanceof StateMiss) || tries === LIMITS.missRoundsMax) throw miss;
      await fetch(missingKeysIn(miss));
    }
  }
}

function missingKeysIn({ address, slot }: StateMiss): MissingKeys {
  return slot === null
    ? { ...NO_MISSING_KEYS, accounts: [address] }
    : { ...NO_MISSING_KEYS, slots: [{ address, slot }] };
}
