// The calls with which the program warms up after its start: what is sent, when it ends, what counts them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warmUp } from '../../src/engine/warm-up.js';
import type { EngineRequest } from '../../src/engine-types.js';
import { until } from '../support/patience.js';
import { metric, Server } from '../support/server.js';

test('as many calls as configured are sent, none twice, never more at a time than there are workers', async () => {
  const sent: EngineRequest[] = [];
  let [inFlight, most] = [0, 0];
  const request = async (call: EngineRequest): Promise<void> => {
    sent.push(call);
    most = Math.max(most, ++inFlight);
    await Promise.resolve();
    inFlight--;
  };
  await warmUp({ request }, { calls: 1000, concurrency: 3, head: () => 7 });
  assert.equal(sent.length, 1000);
  assert.equal(most, 3);
  const estimates = sent.filter(({ method }) => method === 'eth_estimateGas').map((call) => JSON.stringify(call));
  assert.ok(estimates.length >= 300);
  assert.equal(new Set(estimates).size, estimates.length);
});

test('it ends when a call fails', async () => {
  let calls = 0;
  const request = (): Promise<void> => (++calls === 10 ? Promise.reject(new Error('no')) : Promise.resolve());
  await warmUp({ request }, { calls: 1000, concurrency: 1, head: () => 7 });
  assert.equal(calls, 10);
});

test('the calls succeed on the dev chain; the pool counts them as jobs, and no method as calls', async () => {
  const server = await Server.start('--warm-up-calls', '64');
  try {
    // Six of eight calls are jobs.
    await until(async () => (await metric(server, 'jobs_completed_total')) >= 48, 'all jobs are answered');
    assert.equal(await metric(server, 'jobs_completed_total'), 48);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    assert.doesNotMatch(metrics, /^prestate_(calls|errors)_total\{.*\} [1-9]/m);
  } finally {
    await server.stop();
  }
});
