// More estimates than the workers can handle: those beyond the queue are refused at once, those that wait too long a
// little later; reads are unaffected, and afterwards everything is as before. And jobs that would occupy every worker
// for as long as possible, next to cheap ones of other clients.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '../../src/limits/index.js';
import { assemble } from '../support/assembler.js';
import { until } from '../support/patience.js';
import { type RpcAnswer, Server } from '../support/server.js';
import { DEV_ACCOUNT_ADDRESSES, DEV_GOLD_TOKEN } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { type Call, queryAll, batch } from './batch.js';

const SLOW = `0x${'b3'.repeat(20)}`;
/** Calls BLAKE2F repeatedly: all the gas of a call takes many seconds. */
const CODE = assemble(
  'PUSH 20000; PUSH 224; SHL; PUSH 0; MSTORE',
  'LABEL again; PUSH 0; PUSH 0; PUSH 213; PUSH 0; PUSH 9; GAS; STATICCALL; POP; REF again; JUMP',
);
const TOKEN_POOL = '0x7000000000000000000000000000000000000010';
const TIMED_OUT = { code: -32_000, message: 'execution aborted (timeout = 2s)' };
const REFUSED = { code: -32_005, message: 'limit exceeded' };
const BEYOND = 40;
/** Jobs that one client may have queued if they are short. */
const HALF = LIMITS.queuedJobsMax / 2;

/** More than any machine can use up in time. */
const GAS_CAP = '4000000000';

/** A call that runs until its timeout. All are different, because equal calls would share a result. */
function slow(index: number): Call {
  const data = `0x${index.toString(16).padStart(8, '0')}`;
  return ['eth_call', { to: SLOW, data }, 'latest', { [SLOW]: { code: CODE } }];
}

/** A metric, summed over its labels. */
async function readMetric(server: Server, name: string): Promise<number> {
  const text = await server.metrics();
  const values = [...text.matchAll(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
  assert.ok(values.length > 0, `no metric ${name}`);
  return values.reduce((sum, value) => sum + value, 0);
}

describe('overload', () => {
  let server: Server;
  before(async () => {
    const flags = ['--workers', '1', '--estimate-timeout', '2000', '--gas-cap', GAS_CAP, '--dev-traffic', '5'];
    server = await Server.start(...flags);
  });
  after(() => server.stop());

  const metric = (name: string): Promise<number> => readMetric(server, name);

  test('a call beyond its deadline gets a timeout error', async () => {
    const [method, ...params] = slow(0);
    const { error } = await server.query(method, params);
    assert.deepEqual(error, TIMED_OUT);
  });

  test('calls that could not be done in time are refused at once, and reads are answered', async () => {
    const storms = { left: 2 };
    const whole = Array.from({ length: HALF / 2 + 1 }, (_, i) => i);
    const storm = [0, 1].map(async (part) => {
      const calls = whole.map((i) => slow(part * whole.length + i));
      const { answers } = await queryAll(server, calls);
      storms.left--;
      return answers;
    });
    await until(async () => (await metric('prestate_jobs_refused_total')) >= HALF / 2);

    const beyond = Array.from({ length: BEYOND }, async (_, i) => {
      const [method, ...params] = slow(1_000_000 + i);
      const { status, headers, text } = await server.post(JSON.stringify({ jsonrpc: '2.0', id: i, method, params }));
      if (status !== 429) return 0;
      assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id: i, error: REFUSED });
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
      return 1;
    });
    let reads = 0;
    for (; reads < 300 && storms.left > 0; reads++) {
      const { results } = await batch(
        server,
        ['eth_getTransactionCount', TOKEN_POOL, 'pending'],
        ['eth_getStorageAt', TOKEN_POOL, '0x0', 'latest'],
      );
      assert.equal(results[0], '0x1');
    }
    assert.ok(reads > 10, `${reads} reads were answered while the calls were waiting`);
    const refusedBeyond = (await Promise.all(beyond)).reduce<number>((sum, refused) => sum + refused, 0);
    assert.ok(refusedBeyond > BEYOND / 2, 'all but those for which a job that ended has made room');

    const answers = (await Promise.all(storm)).flat();
    const timedOut = answers.filter(({ error }) => error?.message === TIMED_OUT.message).length;
    const refused = answers.filter(({ error }) => error?.message === REFUSED.message).length;
    assert.equal(timedOut + refused, answers.length, 'every one of them was told why');
    assert.ok(timedOut >= 1 && refused > timedOut, `${timedOut} timed out, ${refused} waited too long`);
  });

  test('a call refused after waiting has status 429, too', async () => {
    const calls = [1, 2, 3, 4, 5, 6].map((i) => slow(2_000_000 + i));
    const answers = await Promise.all(
      calls.map(([method, ...params]) => server.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))),
    );
    for (const { status, text } of answers) assert.equal(status, text.includes(REFUSED.message) ? 429 : 200, text);
    assert.ok(answers.some(({ status }) => status === 429));
  });

  test('after the overload estimates work as before', async () => {
    const call = { to: TOKEN_POOL, data: '0x' };
    const answer = await server.query('eth_estimateGas', [{ to: `0x${'aa'.repeat(20)}` }]);
    assert.equal(answer.result, '0x5208');
    assert.equal((await server.query('eth_estimateGas', [call, 'pending'])).error?.message, 'execution reverted');
    await until(async () => (await metric('prestate_jobs_running')) === 0);
    assert.equal(await metric('prestate_jobs_queued'), 0);
    assert.equal(await metric('prestate_worker_kills_total'), 0);
  });
});

