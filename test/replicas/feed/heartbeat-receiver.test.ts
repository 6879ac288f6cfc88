// How far behind a replica reports to be, from heartbeats and from its own clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeartbeatReceiver } from '../../../src/replicas/feed/heartbeat-receiver.js';
import { systemClock } from '../../../src/lib/clock.js';
import { encodeRecord, type HeartbeatMessage } from '../../../src/replicas/messages/control-messages-json.js';
import { newReplicationCounts, type ReplicationStatus } from '../../../src/replicas/replication-status.js';
import { MemoryBus } from '../../support/memory-bus.js';
import { until } from '../../support/patience.js';

const WORD: HeartbeatMessage = { epoch: 3, version: 10, head: 100, sequence: 20, lagMs: 0, trouble: null, doubt: null };

test('a replica is behind by versions and blocks, and for as long as one of them has been missing', async () => {
  const { bus, here, time, reported, say, stop } = monitored();
  say({});
  assert.deepEqual(await reported(), { newest: 10, waiting: 0, blocksBehind: 0, lagMs: 0 });
  say({ version: 13, head: 102 });
  assert.deepEqual(await reported(), { newest: 13, waiting: 3, blocksBehind: 2, lagMs: 0 });
  time.nowMs += 700;
  say({ version: 14, head: 103 });
  assert.deepEqual(await reported(), { newest: 14, waiting: 4, blocksBehind: 3, lagMs: 700 });
  // The missing state has arrived, and other state is missing now.
  Object.assign(here, { version: 13, head: 102 });
  assert.deepEqual(await reported(), { newest: 14, waiting: 1, blocksBehind: 1, lagMs: 0 });
  // The executor itself has been unable to send for longer.
  say({ version: 14, head: 103, lagMs: 5000 });
  assert.equal((await reported()).lagMs, 5000);
  Object.assign(here, { version: 14, head: 103 });
  assert.deepEqual(await reported(), { newest: 14, waiting: 0, blocksBehind: 0, lagMs: 0 });
  assert.equal(bus.isConnected, true);
  stop();
});

test('after the server was down, earlier messages do not count as a sign of life of the executor', () => {
  const { bus, time, say, reports, stop } = monitored();
  say({});
  assert.equal(reports.at(-1)?.heardAtMs, time.nowMs);
  // Each is reported at once, not with the next heartbeat.
  bus.isDown = true;
  assert.deepEqual([reports.at(-1)?.isConnected, reports.at(-1)?.heardAtMs], [false, null]);
  bus.isDown = false;
  assert.deepEqual([reports.at(-1)?.isConnected, reports.at(-1)?.heardAtMs], [true, null]);
  say({ version: 12 });
  assert.deepEqual([reports.at(-1)?.waiting, reports.at(-1)?.heardAtMs], [2, time.nowMs]);
  stop();
});

/** A monitor of a replica at version 10 of epoch 3, block 100, on a fake clock. */
function monitored() {
  const bus = new MemoryBus();
  const time = { nowMs: 1000 };
  const here = { version: 10, head: 100 };
  const reports: ReplicationStatus[] = [];
  const monitor = new HeartbeatReceiver({
    bus,
    clock: { ...systemClock, now: () => time.nowMs },
    health: () => ({
      position: { epoch: 3, version: here.version, sequence: 10 + here.version },
      head: here.head,
      counts: newReplicationCounts(),
      phase: 'following',
    }),
    onWord: () => {},
    report: (status) => reports.push(status),
  });
  monitor.start();
  /** The next report. */
  const reported = async (): Promise<Partial<ReplicationStatus>> => {
    const count = reports.length;
    await until(() => reports.length > count, 'a report');
    const { newest, waiting, blocksBehind, lagMs } = reports.at(-1)!;
    return { newest, waiting, blocksBehind, lagMs };
  };
  const say = (word: Partial<HeartbeatMessage>): void =>
    bus.publish(Buffer.from(encodeRecord('alive', { ...WORD, ...word })));
  return { bus, time, here, reports, reported, say, stop: () => monitor.stop() };
}
