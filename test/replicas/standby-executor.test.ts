// One of several executors, whatever happens between two of its steps: it is stopped, loses the server, or has to wait.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { NatsNonceSharingMember } from '../../src/replicas/nats-nonce-sharing-group.js';
import { ReplicaFeed } from '../../src/replicas/feed/replica-feed.js';
import type { ReplicaHandover } from '../../src/replicas/feed/replica.js';
import { monotonicMs, systemClock } from '../../src/lib/clock.js';
import { StandbyExecutor, type ExecutingFeed } from '../../src/replicas/standby-executor.js';
import { Outbox } from '../../src/replicas/outbox/outbox.js';
import { StateWriter } from '../../src/publisher/state-writer.js';
import { Lease } from '../../src/replicas/bus/lease.js';
import { splitIntoFragments } from '../../src/replicas/messages/fragments.js';
import { encodeRecord } from '../../src/replicas/messages/control-messages-json.js';
import { encodeSnapshot } from '../../src/replicas/messages/snapshot.js';
import type { ReplicationStatus } from '../../src/replicas/replication-status.js';
import { decideReadiness } from '../../src/observe/readiness.js';
import { StartError } from '../../src/lib/start-error.js';
import { UpstreamError } from '../../src/upstream/upstream.js';
import { hashOf } from '../state/diffs.js';
import { MemoryBus } from '../support/memory-bus.js';
import { until } from '../support/patience.js';
import { FIRST_VERSION } from './first-version.js';

/** A pooled transaction of the chain, with nonce 7. */
const WAITING = { hash: hashOf(1), from: new Uint8Array(20), raw: new Uint8Array(1) };
/** The message of this snapshot is at its sequence; the stream has nothing before it. */
const SNAPSHOT = { name: 'one', epoch: 3, version: 1, sequence: 1 };

describe('an executor that is stopped', () => {
  test('while it waits for the server never leads, and leaves the lease free', async () => {
    for (const step of ['prepare', 'takeLease', 'readRecord', 'ends'] as const) {
      const { bus, candidate, run, leads } = executor();
      const paused = bus.pause(step);
      const running = run();
      await paused.requestSeen;
      const stopped = candidate.stop();
      paused.release();
      await Promise.all([stopped, running]);
      assert.deepEqual([leads, bus.lease, bus.follows], [[], null, []], step);
    }
  });

  test('while it waits for the rest of the stream stops waiting', async () => {
    const { bus, candidate, run, leads } = await following();
    bus.ends = () => Promise.resolve({ first: 1, last: 99 });
    const running = run();
    await until(() => bus.follows.length > 0, 'it follows');
    bus.lease = null;
    await until(() => bus.lease !== null, 'it is elected');
    // Its clock stands still, so that only stopping it can end the wait. Meanwhile the lease is renewed.
    const { leaseRequests } = bus;
    await until(() => bus.leaseRequests > leaseRequests, 'it waits');
    await candidate.stop();
    await running;
    assert.deepEqual([leads, bus.lease], [[], null]);
  });
});

test('a transaction in the pool of a published chain is found by hash, and by sender and nonce', () => {
  const { candidate } = executor();
  assert.deepEqual(candidate.waiting?.({ hash: WAITING.hash }), WAITING);
  assert.deepEqual(candidate.waiting?.({ from: WAITING.from, nonce: 7n }), WAITING);
});

describe('an executor that follows', () => {
  test('leads once it knows the end of the stream, and continues after a version that was never complete', async () => {
    const { bus, candidate, run, leads } = await following();
    const running = run();
    await until(() => bus.follows.length > 0, 'it follows');
    const [half] = splitIntoFragments({ epoch: 3, version: 2 }, new Uint8Array(200), 100);
    bus.messages.push({ epoch: 3, bytes: half!, id: 'half', after: 1 });
    const paused = bus.pause('ends');
    bus.lease = null;
    await paused.requestSeen;
    bus.isDown = true;
    paused.release();
    const { leaseRequests } = bus;
    await until(() => bus.leaseRequests > leaseRequests, 'it tries again');
    assert.deepEqual(leads, []);
    bus.isDown = false;
    await until(() => leads.length > 0, 'it leads');
    assert.deepEqual(leads, [{ version: 1, sequence: 2 }]);
    await candidate.stop();
    await running;
    assert.equal(bus.lease, null);
  });
});

