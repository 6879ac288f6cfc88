// How long after an increment is on the wire do responses reflect it?
import { faultOf, hotNonces } from './calls.js';
import type { Scenario } from './scenario.js';

export const scenario: Scenario = {
  name: 'freshness',
  question: 'How long after an increment is on the wire does a poller see it?',
  stage: 'moving',
  needsFeed: true,
  runs: [{ name: 'Flashblock to response', part: '', load: { kind: 'freshness' }, secondsMin: 2 }],
  requests: hotNonces,
  fault: faultOf,
};
