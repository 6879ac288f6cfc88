// How fast are reads of accounts that nobody has just asked for, all over the state?
import { anyAccount, balanceCall, blockOf, faultOf, nonceCall, single } from './calls.js';
import type { Scenario } from './scenario.js';

export const scenario: Scenario = {
  name: 'reads-many',
  question: 'How fast are nonces and balances of accounts all over the state?',
  stage: 'still',
  hasFloor: true,
  runs: [{ name: 'closed loop', part: '', load: { kind: 'closed', connections: 64 } }],
  unavailable: ({ accounts }) => (accounts === 0 ? 'whose accounts there are is not known' : null),
  requests: (world, random) => () => {
    const call = random() < 0.5 ? nonceCall : balanceCall;
    return single(call(anyAccount(world, random), blockOf(world, random)));
  },
  fault: faultOf,
};
