// Cost of the pool itself a job, by the number of jobs in a task, and the time of one job in an idle pool. One echo
// worker; every job differs. Run: node dist/bench/pool.bench.js
import type { Job, JobOutcome } from '../src/transaction/call-request.js';
import { ByteReader, ByteWriter } from '../src/lib/bytes/bytes.js';
import { packJob, unpackJob } from '../src/pool/codec/job.js';
import { WorkerPool } from '../src/pool/worker-pool.js';

const JOBS_IN_FLIGHT = 1024;
const ROUND_MS = 700;
const ROUNDS = 3;
const GROUPS = [1, 4, 16, 64] as const;
const ECHO_WORKER = new URL('../test/pool/fixtures/script-worker.js', import.meta.url);

let tag = 0;

/** A token transfer: 68 bytes of call data, some of the fields given. */
function transfer(): Job {
  const data = new Uint8Array(68);
  new DataView(data.buffer).setUint32(5, tag++);
  return {
    kind: 'estimate',
    position: { kind: 'version', version: 123_456 },
    call: {
      from: new Uint8Array(20).fill(1),
      to: new Uint8Array(20).fill(2),
      gas: null,
      gasPrice: null,
      maxFeePerGas: 1_000_000_000n,
      maxPriorityFeePerGas: 1_000_000n,
      maxFeePerBlobGas: null,
      value: 0n,
      data,
      accessList: null,
      blobVersionedHashes: null,
      authorizationList: null,
    },
    stateOverride: [],
    blockOverride: null,
    gasCap: 50_000_000n,
    timeoutMs: 5000,
  };
}

function startPool(jobsPerTaskMax: number): Promise<WorkerPool> {
  const pin = { pin: () => true, unpin: () => undefined };
  return WorkerPool.start(
    { workers: 1, workerFile: ECHO_WORKER, workerData: () => null, jobsPerTaskMax, queuedJobsMax: JOBS_IN_FLIGHT },
    {
      pinOn: () => pin,
      onFailure: (error) => {
        throw error;
      },
    },
  );
}

function submit(pool: WorkerPool): Promise<JobOutcome> {
  const answer = pool.submit(transfer());
  if (answer === null) throw new Error('refused');
  return answer;
}

/** Microseconds a job with the pool kept full. */
async function saturated(pool: WorkerPool): Promise<number> {
  const start = performance.now();
  const end = start + ROUND_MS;
  let done = 0;
  async function client(): Promise<void> {
    for (; performance.now() < end; done++) await submit(pool);
  }
  await Promise.all(Array.from({ length: JOBS_IN_FLIGHT }, client));
  return ((performance.now() - start) * 1000) / done;
}

/** Quantiles of the microseconds from submission to answer, one job at a time. */
async function idleLatency(pool: WorkerPool): Promise<readonly [median: number, p99: number]> {
  const times: number[] = [];
  const end = performance.now() + 2 * ROUND_MS;
  while (performance.now() < end) {
    const start = performance.now();
    await submit(pool);
    times.push((performance.now() - start) * 1000);
  }
  times.sort((a, b) => a - b);
  return [times[times.length >> 1]!, times[Math.floor(times.length * 0.99)]!];
}

/** Microseconds to pack and to unpack a job, without threads. */
function packing(): readonly [pack: number, unpack: number] {
  const count = 200_000;
  const job = transfer();
  const writer = new ByteWriter(1024);
  const pack = timed(count, () => {
    writer.reset();
    packJob(job, writer);
  });
  const unpack = timed(count, () => unpackJob(new ByteReader(writer.written)));
  return [pack, unpack];
}

function timed(count: number, run: () => void): number {
  for (let warm = 0; warm < count; warm++) run();
  const start = performance.now();
  for (let round = 0; round < count; round++) run();
  return ((performance.now() - start) * 1000) / count;
}

const pools: WorkerPool[] = [];
for (const group of GROUPS) pools.push(await startPool(group));
const best = GROUPS.map(() => Infinity);
for (let round = 0; round < ROUNDS; round++) {
  for (const [at, pool] of pools.entries()) best[at] = Math.min(best[at]!, await saturated(pool));
}
GROUPS.forEach((group, at) => {
  console.log(
    `${String(group).padStart(2)} jobs a task: ${best[at]!.toFixed(2)} us a job, ${(best[0]! / best[at]!).toFixed(1)} times as fast as alone`,
  );
});
const [median, p99] = await idleLatency(pools[2]!);
console.log(`one job, idle pool: median ${median.toFixed(0)} us, p99 ${p99.toFixed(0)} us`);
const [pack, unpack] = packing();
console.log(`packing alone: pack ${pack.toFixed(2)} us, unpack ${unpack.toFixed(2)} us`);
await Promise.all(pools.map((pool) => pool.close()));
