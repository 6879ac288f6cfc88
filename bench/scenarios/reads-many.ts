// How fast are reads of random accounts all over the state?
import { anyAccount, balanceCall, blockOf, faultOf, nonceCall, single } from './calls.js';
import type { Scenario } from './scenario.js';

export const scenario: Scenario = {
  name: 'reads-many',
  question: 'How fast are nonces and balances of accounts all over the state?',
  stage: 'still',
  hasFloor: true,
  runs: [{ name: 'closed loop', part: '', load: { kind: 'closed', connections: 64 } }],
  unavailable: ({ accounts }) => (accounts === 0 ? 'the accounts of the state are unknown' : null),
  requests: (world, random) => () => {
    const call = random() < 0.5 ? nonceCall : balanceCall;
    return single(call(anyAccount(world, random), blockOf(world, random)));
  },
  fault: faultOf,
};
