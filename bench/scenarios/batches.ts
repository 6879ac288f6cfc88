// Cost per call in batches of ten, a hundred, a thousand.
import { pick, type Random } from '../load/random.js';
import type { World } from '../suite/world.js';
import { blockOf, estimates, faultOf, missingCall, nonceCall } from './calls.js';
import type { Run, Scenario } from './scenario.js';

const CONNECTIONS = 16;
const ESTIMATES = 'estimates';
/** Kinds of calls in the mixed batch. */
const KINDS = ['plain transfer', 'ERC-20 transfer', 'V2 router swap', 'swap'];

const nonces = [10, 100, 1000].map((size): Run => ({
  name: `${size} nonces`,
  part: `${size}`,
  load: { kind: 'closed', connections: CONNECTIONS },
}));
const mixed: Run = { name: '100 estimates', part: ESTIMATES, load: { kind: 'closed', connections: CONNECTIONS } };

/** The kinds that the state has. */
function kindsOf(world: World): string[] {
  return KINDS.filter((kind) => missingCall(world, kind) === null);
}

/** Returns a generator of the batch's calls. */
function callsOf(world: World, random: Random, part: string): (id: number) => string {
  if (part !== ESTIMATES) return (id) => nonceCall(pick(random, world.hot), blockOf(world, random), id);
  const kinds = kindsOf(world).map((kind) => estimates(world, random, kind));
  return (id) => kinds[id % kinds.length]!().replace('"id":1,', `"id":${id},`);
}

export const scenario: Scenario = {
  name: 'batches',
  question: 'What does a call cost in a batch?',
  stage: 'still',
  hasFloor: true,
  runs: [...nonces, mixed],
  unavailable: (world, part) =>
    part === ESTIMATES && kindsOf(world).length === 0 ? 'the state has no such calls' : null,
  requests: (world, random, part) => {
    const call = callsOf(world, random, part);
    const calls = part === ESTIMATES ? 100 : Number(part);
    return () => ({ body: `[${Array.from({ length: calls }, (_, id) => call(id)).join(',')}]`, calls });
  },
  fault: faultOf,
};
