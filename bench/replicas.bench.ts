// Cost and lag of replicas: from publication to a replica, catching up, a start from a snapshot, and the executor's CPU
// with and without them. Over a real nats-server on this machine. `node dist/bench/replicas.bench.js [slots]`; default
// 1,000,000. Executor and first replica share one thread here, so latencies are upper bounds.
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { monotonicMs } from '../src/lib/clock.js';
import type { SlotChange } from '../src/state/state-diff.js';
import { Executor, Follower, type SharedChain } from '../test/replicas/replicated-pair.js';
import { account, addressOf, bytes, diffOf, hashOf } from '../test/state/diffs.js';
import { NatsServer } from '../test/support/nats-server.js';
import { until } from '../test/support/patience.js';

const SLOTS = Number(process.argv[2] ?? 1_000_000);
const SEED_AT_ONCE = 10_000;
const VERSIONS = 600;
const PACE_MS = 5;
const BEHIND = 5000;
const CHANGED = 40;
const ROUNDS = 5;
const REPLICAS = 3;
const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));

let chains = 1n;
let seed = 0;

const wide = (): Uint8Array => Buffer.concat([new Uint8Array(28).fill(7), bytes(4, ++seed)]);
const slots = (count: number): SlotChange[] =>
  Array.from({ length: count }, () => ({ address: addressOf(200 + (seed % 50)), slot: wide(), value: wide() }));

/** Publishes a version like that of a busy increment. */
function publish(executor: Executor, block: number, index: number): void {
  const accounts = Array.from({ length: CHANGED / 2 }, (_, at) =>
    account(300 + at, BigInt(++seed), BigInt(seed) << 60n),
  );
  executor.publisher.publish(diffOf({ block, index, hash: hashOf(block), accounts, slots: slots(CHANGED / 2) }), {
    gasUsed: 1n,
    blobGasUsed: 0n,
    extraData: new Uint8Array(17),
    transactions: [],
  });
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const percentile = (sorted: readonly number[], share: number): string =>
  sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(2);

async function latency(shared: SharedChain): Promise<void> {
  const executor = await Executor.lead(shared, 1);
  executor.begin(true);
  const follower = await Follower.start(shared);
  await follower.reaches(executor);
  const sent = new Map<number, number>();
  const times: number[] = [];
  follower.compareAt = (version) => void times.push(performance.now() - sent.get(version)!);
  executor.compareAt = () => undefined;
  const { bytes: before } = executor.status!.counts;
  for (let at = 1; at <= VERSIONS; at++) {
    sent.set(executor.publisher.newest + 1, performance.now());
    publish(executor, 2, at);
    await sleep(PACE_MS);
  }
  await until(() => times.length === VERSIONS);
  times.sort((a, b) => a - b);
  const mean = (executor.status!.counts.bytes - before) / VERSIONS;
  console.log(
    `publication to replica: median ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms; ${mean.toFixed(0)} bytes a version of ${CHANGED} changed keys`,
  );
  await follower.stop();
  await executor.stop();
}

async function catchUp(shared: SharedChain): Promise<void> {
  const executor = await Executor.lead(shared, 1);
  executor.begin(true);
  await until(() => (executor.status?.counts.snapshots ?? 0) > 0);
  executor.compareAt = () => undefined;
  for (let at = 1; at <= BEHIND; at++) {
    publish(executor, 2, at);
    if (at % 100 === 0) await until(() => executor.status!.waiting === 0);
  }
  await until(() => executor.status!.waiting === 0);
  const follower = await Follower.start(shared);
  follower.compareAt = () => undefined;
  await until(() => follower.reader !== null);
  const startMs = performance.now();
  const from = follower.publisher.newest;
  await until(() => follower.publisher.newest === executor.publisher.newest);
  const rate = ((follower.publisher.newest - from) / (performance.now() - startMs)) * 1000;
  console.log(`catching up: ${rate.toFixed(0)} versions/s of ${CHANGED} changed keys`);
  await follower.stop();
  await executor.stop();
}

async function snapshot(shared: SharedChain): Promise<void> {
  const executor = await Executor.lead(shared, 1);
  const { coordinates, env, heads } = diffOf({ block: 1, hash: hashOf(1) });
  const base = { version: 1, isComplete: true, position: { coordinates, env, heads }, ancestors: [], block: null };
  const adoption = executor.publisher.adopt(base);
  for (let seeded = 0; seeded < SLOTS; seeded += SEED_AT_ONCE) {
    adoption.seed({ accounts: [], slots: slots(Math.min(SEED_AT_ONCE, SLOTS - seeded)), codes: [] });
  }
  const [storedAt, cpu] = [performance.now(), process.cpuUsage()];
  adoption.finish();
  await until(() => (executor.status?.counts.snapshots ?? 0) > 0);
  const storedMs = performance.now() - storedAt;
  const { user, system } = process.cpuUsage(cpu);
  const loadedAt = performance.now();
  const follower = await Follower.start(shared);
  await until(() => follower.reader !== null);
  console.log(
    `snapshot of ${SLOTS} slots: stored in ${(storedMs / 1000).toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of CPU), a replica reads it after ${((performance.now() - loadedAt) / 1000).toFixed(1)} s`,
  );
  await follower.stop();
  await executor.stop();
}

/** CPU of this process per version, microseconds. */
async function costOf(executor: Executor, block: number): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 1; at <= VERSIONS; at++) {
    publish(executor, block, at);
    await sleep(1);
  }
  await until(() => executor.status!.waiting === 0);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / VERSIONS;
}

/** Alternating rounds with and without replicas, which are separate processes, stopped in rounds without. */
async function cost(shared: SharedChain): Promise<void> {
  const executor = await Executor.lead(shared, 1);
  executor.begin(true);
  executor.compareAt = () => undefined;
  await until(() => (executor.status?.counts.snapshots ?? 0) > 0);
  const flags = [
    MAIN,
    '--port',
    '0',
    '--workers',
    '1',
    '--log-format',
    'json',
    '--follow',
    `${shared.url}/${shared.chainId}`,
  ];
  const children = Array.from({ length: REPLICAS }, () =>
    spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const listening = children.map(
    (child) =>
      new Promise<void>((resolve) =>
        child.stdout.on('data', (line: Buffer) => line.includes('listening') && resolve()),
      ),
  );
  await Promise.all(listening);
  const costs: Record<'with' | 'without', number[]> = { with: [], without: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const child of children) child.kill('SIGSTOP');
    costs.without.push(await costOf(executor, 2 + round));
    for (const child of children) child.kill('SIGCONT');
    costs.with.push(await costOf(executor, 2 + round));
  }
  console.log(
    `executor's CPU a version, publishing included: ${median(costs.without).toFixed(0)} us without replicas, ${median(costs.with).toFixed(0)} us with ${REPLICAS}`,
  );
  for (const child of children) child.kill('SIGKILL');
  await executor.stop();
}

const server = await NatsServer.start();
const startMs = monotonicMs();
for (const part of [latency, catchUp, snapshot, cost]) {
  await part({ url: server.url, chainId: ++chains, truths: new Map() });
}
console.log(`${monotonicMs() - startMs} ms`);
await server.kill();
