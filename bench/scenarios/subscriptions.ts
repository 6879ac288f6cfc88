// How long after the first subscriber does each of the others receive the same message?
import { faultOf, hotNonces } from './calls.js';
import type { Run, Scenario } from './scenario.js';

const TOPIC = 'newFlashblocks';

export const scenario: Scenario = {
  name: 'subscriptions',
  question: 'How long after the first subscriber do the others receive the same message?',
  stage: 'moving',
  needsFeed: true,
  runs: [10, 100, 1000].map((subscribers): Run => ({
    name: `${subscribers.toLocaleString('en')} subscribers`,
    part: '',
    load: { kind: 'subscribers', topic: TOPIC, subscribers },
    secondsMin: 1,
  })),
  // Sent beforehand, to check that the target responds at all.
  requests: hotNonces,
  fault: faultOf,
};
