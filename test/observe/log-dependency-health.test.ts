// The log says once that a dependency is lost, and once that it is back, with its address but without secrets.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LIMITS } from '../../src/limits/index.js';
import {
  MonitoredDependency,
  DependencyHealth,
  type DependencyLogger,
  type ComponentReports,
} from '../../src/observe/log-dependency-health.js';
import { LIVE, NOW_MS, REPLICA, LEADER } from '../support/metric-sources.js';

const READY = { ready: true, reason: 'at block 1' };
const WELL: ComponentReports = {
  live: { ...LIVE, upstream: { ...LIVE.upstream, headLink: { isUp: true, losses: 0, reason: null } } },
  replication: REPLICA,
  readiness: READY,
};
const PLACES = {
  upstream: 'https://me:secret@node.example:8443/v3/0123456789abcdef',
  upstreamWs: 'ws://node.example:8546',
  feeds: ['wss://feed.example/ws?key=0123456789', 'wss://other.example'],
  nats: 'nats://token@nats.example:4222',
};

type Line = readonly [level: 'warn' | 'info', text: string, fields: object];

function recording(): { readonly log: DependencyLogger; readonly lines: () => Line[] } {
  const lines: Line[] = [];
  const log: DependencyLogger = {
    warn: (fields, text) => lines.push(['warn', text, fields]),
    info: (fields, text) => lines.push(['info', text, fields]),
  };
  return { log, lines: () => lines.splice(0) };
}

const live = (changes: Partial<NonNullable<ComponentReports['live']>>): ComponentReports => ({
  ...WELL,
  live: { ...WELL.live!, ...changes },
});
const heads = (isUp: boolean, losses: number, reason: string | null): ComponentReports =>
  live({ upstream: { ...LIVE.upstream, headLink: { isUp, losses, reason } } });
const SILENT = NOW_MS - LIMITS.upstreamSilenceMsMax;

const LOSSES: readonly (readonly [name: string, lost: ComponentReports, fields: object])[] = [
  [
    'the upstream node',
    live({ upstreamSilentSinceMs: SILENT }),
    { address: 'https://***@node.example:8443/v3/***', reason: `it has not answered for ${NOW_MS - SILENT} ms` },
  ],
  [
    'the WebSocket of heads',
    heads(false, 0, 'status 401 of node.example'),
    { address: 'ws://node.example:8546', reason: 'status 401 of ***' },
  ],
  [
    'the feed',
    live({ feeds: [{ isUp: false, losses: 0, reason: 'closed with code 1006' }] }),
    { address: 'wss://feed.example/ws?***', reason: 'closed with code 1006' },
  ],
  [
    'the NATS server',
    { ...WELL, replication: { ...REPLICA, isConnected: false, heardAtMs: null } },
    { address: 'nats://***@nats.example:4222', reason: 'it is not connected' },
  ],
  [
    'the leader',
    { ...WELL, replication: { ...REPLICA, heardAtMs: null } },
    { reason: 'no executor has been heard of' },
  ],
  [
    'the leader',
    { ...WELL, replication: { ...LEADER, hasLease: false } },
    { reason: 'the lease is not held here any more' },
  ],
  [
    'readiness',
    { ...WELL, readiness: { ready: false, reason: 'the feed is silent' } },
    { reason: 'the feed is silent' },
  ],
];

for (const [name, lost, fields] of LOSSES) {
  test(`${name}: its loss and its return are logged once each: ${JSON.stringify(fields)}`, () => {
    const { log, lines } = recording();
    const presences = new DependencyHealth(PLACES, log);
    presences.check(WELL, NOW_MS);
    assert.deepEqual(lines(), []);
    for (let look = 0; look < 3; look++) presences.check(lost, NOW_MS);
    assert.deepEqual(lines(), [['warn', `${name} is lost`, fields]]);
    const later = { ...WELL, replication: { ...REPLICA, heardAtMs: NOW_MS + 12_345 } };
    for (let look = 0; look < 3; look++) presences.check(later, NOW_MS + 12_345);
    const address = 'address' in fields ? { address: fields.address } : {};
    assert.deepEqual(lines(), [['info', `${name} is back`, { ...address, lostMs: 12_345 }]]);
  });
}

test('a connection that was lost and reopened between two polls is logged', () => {
  const { log, lines } = recording();
  const presences = new DependencyHealth(PLACES, log);
  presences.check(heads(true, 0, null), NOW_MS);
  presences.check(heads(true, 1, 'no pong for 4000 ms'), NOW_MS);
  assert.deepEqual(
    lines().map(([level, text]) => [level, text]),
    [
      ['warn', 'the WebSocket of heads is lost'],
      ['info', 'the WebSocket of heads is back'],
    ],
  );
});

test('a second feed is logged separately, and the leader not at all while the server is down', () => {
  const { log, lines } = recording();
  const presences = new DependencyHealth(PLACES, log);
  const [up, down] = [
    { isUp: true, losses: 0, reason: null },
    { isUp: false, losses: 1, reason: 'closed with code 1001' },
  ];
  presences.check(live({ feeds: [up, down] }), NOW_MS);
  assert.deepEqual(lines(), [
    ['warn', 'the feed is lost', { address: 'wss://other.example', reason: 'closed with code 1001' }],
  ]);
  presences.check({ ...WELL, replication: { ...REPLICA, isConnected: false, heardAtMs: null } }, NOW_MS);
  assert.deepEqual(
    lines().map(([, text]) => text),
    ['the NATS server is lost'],
  );
});

test('a chain without dependencies has only its readiness logged', () => {
  const { log, lines } = recording();
  const presences = new DependencyHealth(
    { upstream: undefined, upstreamWs: undefined, feeds: [], nats: undefined },
    log,
  );
  presences.check({ live: null, replication: null, readiness: { ready: false, reason: 'stale' } }, NOW_MS);
  assert.deepEqual(lines(), [['warn', 'readiness is lost', { reason: 'stale' }]]);
});

test('a dependency that was never lost is not logged', () => {
  const { log, lines } = recording();
  new MonitoredDependency('it', log).report(null, NOW_MS);
  assert.deepEqual(lines(), []);
});
