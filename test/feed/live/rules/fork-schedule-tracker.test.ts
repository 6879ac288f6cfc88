// When a node's rules are requested again: before a block only if they may have changed, otherwise in parallel to the
// blocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ForkScheduleTracker, type RuleQueryOptions } from '../../../../src/feed/live/rules/fork-schedule-tracker.js';
import type { KnownRules } from '../../../../src/feed/live/rules/rules-from-node-forks.js';
import type { EthConfigForks } from '../../../../src/feed/live/rules/eth-config-fork.js';
import { LIMITS } from '../../../../src/limits/index.js';
import { UpstreamError } from '../../../../src/upstream/upstream.js';
import { chainAt } from '../../../support/jobs.js';

const CHAIN = chainAt('osaka');
const FORK = { activationTime: 0, blobSchedule: null, forkId: null, precompiles: {}, systemContracts: {} };
const REPORTED: EthConfigForks = { current: FORK, next: null, last: null };
const WITH_UNKNOWN_FORK: KnownRules = { chain: CHAIN, unknown: { since: 90, reason: 'a fork' } };

/** A tracker whose requests are answered by the test. */
class Rig {
  nowMs = 0;
  returns = 0;
  readonly open: { answer: () => void; fail: () => void }[] = [];
  readonly tracker: ForkScheduleTracker;

  constructor() {
    const request = (): Promise<EthConfigForks> =>
      new Promise((resolve, reject) => {
        const error = new UpstreamError('unreachable', 'gone');
        this.open.push({ answer: () => resolve(REPORTED), fail: () => reject(error) });
      });
    const query: RuleQueryOptions = {
      query: request,
      check: () => WITH_UNKNOWN_FORK,
      returns: () => this.returns,
      now: () => this.nowMs,
    };
    this.tracker = new ForkScheduleTracker({ chain: CHAIN, unknown: null }, query, REPORTED);
  }

  /** Passes the first block, for which the node is queried. */
  async first(): Promise<void> {
    const ruling = this.tracker.rulingFor(80n);
    this.open.shift()!.answer();
    await ruling;
  }
}

test('no block waits for a periodic request of the rules, and the next block uses the response', async () => {
  const rig = new Rig();
  await rig.first();
  const { tracker, open } = rig;
  assert.equal((await tracker.rulingFor(81n)).doubt, null);
  assert.equal(open.length, 0);
  rig.nowMs = LIMITS.rulesQueryMs;
  assert.equal((await tracker.rulingFor(82n)).doubt, null);
  assert.equal((await tracker.rulingFor(83n)).doubt, null);
  assert.equal(open.length, 1, 'once');
  open.shift()!.fail();
  await Promise.resolve();
  await Promise.resolve();
  assert.equal((await tracker.rulingFor(84n)).doubt, null);
  assert.equal(open.length, 1, 'again for the next block');
  open.shift()!.answer();
  await Promise.resolve();
  await Promise.resolve();
  await tracker.rulingFor(85n);
  assert.equal(open.length, 0);
  assert.equal((await tracker.rulingFor(89n)).doubt, null);
});

test('a block waits for the rules after a reconnect of the node or at an activation', async () => {
  const rig = new Rig();
  await rig.first();
  for (const [timestamp, change] of [
    [81n, () => rig.returns++],
    [90n, () => undefined],
    [91n, () => rig.tracker.suspect()],
  ] as const) {
    change();
    let isRuled = false;
    const ruling = rig.tracker.rulingFor(timestamp).then((each) => {
      isRuled = true;
      return each;
    });
    await Promise.resolve();
    assert.deepEqual([isRuled, rig.open.length], [false, 1], `${timestamp}`);
    rig.open.shift()!.answer();
    assert.equal((await ruling).doubt, timestamp < 90n ? null : 'a fork');
  }
});

test('the response to a request for a block is not overwritten by that of an older periodic request', async () => {
  const rig = new Rig();
  await rig.first();
  rig.nowMs = LIMITS.rulesQueryMs;
  await rig.tracker.rulingFor(82n);
  rig.returns++;
  const ruling = rig.tracker.rulingFor(83n);
  const [aside, before] = rig.open.splice(0);
  before!.answer();
  await ruling;
  rig.nowMs++;
  aside!.answer();
  await Promise.resolve();
  await Promise.resolve();
  // By the older response it would be due again.
  await rig.tracker.rulingFor(84n);
  assert.equal(rig.open.length, 0);
});
