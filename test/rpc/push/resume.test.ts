// Subscriptions that resume in the past: from which positions they may, and that replaying never occupies the main
// thread for longer than a time slice.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { TimeSlicer } from '../../../src/fairness/time-slicer.js';
import { LIMITS } from '../../../src/limits/index.js';
import type { VersionChangesMessage } from '../../../src/publisher/publisher-protocol.js';
import { subscriptionMethods } from '../../../src/rpc/methods/subscribe.js';
import { ChainEvents } from '../../../src/rpc/push/chain-events.js';
import { PushCounts } from '../../../src/rpc/push/push-counts.js';
import { AllSubscriptions, type SubscriptionTopic } from '../../../src/rpc/push/topic-delivery.js';
import { addressOf } from '../../state/diffs.js';
import { Reader } from './rig.js';
import { query, WatchRig } from '../watch/watch-rig.js';
import { isError } from '../../../src/rpc/answer/call-result.js';
import { cpuBoundClocks } from '../../support/slice-clocks.js';

const ADDRESS = toHex(addressOf(1));

/** Publishes a version at a position of the chain. */
function changed(events: ChainEvents, version: number, block: number, index = 0): void {
  const message = { version, coordinates: { block, index } } as VersionChangesMessage;
  events.add({ kind: 'changed', version, message });
}

describe('the position from which a subscription resumes', () => {
  it('is a version, or a block and an index; anything else is refused', async () => {
    const rig = new WatchRig(1, 'on');
    for (let step = 0; step < 8; step++) await rig.published();
    const { version, message } = rig.events
      .since(0)!
      .map(({ event }) => event)
      .findLast(isChanged)!;
    const { block, index } = message.coordinates;
    const answer = (...params: unknown[]): string => {
      const result = query(rig, subscriptionMethods.eth_subscribe, params, new Reader());
      return isError(result) ? result.error : 'accepted';
    };
    const accepted = [
      { fromVersion: version },
      { fromVersion: `0x${version.toString(16)}` },
      { fromBlock: block, fromIndex: index },
      { fromBlock: `0x${block.toString(16)}`, fromIndex: `0x${index.toString(16)}`, fromVersion: null },
    ];
    for (const from of accepted) {
      assert.equal(answer('newHeads', from), 'accepted', JSON.stringify(from));
      assert.equal(answer('newHeads', null, from), 'accepted', JSON.stringify(from));
      assert.equal(answer('logs', { address: ADDRESS }, from), 'accepted', JSON.stringify(from));
      assert.equal(answer('transactionReceipts', from), 'accepted', JSON.stringify(from));
    }
    const refused = [
      { fromBlock: '0x1' },
      { fromIndex: 0 },
      { fromBlock: block, fromIndex: null },
      { fromBlock: block, fromIndex: -1 },
      { fromBlock: block, fromIndex: '5' },
      { fromBlock: 'latest', fromIndex: 0 },
      { fromBlock: block + 1000, fromIndex: 0 },
      { fromBlock: block, fromIndex: index + 1000 },
      { fromVersion: 'latest' },
      { fromVersion: version + 0.5 },
      { fromVersion: -1 },
      { fromVersion: 2 ** 60 },
      { fromVersion: [version] },
      { fromVersion: true },
      { fromVersion: version, fromBlock: block, fromIndex: index },
      { fromVersion: version, address: ADDRESS },
      {},
      5,
      [1],
      true,
      '0x1',
    ];
    for (const from of refused) {
      const text = JSON.stringify(from);
      assert.equal(answer('newHeads', from), 'invalidParams', text);
      assert.equal(answer('newHeads', null, from), 'invalidParams', text);
      assert.equal(answer('logs', { address: ADDRESS }, from), 'invalidParams', text);
      assert.equal(
        answer('watch', { calls: [{ method: 'eth_getBalance', params: [ADDRESS] }] }, from),
        'invalidParams',
        text,
      );
    }
    assert.equal(answer('newHeads', accepted[0], accepted[0]), 'invalidParams');
    assert.equal(answer('transactionReceipts', { fromBlock: block }), 'invalidParams');
    // A filter may name its block as in eth_getLogs; new events are after that block.
    assert.equal(answer('logs', { address: ADDRESS, fromBlock: '0x1' }), 'accepted');
    assert.equal(answer('newHeads', { fromVersion: 10 ** 9 }), 'notKept');
    assert.equal(answer('newHeads'), 'accepted');
    assert.equal(answer('newHeads', null, null), 'accepted');
  });

  it('is the last version at that block and index; blocks reorged out since then are announced', () => {
    const events = new ChainEvents();
    const places = [
      [5, 0],
      [5, 1],
      [5, 1],
      [6, 0],
      [6, 2],
      [5, 0],
      [5, 3],
    ] as const;
    for (const [at, [block, index]] of places.entries()) changed(events, at + 1, block, index);
    assert.equal(events.serialAtPosition(5, 0), 6);
    // The position of a complete block is that of its last increment.
    assert.equal(events.serialAtPosition(5, 1), 3);
    assert.equal(events.serialAtPosition(6, 0), 4);
    assert.equal(events.serialAtPosition(6, 2), 5);
    assert.equal(events.serialAtPosition(6, 1), 4, 'in between: all that was beyond');
    assert.equal(events.serialAtPosition(5, 2), 3);
    assert.equal(events.serialAtPosition(6, 3), 'ahead');
    assert.equal(events.serialAtPosition(7, 0), 'ahead');
    assert.equal(events.serialAtPosition(4, 9), 'gone');
    assert.equal(new ChainEvents().serialAtPosition(4, 9), 'gone');
  });
});