test('a server that refuses the stream ends the start with a one-line error', async () => {
  const { bus, run } = executor();
  bus.isFull = true;
  await assert.rejects(run(), (error: Error) => {
    return error instanceof StartError && error.message === 'the NATS server cannot be used: no room';
  });
});

describe('a server that is away at the start', () => {
  test('is waited for: the executor is not ready, and leads once the server is up', async () => {
    const { bus, candidate, run, leads, reported } = executor();
    bus.isDown = true;
    const running = run();
    await until(() => reported.length > 1, 'it reports again and again');
    const snapshot = { block: 0, ageMs: 0 };
    const replication = reported.at(-1)!;
    const { ready, reason } = decideReadiness({ snapshot, renewed: true, live: null, replication, nowMs: 0 });
    assert.equal(ready, false);
    assert.match(reason, /^the NATS server is not connected/);
    bus.isDown = false;
    await until(() => leads.length > 0, 'it leads');
    assert.deepEqual(leads, ['anew']);
    await candidate.stop();
    await running;
  });

  test('is waited for only until the executor is stopped', async () => {
    const { bus, candidate, run, leads, reported } = executor();
    bus.isDown = true;
    const running = run();
    await until(() => reported.length > 0, 'it waits');
    await candidate.stop();
    await running;
    assert.deepEqual(leads, []);
  });
});

/** How a feed is to lead: continuing from a position, or anew. */
type LeadershipStart = Pick<ReplicaHandover, 'version' | 'sequence'> | 'anew';

interface Executor {
  readonly bus: MemoryBus;
  readonly candidate: StandbyExecutor;
  readonly leads: readonly LeadershipStart[];
  readonly reported: readonly ReplicationStatus[];
  readonly run: () => Promise<void>;
}

/** With a clock that stands still, and a chain that is not followed. */
function executor(): Executor {
  const bus = new MemoryBus();
  const lease = new Lease(bus, 'this one', monotonicMs);
  const clock = { ...systemClock, now: () => 0 };
  const reported: ReplicationStatus[] = [];
  const report = (status: ReplicationStatus): void => void reported.push(status);
  const shared = { bus, lease, clock, progress: ignored, report };
  const chain = { chain: DEV_CHAIN, acceptsTransactions: false };
  const outbox = new Outbox({ ...shared, chain, answer: nothing, onDeposed: ignored });
  const leads: LeadershipStart[] = [];
  const source = { read: nothing, request: nothing };
  const group = new NatsNonceSharingMember(bus, clock);
  const replica = new ReplicaFeed({ ...shared, group, chain: DEV_CHAIN, source, close: async () => undefined });
  const candidate = new StandbyExecutor({
    ...shared,
    group,
    feed: feedOf(leads),
    replica,
    outbox,
    close: async () => {},
  });
  const sink = new StateWriter({ archive: null, post: ignored, outbox });
  sink.open();
  return { bus, candidate, leads, reported, run: () => candidate.run(sink, null) };
}

/** Another executor leads, and has stored a snapshot. */
async function following(): Promise<Executor> {
  const made = executor();
  const { epoch, name } = SNAPSHOT;
  await made.bus.putObject(name, encodeSnapshot({ epoch, ...FIRST_VERSION }, []));
  made.bus.records.set('snapshot', encodeRecord('snapshot', SNAPSHOT));
  made.bus.messages.push({ epoch, bytes: new Uint8Array(), id: 'before', after: 0 });
  made.bus.lease = { holder: 'another one', revision: 7 };
  return made;
}

/** Records that it leads, and runs until it is stopped. */
function feedOf(leads: LeadershipStart[]): ExecutingFeed {
  let reported: LeadershipStart = 'anew';
  const ending = new AbortController();
  return {
    chain: DEV_CHAIN,
    resume: ({ version, sequence }) => (reported = { version, sequence }),
    run: () => {
      leads.push(reported);
      return once(ending.signal, 'abort').then(() => undefined);
    },
    stop: async () => ending.abort(),
    waiting: (named) => (('hash' in named ? named.hash === WAITING.hash : named.nonce === 7n) ? WAITING : null),
  };
}

function nothing(): Promise<never> {
  return Promise.reject(new UpstreamError('notFound', 'nothing is asked'));
}

function ignored(): void {}
