// Lets submitted messages be delivered: waits for ticks of the event loop, not for time.
import { setImmediate as nextTurn } from 'node:timers/promises';

const TURNS = 3;

/** Resolves some turns later. */
export async function patiently(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}
