// Executors and replicas over a real NATS server, under every fault: a replica shows what the executor published at
// that version, and catches up after each fault.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { monotonicMs } from '../../src/lib/clock.js';
import { decideReadiness } from '../../src/observe/readiness.js';
import { encodeStreamMessage } from '../../src/replicas/messages/stream-message.js';
import { connectNats } from '../../src/replicas/bus/nats-bus.js';
import { splitIntoFragments } from '../../src/replicas/messages/fragments.js';
import { LIMITS } from '../../src/limits/index.js';
import { addressOf, hashOf, wordOf } from '../state/diffs.js';
import { NatsServer, NO_NATS } from '../support/nats-server.js';
import { until } from '../support/patience.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { Executor, Follower, LONG, WAITING_MAX, plainOptions, type SharedChain } from './replicated-pair.js';

describe('executors and replicas', { skip: NO_NATS }, () => {
  let server: NatsServer;
  let chains = 1000n;
  const ends: (() => Promise<void>)[] = [];
  const sharedChain = (): SharedChain => ({ url: server.url, chainId: ++chains, truths: new Map() });
  const lead = async (shared: SharedChain, seed = 1): Promise<Executor> => {
    const executor = await Executor.lead(shared, seed);
    ends.push(() => executor.stop());
    return executor;
  };
  const follow = async (shared: SharedChain): Promise<Follower> => {
    const follower = await Follower.start(shared);
    ends.push(() => follower.stop());
    return follower;
  };
  /** An executor and its replica, after so many blocks. */
  const pair = async (blocks: number, isComplete = true) => {
    const shared = sharedChain();
    const executor = await lead(shared);
    executor.begin(isComplete);
    const follower = await follow(shared);
    await executor.run(blocks);
    await follower.reaches(executor);
    return { shared, executor, follower };
  };

  before(async () => {
    server = await NatsServer.start();
  });
  after(async () => {
    await Promise.all(ends.map((end) => end()));
    await server.kill();
  });

  test('a replica shows every version as it was published, of complete and of incomplete state', async () => {
    for (const isComplete of [true, false]) {
      const { executor, follower } = await pair(3, isComplete);
      await executor.run(20);
      await follower.reaches(executor);
      assert.ok(follower.compared >= 60 && follower.values > 60, `${follower.compared} versions`);
      assert.deepEqual(reported(follower), reported(executor));
    }
  });

  test('new rules for future blocks reach a replica before the versions that use them', async () => {
    const { executor, follower } = await pair(2);
    const chain = { ...DEV_CHAIN, forks: [...DEV_CHAIN.forks, { name: 'bpo1', block: null, timestamp: 99 }] };
    executor.learn(chain);
    await executor.run(3);
    await follower.reaches(executor);
    const tables = follower.messages.flatMap((each) => (each.kind === 'table' ? [each.chain] : []));
    assert.deepEqual([tables[0], tables.at(-1)], [DEV_CHAIN, chain]);
  });

  test('a late replica starts from a snapshot and reads missing state from the executor', async () => {
    const shared = sharedChain();
    const executor = await lead(shared);
    executor.begin(false);
    await executor.run(10);
    const late = await follow(shared);
    await late.reaches(executor);
    await executor.run(1);
    await late.reaches(executor);
    const wants = { accounts: [addressOf(0), addressOf(1)], slots: [{ address: addressOf(2), slot: wordOf(1) }] };
    await late.fetcher.fetch({ ...wants, slots: [...wants.slots, { address: addressOf(50), slot: wordOf(0) }] });
    assert.deepEqual(late.publisher.view().storage(addressOf(50), wordOf(0)), wordOf(7));
    late.compareAt(late.publisher.newest);
    // Responses of at most 2000 bytes: it takes several.
    const many = Array.from({ length: 6 }, () => addressOf(1));
    const { accounts, refused } = await late.remote.read(hashOf(11), { accounts: many, slots: [] });
    assert.deepEqual([accounts.length, refused.length], [6, 0]);
    const unknown = await late.remote.read(hashOf(999), wants);
    assert.equal(unknown.refused.length, 3);
    assert.deepEqual(await late.remote.request('eth_any', []), { requested: 'node' });
    const long = ['eth_long', 'eth_any', 'eth_long'].map((method) => late.remote.request(method, []));
    assert.deepEqual(await Promise.all(long), [LONG, { requested: 'node' }, LONG]);
  });

  test('a large version is sent in parts', async () => {
    const { executor, follower } = await pair(1);
    executor.publishLarge(20_000);
    await executor.run(1);
    await follower.reaches(executor);
    assert.ok(executor.status!.counts.bytes > 2 * LIMITS.replicationFragmentBytes);
  });

  test('after a gap, a damaged message or a purge the replica catches up without skipping a version', async () => {
    const { shared, executor, follower } = await pair(2);
    // A message by somebody else: the executor detects that the stream has moved on, and publishes its state again.
    const nats = await connectNats(plainOptions(shared), ignored);
    ends.push(() => nats.close());
    const bus = nats.of(shared.chainId);
    const { last } = (await bus.ends())!;
    const damaged = Buffer.from(splitIntoFragments({ epoch: 1, version: 7 }, Buffer.from('abc'), 100)[0]!);
    damaged[9]! ^= 1;
    assert.equal((await bus.store({ epoch: 1, bytes: damaged, id: 'nobody', after: last })).kind, 'stored');
    await until(() => (follower.status?.counts.damaged ?? 0) > 0, 'the replica sees the damaged message');
    await executor.run(2);
    await follower.reaches(executor);
    assert.ok(follower.status!.counts.catchUps > 0);
    // A version that is not the next one.
    const version = { kind: 'epoch', epoch: 12, version: 99_999, continues: true } as const;
    const again = (await bus.ends())!;
    const [part] = splitIntoFragments(version, encodeStreamMessage(version), 1000);
    // Counted before, because the replica may read the message before the server has confirmed that it is stored.
    const { catchUps } = follower.status!.counts;
    assert.equal((await bus.store({ epoch: 12, bytes: part!, id: 'gap', after: again.last })).kind, 'stored');
    await until(() => follower.status!.counts.catchUps > catchUps, 'the replica sees the gap');
    await executor.run(2);
    await follower.reaches(executor);
  });

  test('a replica that was down while the stream dropped messages starts from a newer snapshot', async () => {
    const shared = sharedChain();
    const executor = await lead(shared);
    executor.begin(true);
    await executor.run(3);
    const first = await follow(shared);
    await first.reaches(executor);
    await purge(shared);
    // An existing replica continues; a new one finds a snapshot that does not connect to the stream, and requests
    // another one.
    await executor.run(2);
    await first.reaches(executor);
    const second = await follow(shared);
    await second.reaches(executor);
    assert.equal(first.status!.counts.catchUps, 0);
  });

  test('a resync of the executor is a resync of its replicas', async () => {
    const { executor, follower } = await pair(3, false);
    executor.begin(false);
    await executor.run(2);
    await follower.reaches(executor);
    assert.equal(follower.publisher.epoch, 2);
  });

  test('while the server is down the executor continues; when it is back nothing is missing', async () => {
    const { executor, follower } = await pair(2);
    await server.kill();
    await executor.run(10);
    assert.ok(executor.publisher.newest > follower.publisher.newest);
    await until(() => follower.status?.isConnected === false, 'the replica knows that the server is gone');
    await server.start();
    await follower.reaches(executor);
    assert.equal(executor.status!.counts.overflows, 0);
    assert.equal(executor.deposed, 0);
  });

  test('beyond the queue bound messages are dropped, and a new epoch starts from a snapshot', async () => {
    const { executor, follower } = await pair(1);
    await server.kill();
    await executor.run(WAITING_MAX / 3 + 10);
    await server.start();
    await follower.reaches(executor);
    assert.ok(executor.status!.counts.overflows > 0);
    await executor.run(2);
    await follower.reaches(executor);
  });

  test('a server that has lost everything gets everything again', async () => {
    const { executor, follower } = await pair(5);
    await server.kill();
    server.lose();
    await server.start();
    await executor.run(3);
    await follower.reaches(executor);
    await executor.run(2);
    await follower.reaches(executor);
  });

  test('a leader that has lost its lease publishes nothing more, and reports it', async () => {
    const shared = sharedChain();
    const [first, follower] = [await lead(shared), await follow(shared)];
    first.begin(true);
    await first.run(2);
    await follower.reaches(first);
    // The lease passes to another executor while the first still considers itself the leader.
    await first.lease.release();
    const second = await lead(shared, 2);
    second.begin(true);
    await Promise.all([first.run(3), second.run(3)]);
    await follower.reaches(second);
    await until(() => first.deposed === 1, 'the first one is told');
    await Promise.all([first.run(3), second.run(3)]);
    await follower.reaches(second);
    assert.equal(second.deposed, 0);
  });

  test('an executor that dies between two parts of a version leaves nothing of it', async () => {
    const { shared, executor: first, follower } = await pair(2);
    await first.die();
    const nats = await connectNats(plainOptions(shared), ignored);
    ends.push(() => nats.close());
    const { last } = (await nats.of(shared.chainId).ends())!;
    const [part] = splitIntoFragments({ epoch: 11, version: 99 }, Buffer.alloc(500), 100);
    await nats.of(shared.chainId).store({ epoch: 11, bytes: part!, id: 'half', after: last });
    const second = await lead(shared, 2);
    second.begin(true);
    await second.run(3);
    await follower.reaches(second);
    assert.equal(follower.status!.counts.damaged, 0);
  });
});

