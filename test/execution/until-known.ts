// Runs work on a state that is fetched on demand.
import { StateMiss } from '../../src/state/views/state-miss.js';

/** Retries until nothing is missing; the work itself must fetch what it missed. */
export async function untilKnown<T>(work: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StateMiss)) throw error;
    }
  }
}