function isChanged<E extends { readonly kind: string }>(event: E): event is Extract<E, { kind: 'changed' }> {
  return event.kind === 'changed';
}

/** Every slice runs in its own tick, so the number of ticks depends on the work. */
const TURNS_MAX = 20_000;

/** Subscriptions whose topics take a millisecond to render an event; a slice is two milliseconds. */
class Stage {
  readonly events = new ChainEvents();
  readonly #counts = new PushCounts();
  #nowMs = 0;
  /** The longest work in one event-loop tick, in milliseconds. */
  longestMs = 0;
  #turnBeganMs = 0;
  readonly subscriptions: AllSubscriptions;

  constructor() {
    const slices = new TimeSlicer(
      2,
      cpuBoundClocks(() => this.#nowMs),
    );
    this.subscriptions = new AllSubscriptions(this.events, slices, this.#counts);
  }

  /** Sends every version. `isLossy`: versions may be skipped, and their numbers are sent as one message. */
  topic(key: string, isLossy = false): SubscriptionTopic {
    return {
      key,
      endsWithState: false,
      texts: ({ version }) => {
        this.#work();
        return [`{"version":${version}}`];
      },
      summary: isLossy ? () => this.#summary() : null,
    };
  }

  add(): void {
    changed(this.events, this.events.serial + 1, this.events.serial + 1);
  }

  /** Runs event-loop ticks until `isDone`. */
  async until(isDone: () => boolean): Promise<void> {
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      this.#turnBeganMs = this.#nowMs;
      await nextTurn();
      if (isDone()) return;
    }
    assert.fail('it is never done');
  }

  #summary(): ReturnType<NonNullable<SubscriptionTopic['summary']>> {
    const versions: number[] = [];
    return {
      add: ({ version }) => {
        this.#work();
        versions.push(version);
      },
      texts: () => [`{"versions":[${versions.join()}]}`],
    };
  }

  #work(): void {
    this.#nowMs++;
    this.longestMs = Math.max(this.longestMs, this.#nowMs - this.#turnBeganMs);
  }
}

class ClientReader extends Reader {
  readonly client: string;

  constructor(client: string) {
    super();
    this.client = client;
  }
}

/** One slice per tick, plus the event during which it ends. */
const STRETCH_MS_MAX = 3;

