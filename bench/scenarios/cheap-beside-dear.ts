// How long do cheap calls take while another client sends the dearest ones?
import { pick } from '../load/random.js';
import { estimates, faultOf, lacksCall, nonceCall, single } from './calls.js';
import type { Run, Scenario } from './scenario.js';

const NONCES = 'nonces';
const CHEAP = 'ERC-20 transfer';
const DEAR = { part: 'compute', connections: 16 };
/** The cheap ones come at this share of what the slowest target can do: not the rate is asked for, but the wait. */
const load = { kind: 'open', connections: 64, share: 0.1 } as const;

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
  lacks: (world) => lacksCall(world, DEAR.part),
  requests: (world, random, part) => {
    if (part === NONCES) return () => single(nonceCall(pick(random, world.hot), world.block));
    const next = estimates(world, random, part);
    return () => single(next());
  },
  fault: faultOf,
};
