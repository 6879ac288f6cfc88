// How fast are reads and estimates while the publisher renews the state?
import { pick } from '../load/random.js';
import { estimates, faultOf, lacksCall, nonceCall, single } from './calls.js';
import type { Scenario } from './scenario.js';

const NONCES = 'nonces';
const ESTIMATE = 'ERC-20 transfer';

export const scenario: Scenario = {
  name: 'renewing',
  question: 'How fast are reads and estimates behind a feed of increments?',
  stage: 'moving',
  runs: [
    { name: 'nonces', part: NONCES, load: { kind: 'closed', connections: 64 } },
    { name: 'ERC-20 estimates', part: ESTIMATE, load: { kind: 'closed', connections: 64 } },
  ],
  lacks: (world, part) => (part === NONCES ? null : lacksCall(world, part)),
  requests: (world, random, part) => {
    if (part === NONCES) return () => single(nonceCall(pick(random, world.hot), world.block));
    const next = estimates(world, random, part);
    return () => single(next());
  },
  fault: faultOf,
};
