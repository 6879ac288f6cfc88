// More estimates than sustainable: how many are accepted, how many rejected, and what is the latency of accepted ones?
import { faultOf, missingCall, singleEstimates } from './calls.js';
import type { Run, Scenario } from './scenario.js';

const CONNECTIONS = 1000;
const ESTIMATE = 'ERC-20 transfer';
/** Percent of the first target's capacity. */
const STEPS = [50, 100, 150, 200];

export const scenario: Scenario = {
  name: 'saturation',
  question: 'How do ERC-20 estimates fare at up to twice the sustainable rate?',
  stage: 'still',
  mayRefuse: true,
  runs: STEPS.map((percent): Run => ({
    name: `${percent} % of the first target's rate`,
    part: ESTIMATE,
    load: { kind: 'step', connections: CONNECTIONS, share: percent / 100 },
  })),
  unavailable: missingCall,
  requests: singleEstimates,
  fault: faultOf,
};
