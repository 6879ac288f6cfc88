// Messages about watched calls from running programs, compared with responses at the same position: a dev chain, a live
// chain that follows it, and an imported chain, which never changes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, TRAFFIC_ACCOUNTS } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { LIMITS } from '../../src/limits/index.js';
import { makeOwnChain, SENDER, STORE, type OwnChain } from '../support/own-chain.js';
import { eventually, until } from '../support/patience.js';
import { Server, type RpcAnswer, metric } from '../support/server.js';
import { batch, type Block, type Call } from './batch.js';
import { startFollowedChain, type FollowedChain } from './followed-chain.js';
import { Listener, type Json } from './listener.js';

/** Positions at which both the message and the response must be known. */
const COMPARED = 6;
const ACCOUNTS = TRAFFIC_ACCOUNTS.slice(0, 4).map(toHex);
const RECEIVER = `0x${'5a'.repeat(20)}`;
const [GOLD, POOL] = [toHex(DEV_GOLD_TOKEN), toHex(DEV_SWAP_POOL)];
const word = (text: string): string => text.replace('0x', '').padStart(64, '0');
const TRANSFER = { from: ACCOUNTS[0], to: GOLD, data: `0xa9059cbb${word(RECEIVER)}${word('1')}` };
const SWAP = {
  from: ACCOUNTS[1],
  to: POOL,
  data: `0xf3e6ea8a${word(GOLD)}${word('ffff')}${word('0')}${word(ACCOUNTS[1]!)}`,
};

const traced = (config: object): object => ({ method: 'debug_traceCall', params: [TRANSFER, 'pending', config] });

/** Code that returns the number of its block. */
const NUMBER = '0x435f5260205ff3';

