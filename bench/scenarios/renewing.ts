// How fast are reads and estimates while the publisher updates the state?
import { faultOf, hotNonces, missingCall, singleEstimates } from './calls.js';
import type { Scenario } from './scenario.js';

const NONCES = 'nonces';
const ESTIMATE = 'ERC-20 transfer';

export const scenario: Scenario = {
  name: 'renewing',
  question: 'How fast are reads and estimates while following a feed of increments?',
  stage: 'moving',
  runs: [
    { name: 'nonces', part: NONCES, load: { kind: 'closed', connections: 64 } },
    { name: 'ERC-20 estimates', part: ESTIMATE, load: { kind: 'closed', connections: 64 } },
  ],
  unavailable: (world, part) => (part === NONCES ? null : missingCall(world, part)),
  requests: (world, random, part) =>
    part === NONCES ? hotNonces(world, random) : singleEstimates(world, random, part),
  fault: faultOf,
};
