// How fast are nonces at `pending` over a thousand connections?
import { faultOf, hotNonces } from './calls.js';
import type { Scenario } from './scenario.js';

const CONNECTIONS = 1000;

export const scenario: Scenario = {
  name: 'nonces',
  question: 'How fast are nonces over a thousand connections?',
  stage: 'still',
  hasFloor: true,
  runs: [
    { name: 'closed loop', part: '', load: { kind: 'closed', connections: CONNECTIONS } },
    { name: 'half the measured rate', part: '', load: { kind: 'open', connections: CONNECTIONS, share: 0.5 } },
  ],
  requests: hotNonces,
  fault: faultOf,
};
