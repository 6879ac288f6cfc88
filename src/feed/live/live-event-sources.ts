// The subscriptions of a live feed: to heads of the upstream node and to events of a pre-confirmation feed. Both come
// from the network or from a recording.
import { fromHex, toHex } from '../../lib/bytes/hex.js';
import { preciseMonotonicMs, type Clock } from '../../lib/clock.js';
import type { LineAppender } from '../../lib/line-appender.js';
import type { HeadOrTagsEvent, Upstream } from '../../upstream/upstream.js';
import type { ReconnectingWebSocket, ConnectionStatus } from '../../upstream/transport/reconnecting-websocket.js';
import { createRedactor } from '../../upstream/transport/redact-secrets.js';
import {
  encodeRecordedMessage,
  replayRecording,
  type RecordedMessage,
  type RecordedMessageKind,
  type ReplayOptions,
} from '../recording.js';
import type { SourceEvent, StreamEvent } from '../pre-confirmation-stream-events.js';
import { connectToFeed, type ArrivedMessage, type StreamFormat } from '../streams/pre-confirmation-feed-connection.js';
import { RedundantFeedMerger } from './redundant-feed-merger.js';

/** Callbacks for heads and feed events. They are called in the order in which heads and events arrive. */
export interface LiveEventListener {
  readonly onHead: (event: HeadOrTagsEvent) => void;
  /** `arrivedMs` is the time at which the message arrived, by `preciseMonotonicMs`. */
  readonly onEvent: (event: StreamEvent, arrivedMs: number) => void;
}

/** Delivers events to its listener until it is closed. */
export interface LiveEventSource {
  /** Returns the time since the last message of the pre-confirmation feed; `null` if there is no such feed. */
  feedSilentMs(nowMs: number): number | null;
  /** Returns the status of each connection to the feed, in the order of their addresses. */
  feedLinks(): readonly ConnectionStatus[];
  close(): void;
}

interface NetworkSourceOptions {
  readonly upstream: Pick<Upstream, 'watchHeads'>;
  /** Addresses and format of the pre-confirmation feed; `null` if there is none. */
  readonly stream: { readonly urls: readonly string[]; readonly format: StreamFormat } | null;
  /** Records every message that arrives; `null` if nothing is recorded. */
  readonly recorder: Pick<LineAppender, 'add'> | null;
  readonly clock: Clock;
}

/** Subscribes to heads of the upstream node and to events of the pre-confirmation feed. */
export function subscribeToNetwork(options: NetworkSourceOptions, listener: LiveEventListener): LiveEventSource {
  const { upstream, stream, recorder, clock } = options;
  const record = recordedBy(recorder, clock);
  const unwatch = upstream.watchHeads((event) => {
    record('head', encodeHeadEvent(event), clock.now());
    listener.onHead(event);
  });
  const feeds = stream === null ? [] : followSources(stream, record, clock, listener);
  return {
    feedSilentMs: (nowMs) => (feeds.length === 0 ? null : Math.min(...feeds.map((feed) => feed.silentMs(nowMs)))),
    feedLinks: () => feeds.map(({ status }) => status),
    close() {
      unwatch();
      for (const feed of feeds) feed.close();
    },
  };
}

/** Records one message that has arrived. */
type Note = (kind: RecordedMessageKind, bytes: Uint8Array, atMs: number) => void;

/**
 * Connects to each address of the feed. A message that another connection has already delivered is not recorded, so
 * that a recording contains each message once.
 */
function followSources(
  { urls, format }: NonNullable<NetworkSourceOptions['stream']>,
  record: Note,
  clock: Clock,
  listener: LiveEventListener,
): readonly ReconnectingWebSocket[] {
  const sources = new RedundantFeedMerger(urls.length);
  const redact = createRedactor(...urls);
  const shown = (event: StreamEvent): StreamEvent =>
    'reason' in event ? { ...event, reason: redact(event.reason) } : event;
  return urls.map((url, source) => {
    const onEvent = (streamEvent: SourceEvent, { message, arrivedMs, arrivedAtMs }: ArrivedMessage): void => {
      const event = sources.take(source, streamEvent);
      if (event === null) return;
      if (event.kind !== 'lapse') record('frame', message, arrivedAtMs);
      listener.onEvent(shown(event), arrivedMs);
    };
    const onDown = (text: string, retryMs: number): void => {
      const reason = redact(text);
      const event = sources.take(source, { kind: 'down', reason: `next try in ${Math.round(retryMs)} ms: ${reason}` });
      if (event?.kind === 'down') record('down', Buffer.from(reason), clock.now());
      if (event !== null) listener.onEvent(shown(event), preciseMonotonicMs());
    };
    return connectToFeed(format, { url }, { onEvent, onDown, onUp: () => sources.up(source), clock });
  });
}

/**
 * Returns the function that records messages. Recorded times are wall-clock times, but they advance with the monotonic
 * clock, so that they stay consistent if somebody sets the wall clock.
 */
function recordedBy(recorder: NetworkSourceOptions['recorder'], clock: Clock): Note {
  const sinceMs = clock.wall() - clock.now();
  return (kind, bytes, atMs) => recorder?.add(encodeRecordedMessage({ kind, bytes, arrivedAtMs: sinceMs + atMs }));
}

interface RecordingSourceDeps {
  /** Stream format of the recorded feed. */
  readonly format: StreamFormat;
  readonly clock: Clock;
  /** Called when the recording has ended or is unusable. */
  readonly onEnd: (outcome: string) => void;
}

/** Replays a recording, at the speed given in `options`. */
export function subscribeToRecording(
  options: ReplayOptions,
  deps: RecordingSourceDeps,
  listener: LiveEventListener,
): LiveEventSource {
  const ending = new AbortController();
  let frameAtMs = deps.clock.now();
  const onRecord = (record: RecordedMessage, arrivedAtMs: number): void => {
    if (record.kind !== 'head') frameAtMs = arrivedAtMs;
    dispatch(record, deps.format, listener);
  };
  replayRecording(options, { clock: deps.clock, onRecord, signal: ending.signal }).then(
    () => deps.onEnd('the record is over'),
    (error: unknown) => deps.onEnd((error as Error).message),
  );
  return {
    feedSilentMs: (nowMs) => nowMs - frameAtMs,
    feedLinks: () => [],
    close: () => ending.abort(),
  };
}

function dispatch({ kind, bytes }: RecordedMessage, { decode }: StreamFormat, listener: LiveEventListener): void {
  const arrivedMs = preciseMonotonicMs();
  switch (kind) {
    case 'head':
      return listener.onHead(decodeHeadEvent(bytes));
    case 'down':
      return listener.onEvent({ kind: 'down', reason: Buffer.from(bytes).toString() }, arrivedMs);
    case 'frame': {
      const event = decode(bytes);
      if (event !== null) listener.onEvent(event, arrivedMs);
    }
  }
}

/** Encodes a head event as JSON, with hashes as hex. */
function encodeHeadEvent(event: HeadOrTagsEvent): Uint8Array {
  const text = JSON.stringify(event, (_name, value: unknown) => (value instanceof Uint8Array ? toHex(value) : value));
  return Buffer.from(text);
}

/** Decodes a head event that `encodeHeadEvent` has encoded. */
function decodeHeadEvent(bytes: Uint8Array): HeadOrTagsEvent {
  return JSON.parse(Buffer.from(bytes).toString(), (_name, value: unknown) => {
    return typeof value === 'string' && value.startsWith('0x') ? fromHex(value) : value;
  }) as HeadOrTagsEvent;
}
