// Messages and records of a leader that another executor may have replaced, and its epoch numbers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import { systemClock } from '../../../src/lib/clock.js';
import { LIMITS } from '../../../src/limits/index.js';
import { Outbox } from '../../../src/replicas/outbox/outbox.js';
import { StateWriter } from '../../../src/publisher/state-writer.js';
import { Lease } from '../../../src/replicas/bus/lease.js';
import { decodeStreamMessage } from '../../../src/replicas/messages/stream-message.js';
import { Reassembler } from '../../../src/replicas/messages/fragments.js';
import { decodeRecord } from '../../../src/replicas/messages/control-messages-json.js';
import type { ReplicationStatus } from '../../../src/replicas/replication-status.js';
import { diffOf, hashOf } from '../../state/diffs.js';
import { MemoryBus } from '../../support/memory-bus.js';
import { until } from '../../support/patience.js';
import { FIRST_VERSION } from '../first-version.js';

describe('a leader that may have lost its lease', () => {
  test('sends nothing to replicas, and reports to main that it does not hold the lease', async () => {
    const { bus, outbox, clock, reports } = await leading();
    await until(() => bus.leaderMessages.length > 0, 'it says that it is there');
    bus.isDown = true;
    clock.nowMs += LIMITS.replicationLeaseMs;
    const [words, versionDetails] = [bus.leaderMessages.length, reports.length];
    await until(() => reports.length > versionDetails + 2, 'main is told');
    assert.equal(bus.leaderMessages.length, words);
    assert.equal(reports.at(-1)?.hasLease, false);
    bus.isDown = false;
    await outbox.stop();
  });

  test('does not overwrite the snapshot of its successor', async () => {
    const { bus, outbox, stored, deposed } = await leading();
    await stored.requestSeen;
    bus.records.set('snapshot', 'of the successor');
    bus.objects.set('of the successor', []);
    bus.lease = { holder: 'the successor', revision: 99 };
    await until(() => deposed.count > 0, 'it is deposed');
    stored.release();
    await until(() => bus.objects.size === 2, 'the snapshot is stored');
    await outbox.stop();
    assert.equal(bus.records.get('snapshot'), 'of the successor');
    assert.equal(bus.objects.size, 2);
  });
});

test('messages queued while the server was down are sent when it is back, after the lease is renewed, and the lag is reported', async () => {
  const { bus, outbox, clock, reports, publish } = await leading();
  await until(() => epochsOf(bus).length === 1 && bus.leaderMessages.length > 0, 'an epoch begins');
  const word = (): unknown => {
    const { version, head, lagMs } = decodeRecord('alive', bus.leaderMessages.at(-1)!)!;
    return { version, head, lagMs };
  };
  const reported = async (isDone: (status: ReplicationStatus) => boolean): Promise<void> => {
    const versionDetails = reports.length;
    await until(
      () => reports.slice(versionDetails).some(isDone),
      () => JSON.stringify(reports.at(-1)),
    );
  };
  bus.isDown = true;
  publish(2);
  publish(3);
  clock.nowMs += LIMITS.replicationLeaseMs;
  await reported(({ waiting, lagMs, isConnected }) => waiting === 2 && lagMs === 5000 && !isConnected);
  const [sent, leaseRequests] = [bus.messages.length, bus.leaseRequests];
  bus.lease = null;
  bus.isDown = false;
  assert.equal(bus.leaseRequests, leaseRequests + 1, 'in the same turn');
  await until(() => bus.messages.length === sent + 2, 'both are sent');
  await reported(({ waiting, lagMs, isConnected }) => waiting === 0 && lagMs === 0 && isConnected);
  await until(
    () => isDeepStrictEqual(word(), { version: 3, head: 3, lagMs: 0 }),
    () => JSON.stringify(word()),
  );
  await outbox.stop();
});

test('epoch numbers rise and are above any that former executors could have used', async () => {
  const { bus, outbox, begin } = await leading();
  await until(() => epochsOf(bus).length === 1, 'an epoch begins');
  begin();
  await until(() => epochsOf(bus).length === 2, 'another one begins');
  assert.deepEqual(epochsOf(bus), [5000, 5001]);
  await outbox.stop();
});

/** A leader at 5,000 seconds of Unix time, when epoch 3 is the latest on record. */
async function leading() {
  const bus = new MemoryBus();
  const time = { nowMs: 0 };
  const clock = { ...systemClock, now: () => time.nowMs, wall: () => 5_000_000 };
  const lease = new Lease(bus, 'this one', clock.now);
  await lease.tend();
  const reports: ReplicationStatus[] = [];
  const deposed = { count: 0 };
  const outbox = new Outbox({
    bus,
    lease,
    clock,
    chain: { chain: DEV_CHAIN, acceptsTransactions: false },
    answer: () => Promise.resolve(new Uint8Array()),
    onDeposed: () => deposed.count++,
    report: (status) => reports.push(status),
    progress: () => {},
  });
  const sink = new StateWriter({ archive: null, post: () => {}, outbox });
  const begin = (): void => sink.adopt(FIRST_VERSION).finish();
  sink.open();
  const stored = bus.pause('putObject');
  begin();
  outbox.lead({ epoch: 3, sequence: 0, continues: false });
  const publish = (block: number): void =>
    sink.publishVersion(diffOf({ block, hash: hashOf(block) }), { kind: 'increment', announcement: null });
  return { bus, outbox, clock: time, reports, deposed, stored, begin, publish };
}

/** Epochs in the stream. */
function epochsOf({ messages }: MemoryBus): number[] {
  return messages.flatMap(({ bytes }) => {
    const joined = new Reassembler().add(bytes);
    const message = joined.kind === 'whole' ? decodeStreamMessage(joined.bytes) : null;
    return message?.kind === 'epoch' ? [message.epoch] : [];
  });
}
