// After a resync, recent keys are read again, newest first, in successive batches; a key that the node does not answer
// is requested again, and a further resync replaces the previous one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentKeys } from '../../../../src/feed/live/warm/recent-keys.js';
import { RecentKeysFetcher, type RecentKeysFetcherDeps } from '../../../../src/feed/live/warm/fetch-recent-keys.js';
import { toBytes } from '../../../../src/lib/bytes/big-endian.js';
import { LIMITS } from '../../../../src/limits/index.js';
import type { MissingKeys } from '../../../../src/state/views/miss-recording-view.js';
import { UpstreamError } from '../../../../src/upstream/upstream.js';
import { until } from '../../../support/patience.js';

const KEYS = LIMITS.warmBatchKeysMax * 2 + 1;

interface Stand {
  readonly warmer: RecentKeysFetcher;
  readonly batches: MissingKeys[];
  readonly sink: { epoch: number };
  /** Answers the batch in progress. */
  readonly answer: (error?: UpstreamError) => void;
}

function nothingToSettle(): void {
  assert.fail('nothing is under way');
}

function stand(): Stand {
  const recent = new RecentKeys();
  for (let i = 0; i < KEYS; i++) recent.touch({ accounts: [{ address: toBytes(BigInt(i), 20) }], slots: [] });
  const batches: MissingKeys[] = [];
  let settle: Stand['answer'] = nothingToSettle;
  const filler: RecentKeysFetcherDeps['filler'] = {
    fetch: (_needs, hints) => {
      batches.push(hints!);
      return new Promise((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve(true) : reject(error));
      });
    },
  };
  const sink = { epoch: 1, progress: () => undefined };
  return { warmer: new RecentKeysFetcher({ recent, filler, sink }), batches, sink, answer: (error) => settle(error) };
}

test('the newest keys are read first, one batch after the other', async () => {
  const { warmer, batches, answer } = stand();
  assert.equal(warmer.warmth, 0, 'before the state has begun');
  warmer.start();
  assert.equal(warmer.warmth, 0);
  for (let batch = 1; batch <= 3; batch++) {
    await until(() => batches.length === batch);
    answer();
  }
  await until(() => warmer.warmth === 1);
  assert.deepEqual(
    batches.map(({ accounts }) => accounts.length),
    [LIMITS.warmBatchKeysMax, LIMITS.warmBatchKeysMax, 1],
  );
  assert.deepEqual(batches[0]!.accounts[0], toBytes(BigInt(KEYS - 1), 20));
});

test('a batch that the node does not answer is requested again', async () => {
  const { warmer, batches, answer } = stand();
  warmer.start();
  answer(new UpstreamError('unreachable', 'gone'));
  await until(() => batches.length === 2);
  assert.deepEqual(batches[1], batches[0]);
  assert.equal(warmer.warmth, 0);
  warmer.close();
});

test('a new start replaces the one before', async () => {
  const { warmer, batches, sink, answer } = stand();
  warmer.start();
  const first = answer;
  sink.epoch = 2;
  first();
  warmer.start();
  await until(() => batches.length === 2);
  assert.deepEqual(batches[1], batches[0]);
  assert.equal(warmer.warmth, 0);
  warmer.close();
});
