// Ten times the load that can be borne: is every request answered or refused at once, do reads notice, and how soon is
// all as before?
import { faultOf, hotNonces, missingCall, singleEstimates } from './calls.js';
import type { Run, Scenario } from './scenario.js';

const NONCES = 'nonces';
/** Those that cost the most: of others the generator could not make ten times as many. */
const DEAR = 'dear estimates';
const FACTOR = 10;
/** More than all places of a queue, so that there is always one free to be refused. */
const CONNECTIONS = 4000;
const read = { kind: 'open', connections: 256, share: 0.05 } as const;

const runs: readonly Run[] = [
  {
    name: 'ten times the estimates for 0.8 s',
    part: DEAR,
    load: { kind: 'surge', connections: CONNECTIONS, share: 0.5, factor: FACTOR, fromMs: 400, toMs: 1200 },
    secondsMin: 2.4,
  },
  { name: 'nonces, quiet', part: NONCES, load: read, secondsMin: 0.6 },
  {
    name: 'nonces, beside ten times the estimates',
    part: NONCES,
    load: read,
    beside: { part: DEAR, connections: CONNECTIONS, factor: FACTOR },
    secondsMin: 0.6,
  },
];

export const scenario: Scenario = {
  name: 'overload',
  question:
    'What becomes of estimates at ten times the rate that can be borne, of reads beside them, and of what comes after?',
  stage: 'still',
  mayRefuse: true,
  runs: runs.map((run) => ({ ...run, isOfFirst: true })),
  unavailable: (world) => missingCall(world, world.dear),
  requests: (world, random, part) =>
    part === NONCES ? hotNonces(world, random) : singleEstimates(world, random, world.dear),
  fault: faultOf,
};
