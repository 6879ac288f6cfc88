// How long do cheap calls take while another client sends the most expensive ones?
import { faultOf, hotNonces, missingCall, singleEstimates } from './calls.js';
import type { World } from '../suite/world.js';
import type { Run, Scenario } from './scenario.js';

const NONCES = 'nonces';
const CHEAP = 'ERC-20 transfer';
const EXPENSIVE = { part: 'expensive estimates', connections: 16 };
/** The rate of cheap calls is this share of the slowest target's capacity, as latency is measured, not throughput. */
const load = { kind: 'open', connections: 64, share: 0.1 } as const;

function callsOf({ expensive }: World, part: string): string {
  return part === EXPENSIVE.part ? expensive : part;
}

const runs: readonly Run[] = [
  { name: 'nonces, quiet', part: NONCES, load },
  { name: 'nonces, with expensive estimates', part: NONCES, load, beside: EXPENSIVE },
  { name: 'ERC-20 estimates, quiet', part: CHEAP, load },
  { name: 'ERC-20 estimates, with expensive estimates', part: CHEAP, load, beside: EXPENSIVE },
];

export const scenario: Scenario = {
  name: 'cheap-beside-dear',
  question: 'How long do cheap calls take while another client sends expensive ones?',
  stage: 'still',
  mayRefuse: true,
  runs,
  unavailable: (world, part) =>
    missingCall(world, world.expensive) ?? (part === NONCES ? null : missingCall(world, part)),
  requests: (world, random, part) =>
    part === NONCES ? hotNonces(world, random) : singleEstimates(world, random, callsOf(world, part)),
  fault: faultOf,
};
