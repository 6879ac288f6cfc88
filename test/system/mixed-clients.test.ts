// Short and long calls on many connections at once: merged, reverted, disconnected while they run and while the
// response is read. Every response is byte for byte that of its own call, and no memory stays reserved.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { assemble } from '../support/assembler.js';
import { until } from '../support/patience.js';
import { Server, type RpcAnswer } from '../support/server.js';

const IDENTITY = `0x${'04'.padStart(40, '0')}`;
const CONTRACT = `0x${'b1'.repeat(20)}`;
const REVERTS = assemble('CALLDATASIZE; PUSH 0; PUSH 0; CALLDATACOPY; CALLDATASIZE; PUSH 0; REVERT');
/** Returns its call data repeatedly, 128 KiB in total: a short job with a long result, which equal calls share. */
const REPEATS = assemble(
  'PUSH 0; CALLDATALOAD; PUSH 0; MSTORE',
  ...Array.from({ length: 12 }, (_, i) => `PUSH ${32 << i}; PUSH 0; PUSH ${32 << i}; MCOPY`),
  'PUSH 131072; PUSH 0; RETURN',
);

/** A call, its expected response, and after how many milliseconds its connection is cut, if at all. */
interface Query {
  readonly params: readonly unknown[];
  readonly answer: Partial<RpcAnswer>;
  readonly cutMs: number | null;
}

const words = fc.integer({ min: 1, max: 5 }).map((n) => n.toString(16).padStart(64, '0'));
const data = fc
  .tuple(words, fc.oneof({ weight: 3, arbitrary: fc.nat(40) }, { weight: 1, arbitrary: fc.nat(9000) }))
  .map(([word, times]) => `0x${word.repeat(times)}`);
const cutMs = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat(10).map((ms): number | null => ms) },
);
const requested: fc.Arbitrary<Query> = fc.oneof(
  fc.record({ sent: data, cutMs }).map(({ sent, cutMs: cut }) => ({
    params: [{ to: IDENTITY, data: sent }, 'latest'],
    answer: { result: sent },
    cutMs: cut,
  })),
  fc.record({ sent: data, cutMs }).map(({ sent, cutMs: cut }) => ({
    params: [{ to: CONTRACT, data: sent }, 'pending', { [CONTRACT]: { code: REVERTS } }],
    answer: { error: { code: -32_000, message: 'execution reverted', data: sent } },
    cutMs: cut,
  })),
  fc.record({ word: words, cutMs }).map(({ word, cutMs: cut }) => ({
    params: [{ to: CONTRACT, data: `0x${word}` }, 'latest', { [CONTRACT]: { code: REPEATS } }],
    answer: { result: `0x${word.repeat(4096)}` },
    cutMs: cut,
  })),
);

let server: Server;
const agent = new Agent({ keepAlive: true, maxSockets: 12 });
before(async () => {
  server = await Server.start('--workers', '2', '--dev-traffic', '50');
});
after(async () => {
  agent.destroy();
  await server.stop();
});

/** The response body; `null` if the connection was cut before it arrived. */
function post(body: string, cut: number | null): Promise<string | null> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(server.url, { method: 'POST', agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve(Buffer.concat(parts).toString()));
      response.on('error', () => resolve(null));
    });
    sent.on('error', () => resolve(null));
    if (cut !== null) setTimeout(() => sent.destroy(), cut);
    sent.end(body);
  });
}

/** Metrics of requests, jobs and memory in use. */
async function usage(): Promise<Record<string, number>> {
  const text = await server.metrics();
  const names = ['requests_in_flight', 'unsent_bytes', 'answer_bytes', 'jobs_queued', 'jobs_running'];
  return Object.fromEntries(
    names.map((name) => [name, Number(new RegExp(`^prestate_${name} (\\S+)$`, 'm').exec(text)?.[1])]),
  );
}

test('every response belongs to its call, and no memory is reserved at the end', async () => {
  const calls = fc.sample(requested, { seed: 7, numRuns: 120 });
  const answers = await Promise.all(
    calls.map(({ params, cutMs: cut }, id) =>
      post(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_call', params }), cut),
    ),
  );
  let whole = 0;
  for (const [id, { answer, cutMs: cut }] of calls.entries()) {
    const text = answers[id];
    if (text === null && cut !== null) continue;
    whole += 1;
    assert.ok(text === JSON.stringify({ jsonrpc: '2.0', id, ...answer }), `call ${id}: ${text?.slice(0, 200)}`);
  }
  assert.ok(whole > calls.length / 2, `${whole} answers`);
  await until(async () => Object.values(await usage()).every((value) => value === 0));
});
