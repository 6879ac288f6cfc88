// Fetching uncached state: before there is anything to write it into, and while the chain reorganizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccessListRequester } from '../../../../src/feed/live/cold/request-access-lists-from-node.js';
import { newLiveFeedCounters } from '../../../../src/feed/live-feed-counters.js';
import { StateFetcher } from '../../../../src/feed/live/cold/state-fetcher.js';
import { StateWriter } from '../../../../src/publisher/state-writer.js';
import { UpstreamError, type FetchedState, type UpstreamErrorKind } from '../../../../src/upstream/upstream.js';
import { account, addressOf, diffOf, hashOf } from '../../../state/diffs.js';

const unexpectedRequest = (): Promise<never> => assert.fail('the upstream node is not to be asked');

test('a fetch before the first block is refused', async () => {
  const sink = new StateWriter({ archive: null, post: () => undefined });
  const upstream = { read: unexpectedRequest, request: unexpectedRequest };
  const fetcher = new StateFetcher({
    sink,
    upstream,
    lists: new AccessListRequester(upstream),
    counts: newLiveFeedCounters(),
    onRead: () => undefined,
  });
  const refused = fetcher.fetch({ accounts: [new Uint8Array(20)], slots: [] });
  await assert.rejects(refused, (error) => error instanceof UpstreamError && error.kind === 'notFound');
});

test('a read refused at a block that was reorged out is repeated at its replacement', async () => {
  const { sink, fetcher, requested } = following((read) => {
    if (read > 1) return { ...NOTHING, accounts: [account(1, 5n)] };
    fetcher.anchorAt({ hash: hashOf(8, 1), version: 1 });
    return refusing('notFound');
  });
  assert.equal(await fetcher.fetch(WANTS), true);
  assert.deepEqual(requested, [hashOf(8), hashOf(8, 1)]);
  assert.equal(sink.view().account(addressOf(1))?.nonce, 5n);
});

test('a refusal at the current anchor block is final, and so is an unreachable node', async () => {
  const refusing8 = following(() => refusing('notFound'));
  await assert.rejects(refusing8.fetcher.fetch(WANTS), /cannot be read: no/);
  const silent = following(() => {
    silent.fetcher.anchorAt({ hash: hashOf(8, 1), version: 1 });
    return refusing('unreachable');
  });
  await assert.rejects(silent.fetcher.fetch(WANTS), /^UpstreamError: no$/);
  assert.deepEqual([refusing8.requested.length, silent.requested.length], [1, 1]);
});

const WANTS = { accounts: [addressOf(1)], slots: [] };
const NOTHING = { accounts: [], slots: [], codes: [], refused: [] };

function refusing(kind: UpstreamErrorKind): FetchedState {
  return { ...NOTHING, refused: [{ address: addressOf(1), slot: null, error: new UpstreamError(kind, 'no') }] };
}

/** A fetcher anchored at block 8. `answer` supplies the n-th read; `requested` records the block of each. */
function following(answer: (read: number) => FetchedState): {
  readonly sink: StateWriter;
  readonly fetcher: StateFetcher;
  readonly requested: readonly Uint8Array[];
} {
  const sink = new StateWriter({ archive: null, post: () => undefined });
  sink.begin(diffOf({ block: 8, hash: hashOf(8) }), { number: 8, hash: hashOf(8), header: new Uint8Array() }, []);
  const requested: Uint8Array[] = [];
  const read = async (anchor: Uint8Array): Promise<FetchedState> => answer(requested.push(anchor));
  const upstream = { read, request: unexpectedRequest };
  const fetcher = new StateFetcher({
    sink,
    upstream,
    lists: new AccessListRequester(upstream),
    counts: newLiveFeedCounters(),
    onRead: () => undefined,
  });
  fetcher.anchorAt({ hash: hashOf(8), version: 1 });
  return { sink, fetcher, requested };
}
