// What a live feed listens to: heads of the upstream node and frames of a pre-confirmation feed, from the network or from
// a record. Runs on the publisher.
import { fromHex, toHex } from '../../lib/hex.js';
import { preciseMs, type Clock } from '../../lib/clock.js';
import type { BlockRef, HeadEvent, Upstream, UpstreamHead } from '../../upstream/upstream.js';
import { redactor } from '../../upstream/transport/redact.js';
import { createFlashblocks } from '../streams/flashblocks/flashblocks.js';
import { decodeFrame, type Frame } from '../streams/flashblocks/frame.js';
import type { Recorded, Recorder, RecordKind } from '../record/record.js';
import { replay, type ReplayOptions } from '../record/replay.js';

/** Called with each event, in the order of arrival. */
export interface EventsListener {
  readonly onHead: (event: HeadEvent) => void;
  /** `arrivedMs`: when its message came, by `preciseMs`. */
  readonly onFrame: (frame: Frame, arrivedMs: number) => void;
  /** A message could not be read, or the connection was lost: increments may be missing. `reason`: for the operator. */
  readonly onBreak: (kind: 'fault' | 'down', reason: string) => void;
}

/** A source of events, until it is closed. */
export interface Events {
  /** Time since the pre-confirmation feed last said something; `null` where there is none. */
  feedSilentMs(nowMs: number): number | null;
  close(): void;
}

/** What is listened to. */
export interface NetworkOptions {
  readonly upstream: Pick<Upstream, 'watchHeads'>;
  /** A Flashblocks stream; `null`: nothing is pre-confirmed. */
  readonly feedUrl: string | null;
  /** Gets all that arrives; `null`: nothing is recorded. */
  readonly recorder: Recorder | null;
  readonly clock: Clock;
}

/** Heads from the upstream, frames from its feed. */
export function listenToNetwork(options: NetworkOptions, listener: EventsListener): Events {
  const { upstream, feedUrl, recorder, clock } = options;
  const record = recordedBy(recorder, clock);
  const redact = redactor(feedUrl);
  const unwatch = upstream.watchHeads((event) => {
    record('head', encodeHead(event), clock.now());
    listener.onHead(event);
  });
  const feed =
    feedUrl === null
      ? null
      : createFlashblocks(feedUrl, {
          onMessage: (message, arrivedAtMs) => record('frame', message, arrivedAtMs),
          onFrame: (frame, arrivedMs) => listener.onFrame(frame, arrivedMs),
          onFault: (fault) => listener.onBreak('fault', redact(fault.reason)),
          onUp: () => undefined,
          onDown: (text, retryMs) => {
            const reason = redact(text);
            record('down', Buffer.from(reason), clock.now());
            listener.onBreak('down', `next try in ${Math.round(retryMs)} ms: ${reason}`);
          },
          clock,
        });
  return {
    feedSilentMs: (nowMs) => feed?.silentMs(nowMs) ?? null,
    close() {
      unwatch();
      feed?.close();
    },
  };
}

/** A record's times are the wall clock's when it begins, and go on by the monotonic one: its pace is that of what arrived. */
function recordedBy(
  recorder: Recorder | null,
  clock: Clock,
): (kind: RecordKind, bytes: Uint8Array, atMs: number) => void {
  const sinceMs = clock.wall() - clock.now();
  return (kind, bytes, atMs) => recorder?.add(kind, bytes, sinceMs + atMs);
}

/** What a replay works with. */
export interface ReplayParts {
  readonly clock: Clock;
  /** The record is at its end, or cannot be used. */
  readonly onEnd: (outcome: string) => void;
}

/** What a record holds, at its own pace or another one. */
export function listenToRecord(options: ReplayOptions, parts: ReplayParts, listener: EventsListener): Events {
  const ending = new AbortController();
  let frameAtMs = parts.clock.now();
  const onRecord = (record: Recorded, arrivedAtMs: number): void => {
    if (record.kind !== 'head') frameAtMs = arrivedAtMs;
    tell(record, listener);
  };
  replay(options, { clock: parts.clock, onRecord, signal: ending.signal }).then(
    (end) => parts.onEnd(`the record is over (${end})`),
    (error: unknown) => parts.onEnd((error as Error).message),
  );
  return {
    feedSilentMs: (nowMs) => nowMs - frameAtMs,
    close: () => ending.abort(),
  };
}

function tell({ kind, bytes }: Recorded, listener: EventsListener): void {
  switch (kind) {
    case 'head':
      return listener.onHead(decodeHead(bytes));
    case 'down':
      return listener.onBreak('down', Buffer.from(bytes).toString());
    case 'frame': {
      const arrivedMs = preciseMs();
      const decoded = decodeFrame(bytes);
      if (decoded.kind === 'frame') listener.onFrame(decoded.frame, arrivedMs);
      else listener.onBreak('fault', decoded.fault.reason);
    }
  }
}

/** A head event as JSON, hashes as hex. */
export function encodeHead(event: HeadEvent): Uint8Array {
  const text = JSON.stringify(event, (_name, value: unknown) => (value instanceof Uint8Array ? toHex(value) : value));
  return Buffer.from(text);
}

interface HexRef {
  readonly number: number;
  readonly hash: string;
}

interface HexHead extends HexRef {
  readonly parentHash: string;
}

/** The reverse of `encodeHead`; the record has been written by it. */
export function decodeHead(bytes: Uint8Array): HeadEvent {
  const event = JSON.parse(Buffer.from(bytes).toString()) as
    | { kind: 'head'; head: HexHead }
    | { kind: 'tags'; safe: HexRef | null; finalized: HexRef | null }
    | { kind: 'lower'; head: HexHead | null; isCertain: boolean };
  switch (event.kind) {
    case 'head':
      return { kind: 'head', head: headOf(event.head) };
    case 'tags':
      return { kind: 'tags', safe: refOf(event.safe), finalized: refOf(event.finalized) };
    case 'lower':
      return { ...event, head: event.head === null ? null : headOf(event.head) };
  }
}

function headOf(head: HexHead): UpstreamHead {
  return { ...refOf(head)!, parentHash: fromHex(head.parentHash) };
}

function refOf(ref: HexRef | null): BlockRef | null {
  return ref === null ? null : { number: ref.number, hash: fromHex(ref.hash) };
}