/**
 * Codes that run for as long as possible: several kinds of endless loops, and precompiles that nothing can interrupt.
 */
const BOMBS = [
  assemble('LABEL again; PUSH 7; PUSH 9; MUL; POP; REF again; JUMP'),
  assemble('PUSH 0; PUSH 0; PUSH 192000; PUSH 0; PUSH 8; GAS; STATICCALL; STOP'),
  assemble(
    'PUSH 40000000; PUSH 224; SHL; PUSH 0; MSTORE; PUSH 0; PUSH 0; PUSH 213; PUSH 0; PUSH 9; GAS; STATICCALL; STOP',
  ),
  assemble('LABEL again; PUSH 0; PUSH 0; PUSH 0; CREATE; POP; REF again; JUMP'),
  CODE,
];
const BOMBERS = 15;
const HONEST = 4;
const HONEST_EACH = 60;

/** A call of the bomb of this number; all are different. */
function bomb(number: number, tag: number): Call {
  const to = `0x${(0xd0 + number).toString(16).repeat(20)}`;
  const data = `0x${tag.toString(16).padStart(8, '0')}`;
  return ['eth_call', { to, data }, 'latest', { [to]: { code: BOMBS[number] } }];
}

/** An estimate of an ERC-20 transfer; all are different. */
function transfer(tag: number): Call {
  const words = [tag + 1, 1].map((word) => word.toString(16).padStart(64, '0')).join('');
  return [
    'eth_estimateGas',
    { from: toHex(DEV_ACCOUNT_ADDRESSES[0]!), to: toHex(DEV_GOLD_TOKEN), data: `0xa9059cbb${words}` },
  ];
}

/** Sends a request from the agent's own address. */
function queryFrom(agent: Agent, url: string, [method, ...params]: Call): Promise<RpcAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(JSON.parse(text) as RpcAnswer));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  });
}

test('cheap estimates are answered beside jobs that would occupy every worker', async () => {
  const flags = ['--workers', '2', '--estimate-timeout', '1000', '--gas-cap', GAS_CAP, '--dev-traffic', '5'];
  const server = await Server.start(...flags);
  const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.2' });
  try {
    for (let tag = 0; tag < 20; tag++) await server.query(...requested(transfer(tag)));
    const over = new AbortController();
    const ends: string[] = [];
    const bombers = Array.from({ length: BOMBERS }, async (_, bomber) => {
      for (let tag = bomber; !over.signal.aborted; tag += BOMBERS) {
        const { error } = await queryFrom(agent, server.url, bomb(bomber % BOMBS.length, tag));
        ends.push(error?.message ?? 'done');
      }
    });
    await until(() => ends.includes('execution aborted (timeout = 1s)'));
    const honest = Array.from({ length: HONEST }, async (_, client) => {
      for (let tag = 0; tag < HONEST_EACH; tag++) {
        const answer = await server.query(...requested(transfer(1000 * (client + 1) + tag)));
        assert.match(String(answer.result), /^0x[0-9a-f]+$/, JSON.stringify(answer));
      }
    });
    await Promise.all(honest);
    over.abort();
    await Promise.all(bombers);
    // Killed workers are not checked: one that got no CPU for seconds is rightly killed.
  } finally {
    agent.destroy();
    await server.stop();
  }
});

function requested([method, ...params]: Call): readonly [method: string, params: readonly unknown[]] {
  return [method, params];
}
