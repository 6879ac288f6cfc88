// Merging several sources of one stream: in which order they report, and which events are passed on.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RedundantFeedMerger } from '../../../src/feed/live/redundant-feed-merger.js';
import type { SourceEvent } from '../../../src/feed/pre-confirmation-stream-events.js';
import { LIMITS } from '../../../src/limits/index.js';
import { attempt, frame } from '../streams/flashblocks/frames.js';

const [FIRST, SECOND] = [0, 1];
const DOWN: SourceEvent = { kind: 'down', reason: 'closed' };
const GAP: SourceEvent = { kind: 'gap', block: null, reason: 'no JSON' };

function two(): RedundantFeedMerger {
  const sources = new RedundantFeedMerger(2);
  sources.up(FIRST);
  sources.up(SECOND);
  return sources;
}

/** For each event, whether it is passed on. */
function passedOn(sources: RedundantFeedMerger, source: number, events: readonly SourceEvent[]): boolean[] {
  return events.map((each) => sources.take(source, each) === each);
}

function at(index: number, byte: number): SourceEvent {
  return frame({ block: 10, index, transactions: [Uint8Array.of(byte)] });
}

void describe('several sources of a stream', () => {
  void it('an opening that another source has replaced since is late, and so is what follows it', () => {
    const sources = two();
    const [old, anew] = [attempt(10, 3, 1), attempt(10, 3, 2)];
    assert.deepEqual(passedOn(sources, FIRST, [...old, ...anew]), [true, true, true, true, true, true]);
    assert.deepEqual(passedOn(sources, SECOND, [...old, ...anew]), [false, false, false, true, true, true]);
  });

  void it('attempts without payload ids are distinguished by their openings', () => {
    const sources = two();
    assert.deepEqual(passedOn(sources, FIRST, [at(0, 1), at(0, 2), at(1, 3)]), [true, true, true]);
    assert.deepEqual(passedOn(sources, SECOND, [at(0, 1), at(1, 9), at(0, 2), at(1, 3)]), [false, false, true, true]);
  });

  void it('a source that returns to an opening restarts the block', () => {
    const sources = two();
    const [one, other] = [attempt(10, 1, 1), attempt(10, 1, 2)];
    assert.deepEqual(passedOn(sources, FIRST, [...one, ...other, ...one]), [true, true, true]);
    assert.deepEqual(passedOn(sources, SECOND, [...one, ...other, ...one]), [false, false, true]);
    assert.deepEqual(passedOn(sources, SECOND, one), [true]);
  });

  void it('an increment of an earlier block than that of its source is late, until that block is opened again', () => {
    const sources = two();
    const ten = attempt(10, 3, 1);
    assert.deepEqual(passedOn(sources, FIRST, [ten[0]!, ...attempt(11, 1, 2), ten[1]!]), [true, true, false]);
    assert.deepEqual(passedOn(sources, SECOND, [ten[1]!]), [true]);
    sources.up(FIRST);
    assert.deepEqual(passedOn(sources, FIRST, [ten[1]!, ten[2]!]), [true, true]);
  });

  void it('the stream has no gap while another source is up', () => {
    const sources = two();
    assert.deepEqual(sources.take(FIRST, GAP), { kind: 'lapse', reason: 'no JSON' });
    assert.deepEqual(sources.take(FIRST, DOWN), { kind: 'lapse', reason: 'closed' });
    assert.deepEqual([sources.take(SECOND, GAP), sources.take(SECOND, DOWN)], [GAP, DOWN]);
    sources.up(FIRST);
    assert.deepEqual(sources.take(FIRST, GAP), GAP);
  });

  void it('the memory of openings is bounded, and past blocks are forgotten', () => {
    const sources = two();
    for (let payload = 0; payload < 3 * LIMITS.feedOpeningsMax; payload++)
      assert.deepEqual(passedOn(sources, FIRST, attempt(10, 2, payload)), [true, true]);
    for (let block = 11; block < 40; block++)
      assert.deepEqual(passedOn(sources, FIRST, attempt(block, 2, block)), [true, true]);
    assert.deepEqual(passedOn(sources, SECOND, attempt(39, 2, 39)), [true, true]);
  });
});
