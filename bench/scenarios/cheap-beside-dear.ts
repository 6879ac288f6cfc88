// How long do cheap calls take while another client sends the dearest ones?
import { faultOf, hotNonces, missingCall, singleEstimates } from './calls.js';
import type { World } from '../suite/world.js';
import type { Run, Scenario } from './scenario.js';

const NONCES = 'nonces';
const CHEAP = 'ERC-20 transfer';
const DEAR = { part: 'dear estimates', connections: 16 };
/** The cheap ones come at this share of what the slowest target can do: not the rate is asked for, but the wait. */
const load = { kind: 'open', connections: 64, share: 0.1 } as const;

function callsOf({ dear }: World, part: string): string {
  return part === DEAR.part ? dear : part;
}

const runs: readonly Run[] = [
  { name: 'nonces, quiet', part: NONCES, load },
  { name: 'nonces, beside dear estimates', part: NONCES, load, beside: DEAR },
  { name: 'ERC-20 estimates, quiet', part: CHEAP, load },
  { name: 'ERC-20 estimates, beside dear estimates', part: CHEAP, load, beside: DEAR },
];

export const scenario: Scenario = {
  name: 'cheap-beside-dear',
  question: 'How long do cheap calls take while another client sends dear ones?',
  stage: 'still',
  mayRefuse: true,
  runs,
  unavailable: (world, part) => missingCall(world, world.dear) ?? (part === NONCES ? null : missingCall(world, part)),
  requests: (world, random, part) =>
    part === NONCES ? hotNonces(world, random) : singleEstimates(world, random, callsOf(world, part)),
  fault: faultOf,
};
