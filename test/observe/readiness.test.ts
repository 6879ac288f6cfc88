// The rules of /readyz, one by one.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LIMITS } from '../../src/limits/index.js';
import { newReplicationCounts, type ReplicationStatus } from '../../src/replicas/replication-status.js';
import { decideReadiness, type ReadinessInputs, versionsBehind } from '../../src/observe/readiness.js';

const NOW = 1_000_000;
type Live = NonNullable<ReadinessInputs['live']>;
const LIVE: Live = {
  upstreamHead: 100,
  lowerHead: null,
  head: 100,
  blockMs: 2000,
  upstreamSilentSinceMs: null,
  feedBlock: 101,
  headAtMs: NOW - 1000,
  feedAtMs: NOW - 100,
  executing: null,
  warmth: 1,
  doubt: null,
  notice: null,
  unknownFeatures: [],
  atMs: NOW - 400,
};

function live(changes: Partial<Live>, ageMs = 200): ReturnType<typeof decideReadiness> {
  const snapshot = { block: 101, ageMs };
  return decideReadiness({ snapshot, renewed: false, live: { ...LIVE, ...changes }, replication: null, nowMs: NOW });
}

test('an instance is not ready while the newest block of its node is below its own', () => {
  const reason = "the upstream's newest block is 98, below block 100";
  assert.deepEqual(live({ lowerHead: 98 }), { ready: false, reason });
});

test('a healthy live chain is ready, with notices in the text', () => {
  assert.deepEqual(live({}), { ready: true, reason: 'at block 100' });
  assert.deepEqual(live({ notice: 'odd' }), { ready: true, reason: 'at block 100; odd' });
  assert.deepEqual(live({ warmth: 0.999, notice: 'odd' }), { ready: true, reason: 'at block 100; 99 % warm; odd' });
});

test('unsupported features of the chain are named, whether it is ready or not', () => {
  const strangers = [
    { kind: 'precompile', name: 'X (0x12)' },
    { kind: 'transaction type', name: '0x7d' },
  ] as const;
  const named = 'not known here: precompile X (0x12), transaction type 0x7d';
  assert.deepEqual(live({ unknownFeatures: strangers }), { ready: true, reason: `at block 100; ${named}` });
  const reason = `the upstream's newest block is 98, below block 100; ${named}`;
  assert.deepEqual(live({ lowerHead: 98, unknownFeatures: strangers }), { ready: false, reason });
});

test('unverified rules are named, and do not make an instance unready', () => {
  const reason = 'nothing is executed, the node answers estimates and calls: a fork';
  assert.deepEqual(live({ doubt: 'a fork' }), { ready: true, reason: `at block 100; ${reason}` });
  const notice = 'blocks are applied as diffs: a fork';
  assert.deepEqual(live({ doubt: 'a fork', notice }), { ready: true, reason: `at block 100; ${reason}` });
  assert.equal(live({ doubt: 'a fork', notice: 'odd' }).reason, `at block 100; ${reason}; odd`);
  const doubtful = { ...REPLICA, doubt: 'a fork' };
  const { reason: reported } = decideReadiness({
    snapshot: { block: 7, ageMs: 1 },
    renewed: false,
    live: null,
    replication: doubtful,
    nowMs: NOW,
  });
  assert.match(reported, new RegExp(`${reason}$`));
});

/** Changes, the snapshot's age, and the expected reason; `null`: ready. */
const RULES: readonly (readonly [Partial<Live>, number, string | null])[] = [
  [{ upstreamSilentSinceMs: NOW - LIMITS.upstreamSilenceMsMax + 1 }, 200, null],
  [{ upstreamSilentSinceMs: NOW - 5000 }, 200, 'the upstream has not answered for 5000 ms'],
  [{ headAtMs: NOW - LIMITS.headSilenceMsMax }, 200, null],
  [{ headAtMs: NOW - 60_001 }, 200, "the upstream's last head came 60001 ms ago"],
  [
    { upstreamHead: 0, head: 0, feedBlock: null, headAtMs: NOW - 60_001 },
    200,
    'the upstream has announced no head for 60001 ms',
  ],
  [{ upstreamHead: 103 }, 200, null],
  [{ upstreamHead: 0 }, 200, 'the upstream has not announced its head yet'],
  [{ upstreamHead: 104 }, 200, 'block 100 is 4 blocks behind the upstream'],
  [{ upstreamHead: 104, blockMs: null }, 200, 'block 100 is 4 blocks behind the upstream'],
  [{ upstreamHead: 110, blockMs: 200 }, 200, null],
  [{ upstreamHead: 111, blockMs: 200 }, 200, 'block 100 is 11 blocks behind the upstream'],
  [{ upstreamHead: 103, blockMs: 12_000 }, 200, null],
  [{ feedAtMs: NOW - LIMITS.feedSilenceMsMax }, 200, null],
  [{ feedAtMs: NOW - 5001 }, 200, "the feed's last message came 5001 ms ago"],
  [{ feedAtMs: NOW - 5001, feedBlock: null }, 200, 'no increment of the feed has come for 5001 ms'],
  [{ feedAtMs: NOW - 4500, feedBlock: null }, 4500, null],
  [{}, LIMITS.pendingAgeMsMax, null],
  [{}, 4001, 'pending was last renewed 4001 ms ago, while the feed goes on'],
  [{ feedAtMs: null, feedBlock: null }, 12_000, null],
  [{ feedBlock: null }, 200, null],
  [{ feedBlock: 103 }, 200, null],
  [{ feedBlock: 104 }, 200, 'the feed is 4 blocks ahead of block 100'],
  [{ executing: { kind: 'block', block: 101, executedMs: LIMITS.blockMs - 400 } }, 200, null],
  [{ executing: { kind: 'block', block: 101, executedMs: 1601.2 } }, 200, 'block 101 has been executed for 2001 ms'],
  [{ executing: { kind: 'increment', block: 101, executedMs: LIMITS.incrementMs - 400 } }, 200, null],
  [
    { executing: { kind: 'increment', block: 101, executedMs: 0 }, atMs: NOW - 3000 },
    200,
    'an increment of block 101 has been executed for 3000 ms',
  ],
  [{ atMs: NOW - LIMITS.liveStatusMsMax }, 200, null],
  [{ atMs: NOW - 5001 }, 200, 'the publisher was last heard of 5001 ms ago'],
];

