// Work on state that may not be held, done again as often as something is missing. Runs on the publisher.
import { LIMITS } from '../../limits/index.js';
import { NO_WANTS, type Wants } from '../../state/views/recording-view.js';
import { StateMiss } from '../../state/views/state-miss.js';

/** The result of work that leaves nothing behind where it finds state missing. `hold` makes it held. */
export async function holdMissing<T>(work: () => T | Promise<T>, hold: (wants: Wants) => Promise<unknown>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (miss) {
      if (!(miss instanceof StateMiss) || tries === LIMITS.missRoundsMax) throw miss;
      await hold(wantsOf(miss));
    }
  }
}

function wantsOf({ address, slot }: StateMiss): Wants {
  return slot === null ? { ...NO_WANTS, accounts: [address] } : { ...NO_WANTS, slots: [{ address, slot }] };
}
