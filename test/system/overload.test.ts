// More estimates than there are workers for: what is beyond the queue is refused at once, what waits too long a little later,
// reads do not notice, and when the storm is over everything is as before.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '../../src/limits.js';
import { assemble } from '../support/assembler.js';
import { eventually, until } from '../support/patience.js';
import { Server } from '../support/server.js';
import { type Call, askAll, batch } from './batch.js';

const SLOW = `0x${'b3'.repeat(20)}`;
/** Calls BLAKE2F, whose gas is far cheaper than its time, again and again: all of a transaction's gas takes many seconds. */
const CODE = assemble(
  'PUSH 20000; PUSH 224; SHL; PUSH 0; MSTORE',
  'LABEL again; PUSH 0; PUSH 0; PUSH 213; PUSH 0; PUSH 9; GAS; STATICCALL; POP; REF again; JUMP',
);
const TOKEN_POOL = '0x7000000000000000000000000000000000000010';
const TIMED_OUT = { code: -32_000, message: 'execution aborted (timeout = 2s)' };
const REFUSED = { code: -32_005, message: 'limit exceeded' };
const BEYOND = 40;

/** An estimate that takes its whole time. All are different, as equal ones would share an answer. */
function slow(index: number): Call {
  const data = `0x${index.toString(16).padStart(8, '0')}`;
  return ['eth_estimateGas', { to: SLOW, data }, 'latest', { [SLOW]: { code: CODE } }];
}

describe('overload', () => {
  let server: Server;
  before(async () => {
    server = await Server.start('--workers', '1', '--estimate-timeout', '2000', '--dev-traffic', '5');
  });
  after(() => server.stop());

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    assert.ok(value !== undefined, `no metric ${name}`);
    return Number(value);
  }

  test('an estimate that takes too long is told so', async () => {
    const [method, ...params] = slow(0);
    const { error } = await server.ask(method, params);
    assert.deepEqual(error, TIMED_OUT);
  });

  test('beyond the bound estimates are refused at once, and reads go on', async () => {
    let left = 2;
    const whole = Array.from({ length: LIMITS.queuedJobsMax / 2 }, (_, i) => i);
    const storm = whole.slice(0, 2).map(async (part) => {
      const calls = whole.map((i) => slow(part * whole.length + i));
      const { answers } = await askAll(server, calls);
      left--;
      return answers;
    });
    await eventually(async () => {
      const jobs = (await metric('prestate_jobs_queued')) + (await metric('prestate_jobs_running'));
      return jobs >= LIMITS.queuedJobsMax ? true : undefined;
    });

    for (let i = 0; i < BEYOND; i++) {
      const [method, ...params] = slow(1_000_000 + i);
      const { status, headers, text } = await server.post(JSON.stringify({ jsonrpc: '2.0', id: i, method, params }));
      assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id: i, error: REFUSED });
      assert.equal(status, 429);
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    }
    for (let i = 0; i < 300; i++) {
      const { results } = await batch(
        server,
        ['eth_getTransactionCount', TOKEN_POOL, 'pending'],
        ['eth_getStorageAt', TOKEN_POOL, '0x0', 'latest'],
      );
      assert.equal(results[0], '0x1');
    }
    assert.equal(left, 2, 'all of that was answered while the estimates were waiting');
    assert.ok((await metric('prestate_jobs_refused_total')) >= BEYOND);

    const answers = (await Promise.all(storm)).flat();
    const timedOut = answers.filter(({ error }) => error?.message === TIMED_OUT.message).length;
    const refused = answers.filter(({ error }) => error?.message === REFUSED.message).length;
    assert.equal(timedOut + refused, LIMITS.queuedJobsMax, 'every one of them was told why');
    assert.ok(timedOut >= 1 && refused > timedOut, `${timedOut} timed out, ${refused} waited too long`);
  });

  test('one that is refused after waiting says so in its status, too', async () => {
    const calls = [1, 2, 3, 4, 5, 6].map((i) => slow(2_000_000 + i));
    const answers = await Promise.all(
      calls.map(([method, ...params]) => server.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))),
    );
    for (const { status, text } of answers) assert.equal(status, text.includes(REFUSED.message) ? 429 : 200, text);
    assert.ok(answers.some(({ status }) => status === 429));
  });

  test('after the storm estimates work as before', async () => {
    const call = { to: TOKEN_POOL, data: '0x' };
    const answer = await server.ask('eth_estimateGas', [{ to: `0x${'aa'.repeat(20)}` }]);
    assert.equal(answer.result, '0x5208');
    assert.equal((await server.ask('eth_estimateGas', [call, 'pending'])).error?.message, 'execution reverted');
    await until(async () => (await metric('prestate_jobs_running')) === 0);
    assert.equal(await metric('prestate_jobs_queued'), 0);
    assert.equal(await metric('prestate_worker_kills_total'), 0);
  });
});
