// How fast are gas estimates by kind, each with a different sender, recipient and amount?
import { faultOf, missingCall, singleEstimates } from './calls.js';
import type { Run, Scenario } from './scenario.js';

const CONNECTIONS = 64;
/** The last two are for external chains: calls of their newest blocks. */
const KINDS = [
  'plain transfer',
  'ERC-20 transfer',
  'V2 router swap',
  'compute',
  '50 slots',
  'swap',
  'recent transactions',
];

const loaded = KINDS.map((part): Run => ({ name: part, part, load: { kind: 'closed', connections: CONNECTIONS } }));

function alone(part: string): Run {
  return { name: `${part}, one connection`, part, load: { kind: 'closed', connections: 1 } };
}

export const scenario: Scenario = {
  name: 'estimates',
  question: 'How fast are gas estimates by kind, each a different one?',
  stage: 'still',
  runs: [...loaded, ...['ERC-20 transfer', 'V2 router swap', 'swap'].map(alone)],
  unavailable: missingCall,
  requests: singleEstimates,
  fault: faultOf,
};
