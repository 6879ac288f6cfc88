// Rows of `npm run pace`: requests that cover the whole path from the socket to the estimator. Runs in the bench and in
// the generator, which must not limit a row: it generates the requests before the turn.
import type { Request } from '../load/loop.js';
import { pick, type Random } from '../load/random.js';
import { anyAccount, blockOf, estimates, faultOf, nonceCall, single, slotCall } from '../scenarios/calls.js';
import type { Run, Scenario } from '../scenarios/scenario.js';
import { accountAt, type World } from '../suite/world.js';

/** A row: requests of one kind at a number of connections. */
export interface PaceRun extends Run {
  readonly load: { readonly kind: 'closed'; readonly connections: number };
  /** Spinning processes compete for all cores meanwhile. */
  readonly isBusy: boolean;
}

type CallSource = (world: World, random: Random) => (id: number) => string;

interface Kind {
  readonly calls: number;
  readonly source: CallSource;
}

const CONNECTIONS = [1, 64];
const BUSY_CONNECTIONS = 64;
/** Calls that are generated before a turn, and sent repeatedly in it. */
const CALLS_MADE = 2000;

const nonce: CallSource = (world, random) => (id) => nonceCall(anyAccount(world, random), blockOf(world, random), id);
const storage: CallSource = (world, random) => (id) => slotCall(pick(random, world.slots), blockOf(world, random), id);

function estimate(name: string): CallSource {
  return (world, random) => {
    const next = estimates(world, random, name);
    return (id) => next().replace('"id":1,', `"id":${id},`);
  };
}

/** From one account to recipients that do not exist in the state. */
const toOthers: CallSource = (world, random) => {
  const hot = Array.from({ length: CALLS_MADE }, (_, i) => accountAt(world.accounts + i));
  return estimate('ERC-20 transfer')({ ...world, hot, senders: world.senders.slice(0, 1) }, random);
};

const mixed: CallSource = (world, random) => {
  const kinds = ['plain transfer', 'V2 router swap', 'ERC-20 transfer', 'ERC-20 transfer'];
  const sources = kinds.map((kind) => estimate(kind)(world, random));
  return (id) => sources[id % sources.length]!(id);
};

const KINDS: Readonly<Record<string, Kind>> = {
  nonce: { calls: 1, source: nonce },
  storage: { calls: 1, source: storage },
  transfer: { calls: 1, source: estimate('plain transfer') },
  'ERC-20, other recipients': { calls: 1, source: toOthers },
  'ERC-20, other senders': { calls: 1, source: estimate('ERC-20 transfer') },
  swap: { calls: 1, source: estimate('V2 router swap') },
  compute: { calls: 1, source: estimate('compute') },
  '50 slots': { calls: 1, source: estimate('50 slots') },
  'batch of 100 nonces': { calls: 100, source: nonce },
  'batch of 20 estimates': { calls: 20, source: mixed },
};
const BUSY = ['nonce', 'transfer', 'swap', 'batch of 20 estimates'];

function runOf(part: string, connections: number, isBusy: boolean): PaceRun {
  const name = `${part}${isBusy ? ', busy machine' : ''}`;
  return { name, part, load: { kind: 'closed', connections }, isBusy };
}

/** Calls per request. */
export function callsIn({ part }: Run): number {
  return KINDS[part]!.calls;
}

function requests(world: World, random: Random, part: string): () => Request {
  const { calls, source } = KINDS[part]!;
  const call = source(world, random);
  const made = Array.from({ length: CALLS_MADE / calls }, (): Request => {
    if (calls === 1) return single(call(1));
    return { body: `[${Array.from({ length: calls }, (_, id) => call(id)).join()}]`, calls };
  });
  let at = 0;
  return () => made[at++ % made.length]!;
}

export const runs: readonly PaceRun[] = [
  ...Object.keys(KINDS).flatMap((part) => CONNECTIONS.map((connections) => runOf(part, connections, false))),
  ...BUSY.map((part) => runOf(part, BUSY_CONNECTIONS, true)),
];

export const scenario: Scenario = {
  name: 'pace',
  question: 'How fast is this build compared with the reference?',
  stage: 'still',
  runs,
  requests,
  fault: faultOf,
};
