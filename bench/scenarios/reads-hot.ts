// How fast are reads of hot state: nonces, balances, storage?
import { pick, type Random } from '../load/random.js';
import type { World } from '../suite/world.js';
import { balanceCall, blockOf, faultOf, nonceCall, single, slotCall } from './calls.js';
import type { Scenario } from './scenario.js';

const CONNECTIONS = 64;
const PIPELINED = 16;

function read(world: World, random: Random): string {
  const { hot, slots } = world;
  const [kind, block] = [random(), blockOf(world, random)];
  if (kind < 1 / 3 && slots.length > 0) return slotCall(pick(random, slots), block);
  return kind < 2 / 3 ? balanceCall(pick(random, hot), block) : nonceCall(pick(random, hot), block);
}

export const scenario: Scenario = {
  name: 'reads-hot',
  question: 'How fast are hot nonces, balances and slots?',
  stage: 'still',
  hasFloor: true,
  runs: [
    { name: 'closed loop', part: '', load: { kind: 'closed', connections: CONNECTIONS } },
    { name: 'half the measured rate', part: '', load: { kind: 'open', connections: CONNECTIONS, share: 0.5 } },
    {
      name: 'pipelined, 16 deep',
      part: '',
      load: { kind: 'closed', connections: CONNECTIONS / 16, pipelined: PIPELINED },
    },
    { name: 'WebSocket', part: '', load: { kind: 'closed', connections: CONNECTIONS, transport: 'websocket' } },
  ],
  requests: (world, random) => () => single(read(world, random)),
  fault: faultOf,
};