describe('a server whose disk is full', { skip: NO_NATS }, () => {
  let server: NatsServer;
  let fromAbove: Operator;

  before(async () => {
    server = await NatsServer.start('-c', temporaryFile('server.conf', 'jetstream { max_file_store: 4MB }'));
    fromAbove = await operator(server.url);
  });
  after(async () => {
    await fromAbove.connection.close();
    await server.kill();
  });

  test('refuses the stream of a new executor', async () => {
    const nats = await connectNats(plainOptions(server), ignored);
    await assert.rejects(nats.of(2n).prepare(), /insufficient storage/);
    await nats.close();
  });

  test('does not stop its executor; replicas report the lag, and with space again nothing is missing', async () => {
    const { connection, manager } = fromAbove;
    const shared = { url: server.url, chainId: 1n, truths: new Map() };
    // A stream without a size of its own.
    await manager.streams.add({ name: 'prestate-1', subjects: ['prestate.1.versions.*'] });
    await manager.streams.add({ name: 'ballast', subjects: ['ballast'] });
    const executor = await Executor.lead(shared, 1);
    executor.begin(true);
    const follower = await Follower.start(shared);
    await executor.run(2);
    await follower.reaches(executor);
    const fill = async (): Promise<never> => {
      for (;;) await jetstream(connection).publish('ballast', new Uint8Array(100_000));
    };
    await assert.rejects(fill, /insufficient resources/);
    await executor.run(10);
    await until(() => !executor.lease.isOurs && !isReady(follower), 'the lease is over, and the replica says so');
    assert.ok(executor.publisher.newest > follower.publisher.newest);
    await manager.streams.purge('ballast');
    await follower.reaches(executor);
    await until(() => isReady(follower), 'the replica is ready again');
    assert.deepEqual(
      [executor.deposed, executor.status!.counts.overflows, follower.status!.counts.catchUps],
      [0, 0, 0],
    );
    await Promise.all([executor.stop(), follower.stop()]);
  });
});

/** Readiness as reported by `/readyz`. */
function isReady({ status }: Follower): boolean {
  const snapshot = { block: 0, ageMs: 0 };
  return decideReadiness({ snapshot, renewed: true, live: null, replication: status, nowMs: monotonicMs() }).ready;
}

/** The latest messages to the main thread, without the state changes. */
function reported(from: Executor | Follower): unknown {
  return from.messages.filter(({ kind }) => kind === 'published' || kind === 'completed').slice(-30);
}

/** An operator purges the stream: every message is deleted, the sequence numbers continue. */
async function purge({ url, chainId }: SharedChain): Promise<void> {
  const { connection, manager } = await operator(url);
  await manager.streams.purge(`prestate-${chainId}`);
  await connection.close();
}

/** A connection of the server's operator. */
interface Operator {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
}

async function operator(url: string): Promise<Operator> {
  const connection = await connect({ servers: [new URL(url).host] });
  return { connection, manager: await jetstreamManager(connection) };
}

/** Does nothing. */
function ignored(): void {}
