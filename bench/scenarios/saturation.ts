// More estimates than can be borne: how many are accepted, how many refused, how long do those take that are accepted?
import { faultOf, missingCall, singleEstimates } from './calls.js';
import type { Run, Scenario } from './scenario.js';

const CONNECTIONS = 1000;
const ESTIMATE = 'ERC-20 transfer';
/** Percent of what the first target can do. */
const STEPS = [50, 100, 150, 200];

export const scenario: Scenario = {
  name: 'saturation',
  question: 'What becomes of ERC-20 estimates at rates up to twice what can be borne?',
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