for (const [changes, ageMs, reason] of RULES) {
  test(`${reason ?? 'ready'}: with ${JSON.stringify(changes)} at age ${ageMs}`, () => {
    assert.deepEqual(
      live(changes, ageMs),
      reason === null ? { ready: true, reason: 'at block 100' } : { ready: false, reason },
    );
  });
}

test('all reasons for not being ready are named', () => {
  const { reason } = live({ upstreamSilentSinceMs: NOW - 6000, feedBlock: 120, upstreamHead: 120 }, 9000);
  assert.equal(reason.split('; ').length, 4);
});

const own = (ageMs: number, renewed: boolean): ReturnType<typeof decideReadiness> =>
  decideReadiness({ snapshot: { block: 7, ageMs }, renewed, live: null, replication: null, nowMs: NOW });

test('a dev chain is ready while it is renewed, a static chain at any age', () => {
  assert.deepEqual(own(2000, true), { ready: true, reason: 'at block 7' });
  assert.deepEqual(own(2001, true), { ready: false, reason: 'pending was last renewed 2001 ms ago' });
  assert.deepEqual(own(1e9, false), { ready: true, reason: 'at block 7' });
});

const REPLICA: ReplicationStatus = {
  role: 'replica',
  counts: newReplicationCounts(),
  isConnected: true,
  hasLease: false,
  epoch: 3,
  version: 20,
  newest: 20,
  waiting: 0,
  blocksBehind: 0,
  lagMs: 2,
  heardAtMs: NOW - 100,
  trouble: null,
  doubt: null,
  phase: 'following',
  atMs: NOW - 100,
};

function replica(changes: Partial<ReplicationStatus>): ReturnType<typeof decideReadiness> {
  const replication = { ...REPLICA, ...changes };
  return decideReadiness({ snapshot: { block: 7, ageMs: 0 }, renewed: false, live: null, replication, nowMs: NOW });
}

test('a replica is ready while it hears of its executor, keeps up with it, and the executor is ready', () => {
  assert.deepEqual(replica({}), { ready: true, reason: 'at block 7; version 20 of epoch 3' });
  const { replicationLagMsMax, replicationLagBlocksMax } = LIMITS;
  const near = { waiting: 10, lagMs: replicationLagMsMax, blocksBehind: replicationLagBlocksMax };
  assert.equal(replica(near).ready, true);
  const reasonOf = (changes: Partial<ReplicationStatus>): string => {
    const { ready, reason } = replica(changes);
    assert.equal(ready, false);
    return reason;
  };
  assert.equal(reasonOf({ ...near, blocksBehind: 2 }), '2 blocks behind the executor');
  assert.equal(reasonOf({ ...near, lagMs: 1001 }), '10 versions behind the executor for 1001 ms');
  assert.equal(reasonOf({ isConnected: false }), 'the NATS server is not connected');
  assert.equal(reasonOf({ heardAtMs: null }), 'no executor has been heard of');
  assert.equal(reasonOf({ heardAtMs: NOW - 3001 }), 'the executor was last heard of 3001 ms ago');
  assert.equal(reasonOf({ phase: 'catching up' }), 'catching up with the executor');
  assert.equal(reasonOf({ trouble: 'no feed' }), 'the executor says: no feed');
  assert.equal(reasonOf({ atMs: NOW - 6000 }), 'the publisher was last heard of 6000 ms ago');
});

test('the readiness of an executor that leads depends only on itself', () => {
  assert.equal(replica({ role: 'leader', isConnected: false, heardAtMs: null }).ready, true);
});

test('a replica reports its lag only if it knows it', () => {
  const behind = (changes: Partial<ReplicationStatus>): unknown => versionsBehind({ ...REPLICA, ...changes }, NOW);
  assert.deepEqual([behind({}), behind({ waiting: 30 })], [REPLICA.waiting, 30]);
  const silentSinceMs = NOW - LIMITS.replicationSilenceMsMax - 1;
  for (const changes of [
    { isConnected: false },
    { phase: 'catching up' },
    { heardAtMs: null },
    { heardAtMs: silentSinceMs },
    { atMs: NOW - LIMITS.liveStatusMsMax - 1 },
  ] as const) {
    assert.equal(behind(changes), 'unknown');
  }
  assert.deepEqual([behind({ role: 'leader' }), versionsBehind(null, NOW)], [null, null]);
});