/** Versions that were sent to a connection. */
function toldTo(reader: Reader, id: string): unknown[] {
  return reader.take(id).map(({ version }) => version);
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

describe('replayed events', () => {
  it('of many subscriptions come in slices, clients alternating, in order and once, with new events after them', async () => {
    const stage = new Stage();
    for (let version = 1; version <= 20; version++) stage.add();
    const many = new ClientReader('many');
    const open = (reader: Reader, key: string, from: number | null): string =>
      stage.subscriptions.open(reader, stage.topic(key), from) as string;
    const ids = numbers(1, LIMITS.subscriptionsPerSocketMax).map((at) => open(many, `topic ${at}`, 5));
    const few = new ClientReader('few');
    const id = open(few, 'topic 1', 15);
    const listener = new ClientReader('listener');
    const live = open(listener, 'topic 1', null);
    stage.add();
    stage.add();
    await stage.until(() => toldTo(few, id).includes(22));
    assert.ok(toldTo(many, ids.at(-1)!).length === 0, 'the other client has its turn before');
    stage.add();
    await stage.until(() => ids.every((each) => toldTo(many, each).includes(23)) && toldTo(few, id).includes(23));
    for (const each of ids) assert.deepEqual(toldTo(many, each), numbers(6, 23));
    assert.deepEqual(toldTo(few, id), numbers(16, 23));
    assert.deepEqual(toldTo(listener, live), numbers(21, 23));
    assert.ok(stage.longestMs <= STRETCH_MS_MAX, `${stage.longestMs} ms in one turn`);
  });

  it('of one event for many topics come in slices', async () => {
    const stage = new Stage();
    const readers = numbers(1, 10).map((at) => new ClientReader(`${at}`));
    const reported = readers.flatMap((reader) =>
      numbers(1, 10).map(
        (at) =>
          [reader, stage.subscriptions.open(reader, stage.topic(`${reader.client} ${at}`), null) as string] as const,
      ),
    );
    stage.add();
    await stage.until(() => reported.every(([reader, id]) => toldTo(reader, id).length > 0));
    assert.ok(stage.longestMs <= STRETCH_MS_MAX, `${stage.longestMs} ms in one turn`);
  });

  it('wait for a client that does not read, and then are complete as far as events are retained', async () => {
    const stage = new Stage();
    for (let version = 1; version <= 6; version++) stage.add();
    const reader = new ClientReader('slow');
    reader.isSlow = true;
    const id = stage.subscriptions.open(reader, stage.topic('topic'), 2) as string;
    await stage.until(() => stage.longestMs > 0);
    stage.add();
    await stage.until(() => true);
    assert.deepEqual([toldTo(reader, id), reader.dropped], [[], null]);
    reader.isSlow = false;
    stage.subscriptions.drained(reader);
    await stage.until(() => toldTo(reader, id).includes(7));
    assert.deepEqual(toldTo(reader, id), numbers(3, 7));
    stage.subscriptions.closeAll(reader);
    reader.isSlow = true;
    stage.subscriptions.open(reader, stage.topic('topic'), 2);
    await stage.until(() => true);
    for (let version = 0; version <= LIMITS.eventsKeptMax; version++) stage.add();
    stage.subscriptions.drained(reader);
    await stage.until(() => reader.dropped !== null);
    assert.equal(reader.dropped, 'messages are not read');
    assert.equal(stage.subscriptions.count, 0);
  });

  it('missed by slow readers are sent later in slices, once', async () => {
    const stage = new Stage();
    const reader = new ClientReader('slow');
    const ids = numbers(1, 10).map(
      (at) => stage.subscriptions.open(reader, stage.topic(`${at}`, true), null) as string,
    );
    reader.isSlow = true;
    const missed = 30;
    for (let version = 1; version <= missed; version++) stage.add();
    // All of them were sent or skipped.
    const done = new ClientReader('done');
    const last = stage.subscriptions.open(done, stage.topic('last'), 0) as string;
    await stage.until(() => toldTo(done, last).length === missed);
    await stage.until(() => true);
    reader.isSlow = false;
    stage.subscriptions.drained(reader);
    stage.add();
    await stage.until(() => ids.every((id) => reader.take(id).length > 0));
    stage.add();
    const received = (id: string): unknown[] => reader.take(id).flatMap((each) => each['versions'] ?? each['version']);
    await stage.until(() => ids.every((id) => received(id).includes(missed + 2)));
    for (const id of ids) assert.deepEqual(received(id), numbers(1, missed + 2));
    assert.ok(stage.longestMs <= STRETCH_MS_MAX, `${stage.longestMs} ms in one turn`);
  });
});
