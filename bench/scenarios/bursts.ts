// A thousand requests, or ten thousand, that come at once.
import { pick } from '../load/random.js';
import { estimates, faultOf, lacksCall, nonceCall, single } from './calls.js';
import type { Run, Scenario } from './scenario.js';

const CONNECTIONS = 1000;
const NONCES = 'nonces';
const ESTIMATE = 'ERC-20 transfer';

function burst(name: string, part: string, size: number): Run {
  const everyMs = size / 10;
  return {
    name,
    part,
    load: { kind: 'bursts', connections: CONNECTIONS, size, everyMs },
    secondsMin: (2 * everyMs) / 1000,
  };
}

export const scenario: Scenario = {
  name: 'bursts',
  question: 'How long do requests take that all come at once?',
  stage: 'still',
  mayRefuse: true,
  runs: [
    burst('1,000 nonces', NONCES, 1000),
    burst('10,000 nonces', NONCES, 10_000),
    burst('1,000 ERC-20 estimates', ESTIMATE, 1000),
  ],
  lacks: (world, part) => (part === NONCES ? null : lacksCall(world, part)),
  requests: (world, random, part) => {
    if (part === NONCES) return () => single(nonceCall(pick(random, world.hot), world.block));
    const next = estimates(world, random, part);
    return () => single(next());
  },
  fault: faultOf,
};
