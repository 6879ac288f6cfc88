// How long does a trader wait for a nonce, some slots and an estimate at every increment?
import { pick, type Random } from '../load/random.js';
import type { World } from '../suite/world.js';
import { blockOf, estimates, faultOf, missingCall, nonceCall, single, slotCall } from './calls.js';
import type { Scenario } from './scenario.js';

/** Calls of a trader: one nonce, two slots, one estimate. A hundred traders send them at every increment of 200 ms. */
const CALLS = 4;
const TRADERS = 100;
const ESTIMATE = 'ERC-20 transfer';

/** The calls in rotation. */
function trader(world: World, random: Random): () => string {
  const estimate = estimates(world, random, ESTIMATE);
  let at = 0;
  return () => {
    const turn = at++ % CALLS;
    if (turn === 0) return nonceCall(pick(random, world.hot), blockOf(world, random));
    return turn === CALLS - 1 ? estimate() : slotCall(pick(random, world.slots), blockOf(world, random));
  };
}

const load = { kind: 'bursts', connections: TRADERS * CALLS, size: TRADERS * CALLS, everyMs: 200 } as const;

export const scenario: Scenario = {
  name: 'trader',
  question: 'How long do a hundred traders wait for their calls at every increment?',
  stage: 'moving',
  runs: [{ name: 'nonce, two slots, estimate', part: '', load, secondsMin: 1 }],
  unavailable: (world) => (world.slots.length === 0 ? 'the state has no known slots' : missingCall(world, ESTIMATE)),
  requests: (world, random) => {
    const next = trader(world, random);
    return () => single(next());
  },
  fault: faultOf,
};
