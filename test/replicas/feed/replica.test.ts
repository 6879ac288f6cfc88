// A replica that is stopped or becomes leader while it reads a snapshot stops following; one whose stream is silent
// reopens it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import { Replica } from '../../../src/replicas/feed/replica.js';
import { systemClock, type Clock } from '../../../src/lib/clock.js';
import { LIMITS } from '../../../src/limits/index.js';
import type { MessageFromPublisher } from '../../../src/publisher/publisher-protocol.js';
import { StateWriter } from '../../../src/publisher/state-writer.js';
import type { ChainBus, StoppableTask } from '../../../src/replicas/bus/chain-bus.js';
import { encodeRecord } from '../../../src/replicas/messages/control-messages-json.js';
import type { ReplicationStatus } from '../../../src/replicas/replication-status.js';
import { encodeSnapshot } from '../../../src/replicas/messages/snapshot.js';
import { FIRST_VERSION } from '../first-version.js';

const RECORD = { name: 'one', epoch: 3, version: 1, sequence: 9 };
const ENDS = { first: 1, last: 9 };
const CHAIN = { chain: DEV_CHAIN, acceptsTransactions: false, epoch: 3 };
const NOBODY: StoppableTask = { stop: () => {} };

describe('a replica that is reading its first snapshot', () => {
  test('follows the stream once the snapshot is read', async () => {
    const { bus, follows, phases, replica } = reading();
    bus.deliver();
    replica.start();
    await bus.isRead;
    await bus.isFollowed;
    assert.deepEqual(follows, [10]);
    assert.deepEqual([...new Set(phases)], ['catching up', 'following'], 'at once, not with the next beat');
    await replica.stop();
  });

  test('uses the chain rules that are currently recorded', async () => {
    const { bus, replica, messages } = reading();
    bus.deliver();
    replica.start();
    await bus.isFollowed;
    const chains = messages.flatMap((message) => (message.kind === 'table' ? [message.chain] : []));
    assert.deepEqual(chains, [CHAIN.chain]);
    await replica.stop();
  });

  test('does not follow when it is stopped meanwhile', async () => {
    const { bus, follows, replica } = reading();
    replica.start();
    await bus.isRead;
    const stopped = replica.stop();
    bus.deliver();
    await stopped;
    assert.deepEqual(follows, []);
  });

  test('neither follows nor passes on a position when it becomes leader meanwhile', async () => {
    const { bus, follows, replica } = reading();
    replica.start();
    await bus.isRead;
    const inherited = replica.inherit(ENDS.last);
    bus.deliver();
    assert.equal(await inherited, null);
    assert.deepEqual(follows, []);
  });

  test('gives its position to the leader when the stream has no more', async () => {
    const { bus, follows, replica } = reading();
    bus.deliver();
    replica.start();
    await bus.isFollowed;
    const { epoch, version, sequence } = (await replica.inherit(ENDS.last))!;
    assert.deepEqual({ epoch, version, sequence }, { epoch: 3, version: 1, sequence: 9 });
    assert.deepEqual(follows, [10]);
  });

  test('has no position to give when there is no snapshot', async () => {
    const { bus, replica } = reading();
    bus.lose();
    replica.start();
    await bus.isRead;
    bus.deliver();
    assert.equal(await replica.inherit(ENDS.last), null);
  });
});

test('a replica opens a new consumer when announced versions do not arrive, and gives each twice as long as the last', async () => {
  const time = { nowMs: 0 };
  const { bus, follows, replica } = reading({ ...systemClock, now: () => time.nowMs });
  bus.deliver();
  replica.start();
  await bus.isFollowed;
  await setImmediate();
  const opensAfter = (sequence: number, afterMs: number): number => {
    time.nowMs += afterMs;
    const word = { epoch: 3, version: 2, head: 1, sequence, lagMs: 0, trouble: null, doubt: null };
    bus.say(Buffer.from(encodeRecord('alive', word)));
    return follows.length;
  };
  const { replicationStallMsMax: stallMs, replicationSilenceMsMax: silenceMs } = LIMITS;
  assert.deepEqual(
    [opensAfter(9, 0), opensAfter(9, 9000), opensAfter(10, stallMs - 1)],
    [1, 1, 1],
    'there is no more, or not for long',
  );
  assert.deepEqual([opensAfter(10, 1), opensAfter(10, 2 * stallMs - 1), opensAfter(10, 1)], [2, 2, 3]);
  assert.deepEqual([opensAfter(10, silenceMs), opensAfter(10, silenceMs - 1), opensAfter(10, 1)], [4, 4, 5]);
  assert.ok(follows.every((from) => from === 10));
  await replica.stop();
});

/** A replica whose snapshot arrives when the test says so. */
function reading(clock: Clock = systemClock): {
  readonly bus: PausedBus;
  readonly follows: readonly number[];
  /** The reported phases. */
  readonly phases: readonly string[];
  readonly replica: Replica;
  readonly messages: readonly MessageFromPublisher[];
} {
  const bus = new PausedBus();
  const messages: MessageFromPublisher[] = [];
  const sink = new StateWriter({ archive: null, post: (message) => messages.push(message) });
  sink.open();
  const phases: string[] = [];
  const report = ({ phase }: ReplicationStatus): void => void phases.push(phase);
  const parts = { sink, filler: { anchorAt: () => {} }, clock, report };
  const replica = new Replica({ bus: bus as Partial<ChainBus> as ChainBus, ...parts });
  return { bus, follows: bus.follows, phases, replica, messages };
}

/** A server with one snapshot, which is withheld until `deliver`. */
class PausedBus implements Partial<ChainBus> {
  readonly isConnected = true;
  readonly follows: number[] = [];
  /** The replica has requested the snapshot. */
  readonly isRead: Promise<void>;
  readonly isFollowed: Promise<void>;
  deliver: () => void = () => {};
  /** Sends a leader's message to the replica. */
  say: (bytes: Uint8Array) => void = () => {};
  readonly #delivered: Promise<void>;
  #tellRead: () => void = () => {};
  #tellFollowed: () => void = () => {};
  #hasSnapshot = true;

  constructor() {
    this.isRead = new Promise((resolve) => (this.#tellRead = resolve));
    this.isFollowed = new Promise((resolve) => (this.#tellFollowed = resolve));
    this.#delivered = new Promise((resolve) => (this.deliver = resolve));
  }

  lose(): void {
    this.#hasSnapshot = false;
  }

  readRecord(name: string): Promise<string> {
    return Promise.resolve(name === 'chain' ? encodeRecord('chain', CHAIN) : encodeRecord('snapshot', RECORD));
  }

  ends(): Promise<typeof ENDS> {
    return Promise.resolve(ENDS);
  }

  async getObject(): Promise<AsyncIterable<Uint8Array> | null> {
    this.#tellRead();
    await this.#delivered;
    if (!this.#hasSnapshot) return null;
    return encodeSnapshot({ epoch: RECORD.epoch, ...FIRST_VERSION }, []);
  }

  request(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array());
  }

  follow(from: number): StoppableTask {
    this.follows.push(from);
    this.#tellFollowed();
    return NOBODY;
  }

  listen(take: (bytes: Uint8Array) => void): StoppableTask {
    this.say = take;
    return NOBODY;
  }

  watch(): StoppableTask {
    return NOBODY;
  }
}
