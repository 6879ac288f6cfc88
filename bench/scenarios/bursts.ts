// Bursts of a thousand or ten thousand simultaneous requests.
import { faultOf, hotNonces, missingCall, singleEstimates } from './calls.js';
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
  question: 'How long do simultaneous requests take?',
  stage: 'still',
  mayRefuse: true,
  runs: [
    burst('1,000 nonces', NONCES, 1000),
    burst('10,000 nonces', NONCES, 10_000),
    burst('1,000 ERC-20 estimates', ESTIMATE, 1000),
  ],
  unavailable: (world, part) => (part === NONCES ? null : missingCall(world, part)),
  requests: (world, random, part) =>
    part === NONCES ? hotNonces(world, random) : singleEstimates(world, random, part),
  fault: faultOf,
};
