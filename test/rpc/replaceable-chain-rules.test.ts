// The chain rules on the main thread, which may change with a new table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { CurrentRules } from '../../src/rpc/replaceable-chain-rules.js';

const OTHER = { ...DEV_CHAIN, forks: [...DEV_CHAIN.forks, { name: 'bpo1', block: null, timestamp: 5 }] };

test('rules that come with a table are reported once to everything that depends on them', () => {
  const rules = new CurrentRules(DEV_CHAIN);
  const reported: string[] = [];
  rules.add({ useChain: ({ forks }) => reported.push(forks.map(({ name }) => name).join(' ')) });
  assert.deepEqual(rules.use(undefined), {});
  assert.deepEqual(rules.use(structuredClone(DEV_CHAIN)), {});
  assert.deepEqual(rules.use(OTHER), { chain: OTHER });
  assert.deepEqual(rules.use(structuredClone(OTHER)), { chain: OTHER });
  assert.equal(rules.chain, OTHER);
  assert.deepEqual(rules.use(structuredClone(DEV_CHAIN)), {});
  assert.deepEqual(reported, ['osaka', 'osaka bpo1', 'osaka']);
});
