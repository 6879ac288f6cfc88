// The program with the kernel and without it: the same responses on the same state, no mismatch in what the dev chain
// executes meanwhile, and metrics that tell which engine executed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEV_ACCOUNT_ADDRESSES, DEV_GOLD_TOKEN, DEV_SWAP_POOL } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { assertNoMismatch, MODES, readMetric } from '../io/modes.js';
import { LIMITS } from '../../src/limits/index.js';
import { assemble } from '../support/assembler.js';
import { until } from '../support/patience.js';
import { Server } from '../support/server.js';

const [FROM, TO] = DEV_ACCOUNT_ADDRESSES.map(toHex) as [string, string];
const GOLD = toHex(DEV_GOLD_TOKEN);
const TARGET = `0x${'b4'.repeat(20)}`;
const word = (hex: string): string => hex.replace('0x', '').padStart(64, '0');
const TRANSFER = `0xa9059cbb${word(TO)}${word('0x5')}`;
const BALANCE_OF = `0x70a08231${word(FROM)}`;
const SHA256 = '0x0000000000000000000000000000000000000002';
const MOVED = { [SHA256]: { movePrecompileToAddress: `0x${'77'.repeat(20)}` } };

const withCode = (code: string): object => ({ [TARGET]: { code: assemble(code), balance: '0xff' } });

/** Requests at the genesis block, whose responses never change. */
const QUESTIONS: readonly (readonly [transaction: object, overrides?: object])[] = [
  [{ from: FROM, to: TO, value: '0x1' }],
  [{ from: FROM, to: GOLD, data: TRANSFER }],
  [{ from: TARGET, to: GOLD, data: TRANSFER }],
  [{ from: FROM, to: GOLD, data: BALANCE_OF }],
  [{ from: FROM, to: toHex(DEV_SWAP_POOL), data: '0x0902f1ac' }],
  [{ from: FROM, data: `0x${'60'.repeat(50)}` }],
  [{ from: FROM, data: '0x6001600c60003960016000f300' }],
  [{ from: FROM, to: SHA256, data: '0x1234' }],
  [{ from: FROM, to: TARGET }, withCode('PUSH 7; PUSH 1; SSTORE; GAS; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN')],
  // Little gas: it calls itself until none is left, so every unit less may change the number of calls.
  [{ from: FROM, to: TARGET, gas: '0x30d40' }, withCode('PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; ADDRESS; GAS; CALL')],
  [{ from: FROM, to: TARGET }, withCode('PUSH 1; PUSH 0; REVERT')],
  [{ from: FROM, to: TARGET }, withCode('POP')],
  [{ from: FROM, to: TARGET }, withCode(`PUSH ${TO}; SELFDESTRUCT`)],
  [{ from: FROM, to: GOLD, data: TRANSFER }, MOVED],
];

async function answers(server: Server): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const method of ['eth_call', 'eth_estimateGas']) {
    for (const [transaction, overrides = {}] of QUESTIONS) {
      // One at a time, so that each can be verified before the next.
      const { result, error } = await server.query(method, [transaction, 'earliest', overrides]);
      all.push(result ?? error);
    }
  }
  return all;
}

describe('the program', () => {
  const servers = new Map<string, Server>();
  const at = (mode: string): Server => servers.get(mode)!;

  before(async () => {
    for (const flags of MODES) {
      servers.set(flags[1]!, await Server.startPatient('--dev-traffic', '50', '--workers', '1', ...flags));
    }
  });
  after(() => Promise.all([...servers.values()].map((server) => server.stop())));

  test('the program gives the same responses in every mode of execution', async () => {
    const expected = await answers(at('off'));
    assert.deepEqual(await answers(at('on')), expected);
    assert.ok(new Set(expected.map((answer) => JSON.stringify(answer))).size > QUESTIONS.length);
  });

  test('metrics say which engine executed', async () => {
    const moved = 'prestate_kernel_fallbacks_total{reason="moved-precompile"}';
    assert.equal(await readMetric(at('off'), 'prestate_kernel_executions_total'), 0);
    assert.equal(await readMetric(at('off'), moved), 0);
    assert.ok((await readMetric(at('on'), 'prestate_kernel_executions_total')) > QUESTIONS.length);
    assert.ok((await readMetric(at('on'), moved)) >= 2);
    assert.equal(await readMetric(at('on'), 'prestate_kernel_fallbacks_total{reason="trap"}'), 0);
    assert.equal(await readMetric(at('on'), 'prestate_kernel_distrusted_codes'), 0);
  });

  test('code that runs often is compiled, and the responses stay the same', async () => {
    const traces = (): Promise<number> => readMetric(at('on'), 'prestate_kernel_compiled_traces_total');
    const traced = await traces();
    const expected = await answers(at('off'));
    const calls = Array.from({ length: LIMITS.compiledRuns }, (_, i) =>
      at('on').query('eth_call', [
        { from: FROM, to: GOLD, data: `${BALANCE_OF.slice(0, -4)}${(i + 0x1000).toString(16)}` },
      ]),
    );
    await Promise.all(calls);
    assert.ok((await traces()) > traced);
    assert.equal(await readMetric(at('off'), 'prestate_kernel_compiled_traces_total'), 0);
    assert.deepEqual(await answers(at('on')), expected);
    await assertNoMismatch(at('on'));
  });

  test('results of estimators are cross-checked', async () => {
    await until(async () => (await readMetric(at('on'), 'prestate_kernel_checks_total')) > 0);
    await assertNoMismatch(at('on'));
  });
});
