// Ten times the sustainable load: is every request answered or rejected immediately, do reads slow down, and how long
// does recovery take?
import { faultOf, hotNonces, missingCall, singleEstimates } from './calls.js';
import type { Run, Scenario } from './scenario.js';

const NONCES = 'nonces';
/** The most expensive ones: the generator could not generate ten times the rate of others. */
const EXPENSIVE = 'expensive estimates';
const FACTOR = 10;
/** More than the queue's capacity, so that a connection is always free to be rejected. */
const CONNECTIONS = 4000;
const read = { kind: 'open', connections: 256, share: 0.05 } as const;

const runs: readonly Run[] = [
  {
    name: 'ten times the estimates for 0.8 s',
    part: EXPENSIVE,
    load: { kind: 'surge', connections: CONNECTIONS, share: 0.5, factor: FACTOR, fromMs: 400, toMs: 1200 },
    secondsMin: 2.4,
  },
  { name: 'nonces, quiet', part: NONCES, load: read, secondsMin: 0.6 },
  {
    name: 'nonces, with ten times the estimates',
    part: NONCES,
    load: read,
    beside: { part: EXPENSIVE, connections: CONNECTIONS, factor: FACTOR },
    secondsMin: 0.6,
  },
];

export const scenario: Scenario = {
  name: 'overload',
  question: 'How do estimates at ten times the sustainable rate fare, concurrent reads, and requests afterwards?',
  stage: 'still',
  mayRefuse: true,
  runs: runs.map((run) => ({ ...run, isOfFirst: true })),
  unavailable: (world) => missingCall(world, world.expensive),
  requests: (world, random, part) =>
    part === NONCES ? hotNonces(world, random) : singleEstimates(world, random, world.expensive),
  fault: faultOf,
};
