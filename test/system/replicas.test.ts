// Two executors and two replicas on one chain with traffic, each killed in turn: all report the same for the same
// position, an instance that may be wrong reports not ready, and after each loss all become ready again.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { NatsServer, NO_NATS } from '../support/nats-server.js';
import { until } from '../support/patience.js';
import { Server, metric } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { queryAll } from './batch.js';
import { Comparison, Fleet } from './fleet.js';

/** Positions at which every program must be compared after each loss. */
const LEAST = { latest: 1, pending: 4 };

describe('a fleet of replicas', { skip: NO_NATS }, () => {
  const comparison = new Comparison();
  let fleet: Fleet;

  before(async () => {
    fleet = await Fleet.start();
    await fleet.ready();
  });
  after(() => fleet.stop());

  test('all give the same responses at the same positions', async () => {
    assert.equal(await fleet.leader(), 'executor 1');
    await comparison.until(fleet, { latest: 2, pending: 8 });
    const behind = async (name: string): Promise<string | null> =>
      (await queryAll(fleet.programs.get(name)!, [['eth_blockNumber']])).at.get('x-versions-behind');
    for (const name of ['replica 1', 'executor 2'])
      await until(async () => /^\d+$/.test((await behind(name)) ?? ''), `${name} says how far it is behind`);
    assert.equal(await behind('executor 1'), null);
  });

  test('a killed replica starts again; a killed leader has a successor that continues', async () => {
    const replica = fleet.programs.get('replica 2')!;
    const epoch = await metric(replica, 'replication_epoch');
    await fleet.kill('replica 1');
    await fleet.kill('executor 1');
    await until(async () => {
      await comparison.pollAll(fleet);
      return !(await replica.readiness()).ready;
    }, 'the replicas say that nobody leads');
    await until(async () => {
      await comparison.pollAll(fleet);
      return (await fleet.leader()) === 'executor 2';
    }, 'the other one leads');
    await Promise.all(['executor 1', 'replica 1'].map((name) => fleet.startProgram(name)));
    await fleet.ready();
    await comparison.until(fleet, LEAST);
    assert.ok((await metric(replica, 'replication_epoch')) > epoch);
    // No catch-up if the new leader had everything that the old one published; one if that was cut off.
    assert.ok((await metric(replica, 'replication_catch_ups_total')) <= 1);
    assert.equal(await fleet.leader(), 'executor 2');
  });

  test('without the NATS server executors continue and replicas report it; when it is back all continue', async () => {
    await fleet.nats.kill();
    const [replica, executor] = [fleet.programs.get('replica 2')!, fleet.programs.get('executor 2')!];
    await until(async () => !(await replica.readiness()).ready, 'the replica is not ready');
    assert.ok((await executor.readiness()).ready);
    await comparison.pollAll(fleet);
    await fleet.nats.start();
    await fleet.ready();
    await comparison.until(fleet, LEAST);
    assert.equal(await metric(executor, 'mismatches_total'), 0);
  });
});

describe('a NATS server that is started last', { skip: NO_NATS }, () => {
  test('is waited for by executors and replicas; cached state is served, and readiness reports what is missing', async () => {
    const light = ['--workers', '1', '--log-format', 'json'];
    const chain = ['--data-dir', temporaryFolder(), ...light];
    const alone = await Server.start(...chain);
    await until(async () => Number((await alone.query('eth_blockNumber')).result) > 0, 'there is a block');
    await alone.stop();
    const nats = await NatsServer.start();
    await nats.kill();
    const refusing = await RefusingServer.open(Number(new URL(nats.url).port));
    const following = Server.start('--follow', nats.url, ...light);
    await until(() => refusing.connections > 1, 'the replica tries again');
    const executor = await Server.start('--publish', nats.url, ...chain);
    await until(async () => {
      const { ready, reason } = await executor.readiness();
      return !ready && reason.includes('the NATS server is not connected');
    }, 'it says so');
    assert.ok(Number((await executor.query('eth_blockNumber')).result) > 0);
    await refusing.close();
    await nats.start();
    const replica = await following;
    for (const program of [executor, replica])
      await until(async () => (await program.readiness()).ready, 'both are ready');
    const reported = /waiting for the NATS server at nats:\/\/127\.0\.0\.1:\d+: /;
    for (const { log } of [executor, replica]) assert.equal(log.filter((line) => reported.test(line)).length, 1);
    await Promise.all([executor.stop(), replica.stop()]);
    await nats.kill();
  });
});

/** Listens in place of a server: counts connections and closes them. */
class RefusingServer {
  connections = 0;
  readonly #server = createServer((socket) => {
    this.connections++;
    socket.destroy();
  });

  static async open(port: number): Promise<RefusingServer> {
    const refusing = new RefusingServer();
    refusing.#server.listen(port, '127.0.0.1');
    await once(refusing.#server, 'listening');
    return refusing;
  }

  async close(): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }
}
