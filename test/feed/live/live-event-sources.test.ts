// Arrival times in a recording.
import assert from 'node:assert/strict';
import test from 'node:test';
import { subscribeToNetwork } from '../../../src/feed/live/live-event-sources.js';
import { readRecording } from '../../../src/feed/recording.js';
import { openLineAppender } from '../../../src/lib/line-appender.js';
import { lineFileOptions } from '../../lib/line-appender-options.js';
import type { HeadOrTagsEvent } from '../../../src/upstream/upstream.js';
import { temporaryFile } from '../../support/temporary-folder.js';
import { FakeClock } from '../recording-sink.js';

const TAGS: HeadOrTagsEvent = { kind: 'tags', safe: null, finalized: null };

test('setting the wall clock leaves no gap in a recording', async () => {
  const file = temporaryFile('heads.rec');
  const recorder = await openLineAppender(file, lineFileOptions(), assert.fail);
  const clock = new FakeClock(1000);
  clock.wallOffsetMs = 1_700_000_000_000;
  const listeners: ((event: HeadOrTagsEvent) => void)[] = [];
  const upstream = {
    watchHeads: (listener: (event: HeadOrTagsEvent) => void) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const listener = { onHead: () => undefined, onEvent: () => undefined };
  const events = subscribeToNetwork({ upstream, stream: null, recorder, clock }, listener);
  for (const setMs of [0, -3_600_000, 3_600_000]) {
    clock.wallOffsetMs += setMs;
    clock.spend(250);
    for (const tell of listeners) tell(TAGS);
  }
  events.close();
  await recorder.close();
  const times: number[] = [];
  for await (const { arrivedAtMs } of readRecording(file)) times.push(arrivedAtMs);
  assert.deepEqual(times, [1_700_000_001_250, 1_700_000_001_500, 1_700_000_001_750]);
});
