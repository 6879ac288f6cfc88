// The rules that main answers by: they change with a table, and nothing is executed while they are in doubt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import type { Runners } from '../../src/rpc/served-rules.js';
import { ServedRules } from '../../src/rpc/served-rules.js';
import type { Outcome } from '../../src/transaction/call-request.js';
import { job } from '../support/jobs.js';

const OTHER = { ...DEV_CHAIN, forks: [...DEV_CHAIN.forks, { name: 'bpo1', block: null, timestamp: 5 }] };

test('rules that come with a table are told to all who keep what follows from them, once', () => {
  const rules = new ServedRules(DEV_CHAIN, () => null);
  const told: string[] = [];
  rules.add({ useChain: ({ forks }) => told.push(forks.map(({ name }) => name).join(' ')) });
  assert.deepEqual(rules.use(undefined), {});
  assert.deepEqual(rules.use(structuredClone(DEV_CHAIN)), {});
  assert.deepEqual(rules.use(OTHER), { chain: OTHER });
  assert.deepEqual(rules.use(structuredClone(OTHER)), { chain: OTHER });
  assert.equal(rules.chain, OTHER);
  assert.deepEqual(rules.use(structuredClone(DEV_CHAIN)), {});
  assert.deepEqual(told, ['osaka', 'osaka bpo1', 'osaka']);
});

test('nothing is executed while the rules are in doubt', async () => {
  const gas: Outcome = { kind: 'gas', gas: 21_000n };
  let doubt: string | null = null;
  const parts: Runners = {
    pool: { submit: () => Promise.resolve(gas) },
    preflight: { answer: () => gas },
  };
  const { pool, preflight } = new ServedRules(DEV_CHAIN, () => doubt).guarded(parts);
  const asked = job({});
  const states = { stateAt: () => assert.fail('nothing is read') };
  assert.deepEqual([await pool.submit(asked), preflight.answer(asked, states)], [gas, gas]);
  doubt = 'a fork';
  const message = 'the rules of the chain are not known to be right: a fork';
  const refused = { kind: 'failure', error: 'rulesUnknown', message };
  assert.deepEqual([await pool.submit(asked), preflight.answer(asked, states)], [refused, refused]);
});
