// Lets posted messages be delivered: waits for event-loop ticks, not for time.
import { setImmediate as nextTurn } from 'node:timers/promises';

const TURNS = 3;

/** Resolves a few ticks later. */
export async function fewTicks(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}
