// A group of instances that share the nonces of submitted transactions: which members get a report, when it is
// complete, and when a silent member is dropped.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PeerSubmission } from '../../src/feed/nonce-sharing-group.js';
import { LIMITS } from '../../src/limits/index.js';
import { NatsNonceSharingMember } from '../../src/replicas/nats-nonce-sharing-group.js';
import { MemoryBus } from '../support/memory-bus.js';

const SEND: PeerSubmission = {
  raw: Uint8Array.of(2, 1, 2),
  from: new Uint8Array(20).fill(7),
  nonce: 2n ** 64n - 2n,
  client: 'somebody',
  ageMs: 12,
};

/** A member, the reports it received, and whether it acknowledges them. */
class Member {
  readonly group: NatsNonceSharingMember;
  readonly sends: PeerSubmission[] = [];
  readonly members: string[] = [];
  isDeaf = false;

  constructor(bus: MemoryBus, clock: { now: () => number }, name: string) {
    this.group = new NatsNonceSharingMember(bus, clock, name);
    this.group.start({
      onSend: (send, member, id) => {
        this.sends.push(send);
        if (!this.isDeaf) this.group.acknowledge(member, id);
      },
      onMember: (member) => this.members.push(member),
    });
  }
}

const isDone = async (report: Promise<void>): Promise<boolean> =>
  Promise.race([report.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);

describe('a group', () => {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const bus = new MemoryBus();
  const [a, b] = [new Member(bus, clock, 'a'), new Member(bus, clock, 'b')];

  test('members know each other, and each counts what the others report', async () => {
    assert.deepEqual([a.members, b.members], [['b'], ['a']]);
    assert.equal(await isDone(a.group.report(SEND, null)), true);
    assert.deepEqual([a.sends, b.sends], [[], [SEND]]);
  });

  test('a member that joins later is known to all, and a report addressed to it reaches nobody else', async () => {
    const c = new Member(bus, clock, 'c');
    assert.deepEqual([a.members.at(-1), b.members.at(-1), c.members], ['c', 'c', ['a', 'b']]);
    await a.group.report({ ...SEND, client: undefined }, 'c');
    const { client: _client, ...unnamed } = SEND;
    assert.deepEqual([b.sends.length, c.sends], [1, [unnamed]]);
    c.isDeaf = true;
    const report = b.group.report(SEND, null);
    assert.equal(await isDone(report), false, 'a member does not count it yet');
    await report;
    c.group.stop();
    bus.group.delete('c');
    clock.nowMs += LIMITS.groupSilenceMsMax;
    assert.equal(await isDone(b.group.report(SEND, null)), true, 'nobody was heard of');
  });

  test('nobody is waited for while the server is down, and members find each other when it is back', async () => {
    bus.isDown = true;
    assert.equal(await isDone(a.group.report(SEND, null)), true);
    bus.isDown = false;
    const before = b.sends.length;
    assert.equal(await isDone(a.group.report(SEND, null)), true);
    assert.equal(b.sends.length, before + 1);
    a.group.stop();
    b.group.stop();
  });
});
