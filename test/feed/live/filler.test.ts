// Reading state that is not held, before there is anything to read it into.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccessLists } from '../../../src/feed/live/access-lists.js';
import { newCounts } from '../../../src/feed/live/counts.js';
import { Filler } from '../../../src/feed/live/filler.js';
import { Publisher } from '../../../src/publisher/writer.js';
import { UpstreamError } from '../../../src/upstream/upstream.js';

const unasked = (): Promise<never> => assert.fail('the upstream node is not to be asked');

test('a fill that comes before the first block is refused', async () => {
  const sink = new Publisher({ archive: null, post: () => undefined });
  const upstream = { read: unasked, request: unasked };
  const filler = new Filler({ sink, upstream, lists: new AccessLists(upstream), counts: newCounts(), recent: null });
  const refused = filler.hold({ accounts: [new Uint8Array(20)], slots: [] });
  await assert.rejects(refused, (error) => error instanceof UpstreamError && error.kind === 'notFound');
});