const WATCHED: readonly Call[] = [
  ['eth_call', { to: RECEIVER }, 'latest', { [RECEIVER]: { code: NUMBER } }],
  ...ACCOUNTS.map((address): Call => ['eth_getTransactionCount', address, 'pending']),
  ...['0x0', '0x1', '0x2', '0x3'].map((slot): Call => ['eth_getStorageAt', POOL, slot, 'pending']),
  ['eth_getTransactionCount', ACCOUNTS[0], 'latest'],
  ['eth_getStorageAt', POOL, '0x2', 'latest'],
  ['eth_estimateGas', TRANSFER, 'pending'],
  ['eth_estimateGas', SWAP, 'pending'],
  ['eth_call', SWAP, 'pending'],
  ['eth_call', SWAP, 'latest'],
  ['debug_traceCall', SWAP, 'pending', { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
];
const CALLS = { calls: WATCHED.map(([method, ...params]) => ({ method, params })) };

/**
 * Responses by position: block, increment, the hash if the block is complete, and the latest block, as reported by the
 * first response: it may change after an increment that remains.
 */
async function requested(server: Server, into: Map<string, string>): Promise<void> {
  const { results, position } = await batch(
    server,
    ['eth_getBlockByNumber', 'pending', false],
    ['eth_blockNumber'],
    ...WATCHED,
  );
  const [{ number, hash }, latest, ...answers] = results as [Block, string, ...unknown[]];
  const isComplete = number === latest;
  into.set(positionOf([number, position % 2 ** 20, isComplete ? hash : null], answers), JSON.stringify(answers));
}

function positionOf(
  pending: readonly [block: string, index: number, hash: string | null],
  answers: readonly unknown[],
): string {
  return [...pending, answers[0]].join(' ');
}

/** Results that the messages report, by position, message by message. */
function reported(messages: readonly Json[]): Map<string, string> {
  const positions = new Map<string, string>();
  const received: unknown[] = [];
  for (const { answers, position } of messages) {
    for (const { call, result } of answers as { call: number; result: unknown }[]) received[call] = result;
    const { block, index, hash } = position as { block: string; index: string; hash: string | null };
    positions.set(positionOf([block, Number(index), hash], received), JSON.stringify(received));
  }
  return positions;
}

async function agrees(server: Server): Promise<void> {
  const listener = await Listener.open(server);
  const id = await listener.subscribe('watch', CALLS);
  const answered = new Map<string, string>();
  await until(async () => {
    await requested(server, answered);
    const positions = [...reported(listener.reported(id))].filter(([position]) => answered.has(position));
    for (const [position, answers] of positions) assert.equal(answers, answered.get(position), position);
    return positions.length >= COMPARED;
  }, 'positions at which both is known');
  listener.close();
  await eventually(async () => ((await metric(server, 'watched_calls')) === 0 ? true : undefined));
}

describe('watch', () => {
  let chain: FollowedChain;
  before(async () => {
    chain = await startFollowedChain();
  });
  after(() => chain.stop());

  test('on a dev chain messages equal responses', () => agrees(chain.dev));

  test('on a live chain messages equal responses', () => agrees(chain.live));

  test('a call that cannot be watched is refused', async () => {
    const listener = await Listener.open(chain.dev);
    const refusal = async (parameter?: unknown): Promise<NonNullable<RpcAnswer['error']>> =>
      (await listener.query('eth_subscribe', 'watch', parameter)).error!;
    const call = { method: 'eth_getBalance', params: [RECEIVER, 'pending'] };
    const many = Array.from({ length: LIMITS.watchedCallsPerSocketMax + 1 }, () => call);
    const texts = [
      [null, 'missing value for required argument 1'],
      [{ calls: 7 }, 'invalid argument 1: json: cannot unmarshal number into Go value of type []watch.Call'],
      [{}, 'no call to watch'],
      [{ calls: [] }, 'no call to watch'],
      [{ calls: many }, 'too many watched calls (max 64)'],
      [
        { calls: [call, { ...call, method: 'eth_sendRawTransaction' }] },
        'watched call 1: "eth_sendRawTransaction" cannot be watched',
      ],
      [{ calls: [{ ...call, params: [RECEIVER, 'safe'] }] }, 'watched call 0: only pending and latest are watched'],
      [
        { calls: [traced({ tracer: 'myTracer' })] },
        /^watched call 0: invalid argument 2: no tracer is called "myTracer"/,
      ],
      [
        { calls: [traced({ txIndex: '0x0' })] },
        'watched call 0: invalid argument 2: no trace inside a block is watched',
      ],
      [{ calls: [traced({ other: 1 })] }, 'watched call 0: invalid argument 2: a member is not known'],
    ] as const;
    for (const [parameter, text] of texts) {
      const { code, message } = await refusal(parameter);
      assert.equal(code, -32_602);
      if (typeof text === 'string') assert.equal(message, text);
      else assert.match(message, text);
    }
    const id = await listener.subscribe('watch', { calls: many.slice(1) });
    assert.deepEqual(await refusal({ calls: [call] }), { code: -32_005, message: 'too many watched calls (max 64)' });
    assert.equal((await listener.query('eth_unsubscribe', id)).result, true);
    const [{ answers }] = (await listener.until(await listener.subscribe('watch', { calls: [call] }), 1)) as [Json];
    assert.deepEqual(answers, [{ call: 0, result: '0x0' }]);
    listener.close();
  });
});

describe('watch on an imported chain', () => {
  const calls: readonly Call[] = [
    ['eth_getTransactionCount', SENDER, 'pending'],
    ['eth_getBalance', SENDER, 'latest'],
    ['eth_getStorageAt', STORE, '0x4', 'pending'],
    ['eth_estimateGas', { from: SENDER, to: RECEIVER, value: '0x1' }, 'pending'],
    ['eth_call', { to: STORE, data: `0x${word('4')}${word('9')}` }, 'latest'],
  ];
  const watched = { calls: calls.map(([method, ...params]) => ({ method, params })) };
  let chain: OwnChain;
  let server: Server;
  before(async () => {
    chain = await makeOwnChain();
    server = await Server.start('--genesis', chain.genesisFile, '--chain', chain.chainFile);
  });
  after(() => server.stop());

  test('the first message has all results, and no other one comes', async () => {
    const listener = await Listener.open(server);
    const id = await listener.subscribe('watch', watched);
    const [first] = (await listener.until(id, 1)) as [Json];
    const { results } = await batch(server, ...calls);
    assert.deepEqual(
      first['answers'],
      results.map((result, call) => ({ call, result })),
    );
    const { number, hash } = chain.blocks.at(-1)!;
    const position = first['position'] as { block: string; hash: string };
    assert.deepEqual([Number(position.block), position.hash], [number, hash]);
    // Messages that were due by now arrive before this response; a second watcher of the same calls causes no further
    // run.
    const other = await listener.subscribe('watch', watched);
    assert.deepEqual((await listener.until(other, 1))[0], first);
    for (let round = 0; round < 3; round++) await listener.query('eth_call', calls[4]![1], 'latest');
    assert.deepEqual([listener.reported(id).length, listener.reported(other).length], [1, 1]);
    assert.equal(await metric(server, 'watch_runs_total'), calls.length);
    for (const each of [id, other]) assert.equal((await listener.query('eth_unsubscribe', each)).result, true);
    const counts = ['watched_calls', 'watched_keys', 'subscriptions{topic="watch"}'].map((name) =>
      metric(server, name),
    );
    assert.deepEqual(await Promise.all(counts), [0, 0, 0]);
    listener.close();
  });
});
