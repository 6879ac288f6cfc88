// The generated traffic: its rate, and that it is determined by a seed.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { DEV_CHAIN, TRAFFIC_ACCOUNTS } from '../../../src/feed/dev/genesis.js';
import { LoadGenerator } from '../../../src/feed/dev/load-generator.js';
import { checkTransaction } from '../../../src/feed/dev/stateless-transaction-validation.js';
import { toHex } from '../../../src/lib/bytes/hex.js';

const rules = createChainRules(DEV_CHAIN).at(1, 1);
const first = (): bigint => 3n;

/** The first ten transactions. */
function texts(seed: number): string[] {
  const load = new LoadGenerator(1, seed);
  return Array.from({ length: 10 }, () => toHex(load.make(10n, rules, first)!.raw));
}

void it('traffic keeps its rate at any intervals', () => {
  for (const tps of [0.5, 3, 7, 100]) {
    const load = new LoadGenerator(tps, 1);
    let count = load.due(0);
    for (let nowMs = 0; nowMs < 20_000; nowMs += 170 + (nowMs % 3) * 30) count += load.due(nowMs);
    count += load.due(20_000);
    assert.ok(Math.abs(count - tps * 20) <= 1, `${count} at ${tps} a second`);
  }
});

void it('traffic catches up by one second at most, and rate 0 sends nothing', () => {
  const load = new LoadGenerator(10, 1);
  load.due(0);
  assert.equal(load.due(60_000), 10);
  assert.equal(new LoadGenerator(0.1, 1).due(0), 0);
  const none = new LoadGenerator(0, 1);
  none.due(0);
  assert.equal(none.due(10_000), 0);
});

void it('traffic is the same for the same seed, and different for another', () => {
  assert.deepEqual(texts(1), texts(1));
  assert.notDeepEqual(texts(1), texts(2));
});

void it('an account without a free nonce sends nothing', () => {
  assert.equal(
    new LoadGenerator(1, 1).make(10n, rules, () => null),
    null,
  );
});

void it('every generated transaction passes the checks for submitted ones', () => {
  const load = new LoadGenerator(1, 5);
  const kinds = new Set<string>();
  for (let i = 0; i < 60; i++) {
    const made = load.make(7n, rules, first)!;
    const checked = checkTransaction(made.raw, { chainId: 31337n, rules, blockGasLimit: 30_000_000n }, () => false);
    assert.ok('transaction' in checked);
    assert.deepEqual(checked.transaction, made);
    assert.ok(TRAFFIC_ACCOUNTS.some((account) => toHex(account) === toHex(made.from)));
    kinds.add(toHex(made.data.subarray(0, 4)));
  }
  assert.equal(kinds.size, 3);
});
