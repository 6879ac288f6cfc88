// The pool with estimators that echo, hang, crash and exhaust their memory on demand, on a clock that the test
// advances.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobOutcome } from '../../src/transaction/evm-job.js';
import { KernelCounters } from '../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { LIMITS } from '../../src/limits/index.js';
import { recycleResult } from '../../src/lib/memory/result-memory.js';
import { ShadowSampler } from '../../src/pool/shadow-sampler.js';
import type { AbortableCaller } from '../../src/pool/pool-request-types.js';
import { PATIENCE_MS, until } from '../support/patience.js';
import type { VersionPin } from '../../src/state/version-pins.js';
import { WorkerPool, type PoolOptions } from '../../src/pool/worker-pool.js';
import { ACTION, script, SHARED, timeoutText } from './fixtures/script-worker.js';
import { jobWith } from './jobs.js';
import { TestClock } from './test-clock.js';

const ALL_TAGS = 1_000_000;
const WORKER_FILE = new URL('./fixtures/script-worker.js', import.meta.url);
const OVERLOADED = { kind: 'failure', error: 'overload', message: 'limit exceeded' };
const BROKEN = { kind: 'failure', error: 'internal', message: 'internal error' };

/**
 * A pool of script workers, which is closed at the end of the file; its clock, its reports, and its workers' counters.
 */
async function startPool(options: Partial<PoolOptions> = {}) {
  const workerData = new SharedArrayBuffer(4 * SHARED.words);
  const counters = new Int32Array(workerData);
  const clock = new TestClock();
  const failures: string[] = [];
  const pins: string[] = [];
  const pool = await WorkerPool.start(
    { workers: 2, workerFile: WORKER_FILE, workerData: () => workerData, ...options },
    {
      pinOn: ({ generation }) => pinNoting(generation, pins),
      onFailure: ({ message }) => failures.push(message),
      nowMs: clock.nowMs,
    },
  );
  after(() => pool.close());
  /** Resolves when so many runs have started. */
  const executed = (count: number): Promise<void> => until(() => counters[SHARED.executed] === count);
  return { pool, clock, failures, pins, counters, executed, openGate: (tags = ALL_TAGS) => setGate(counters, tags) };
}

type Started = Awaited<ReturnType<typeof startPool>>;

/** Lets jobs with tags below `tags` proceed. */
function setGate(counters: Int32Array, tags: number): void {
  Atomics.store(counters, SHARED.gate, tags);
  Atomics.notify(counters, SHARED.gate);
}

function pinNoting(generation: number, notes: string[]): VersionPin {
  return {
    pin: (version) => notes.push(`${generation}: ${version}`) > 0,
    unpin: () => notes.push(`${generation}: -`),
  };
}

function longData(length: number, tag: number): JobOutcome {
  return { kind: 'return', data: new Uint8Array(length).fill(tag) };
}

/** Submits a script that must be admitted. */
function run(pool: WorkerPool, action: number, argument = 0, tag = 0): Promise<JobOutcome> {
  return submit(pool, jobWith(script(action, argument, tag)));
}

/** An echoed job of some 4000 bytes. */
function large(tag: number): Job {
  return jobWith(new Uint8Array(4000).fill(tag).fill(ACTION.echo, 0, 1));
}

/** Submits a job that must be admitted. */
function submit(pool: WorkerPool, job: Job, caller?: AbortableCaller): Promise<JobOutcome> {
  const answer = pool.submit(job, caller);
  assert.ok(answer !== null, 'the job was refused');
  return answer;
}

function timedOut(timeoutMs: number): JobOutcome {
  return { kind: 'failure', error: 'timeout', message: timeoutText(timeoutMs) };
}

function echoes(action: number, argument: number, tag: number): JobOutcome {
  return { kind: 'return', data: script(action, argument, tag) };
}

void test('every job gets its own result, whatever jobs it is grouped with', async () => {
  const { pool } = await startPool();
  const tasksBefore = pool.stats.tasks;
  const tags = Array.from({ length: 300 }, (_, tag) => tag);
  const answers = await Promise.all(tags.map((tag) => run(pool, ACTION.echo, 0, tag)));
  for (const tag of tags) assert.deepEqual(answers[tag], echoes(ACTION.echo, 0, tag));
  assert.ok(pool.stats.tasks - tasksBefore < 60, 'jobs of one turn are grouped');
  assert.equal(pool.stats.running + pool.stats.queued, 0);
  const { queue, execution, return: back } = pool.stats.times;
  for (const { count } of [queue, execution, back]) assert.equal(count, tags.length);
});

void test('idle workers learn of the newest table once', async () => {
  const { pool, counters } = await startPool();
  for (let i = 0; i < 5; i++) pool.setTable({ generation: 1, buffer: new SharedArrayBuffer(8) });
  await until(() => Atomics.load(counters, SHARED.reported) > 0, 'a worker is told');
  await until(() => Atomics.load(counters, SHARED.reported) === 2 * 5, 'both workers are told of the fifth');
  assert.deepEqual(await run(pool, ACTION.table), { kind: 'gas', gas: 5n });
});

void test('a worker frees memory on request, even while its task waits for more jobs', async () => {
  const { pool, counters } = await startPool({ workers: 1 });
  pool.releaseMemory();
  await until(() => Atomics.load(counters, SHARED.idled) === 1, 'the worker has no task');
  await run(pool, ACTION.echo, 0, 1);
  pool.releaseMemory();
  await until(() => Atomics.load(counters, SHARED.idled) === 2, 'its task waits');
  assert.deepEqual(await run(pool, ACTION.echo, 0, 2), echoes(ACTION.echo, 0, 2));
});

void test('a running task accepts further jobs, and ends for a job that does not fit its mailbox', async () => {
  const { pool } = await startPool({ workers: 1 });
  for (let tag = 0; tag < 2000; tag++) {
    assert.deepEqual(await run(pool, ACTION.echo, 0, tag), echoes(ACTION.echo, 0, tag));
    // Arrives while the worker waits, just as it stops waiting, or long after.
    if (tag % 100 === 0) await sleep(LIMITS.mailboxLingerMs - 1 + (tag / 100) * 0.1);
  }
  const data = new Uint8Array(LIMITS.mailboxJobBytesMax);
  assert.deepEqual(await submit(pool, jobWith(data)), { kind: 'return', data }, 'too long for a mailbox');
  assert.deepEqual(await run(pool, ACTION.echo, 0, 3), echoes(ACTION.echo, 0, 3));
});

function longScript(action: number, tag: number): Uint8Array {
  const data = new Uint8Array(LIMITS.longJobBytesMin * (1 + (tag % 9))).fill(tag);
  data.set(script(action, 0, tag));
  return data;
}

void test('long jobs keep their bytes while other memory is reused and workers die', async () => {
  const { pool, counters } = await startPool();
  const echoed = async (action: number, tag: number): Promise<void> => {
    const data = longScript(action, tag);
    assert.deepEqual(await submit(pool, jobWith(data)), { kind: 'return', data }, `job ${tag}`);
  };
  for (let round = 0; round < 3; round++) {
    const tags = Array.from({ length: 16 }, (_, i) => 16 * round + i);
    await Promise.all(tags.map((tag) => echoed(ACTION.echo, tag)));
  }
  await Promise.all([echoed(ACTION.exitOnce, 60), echoed(ACTION.echo, 61), echoed(ACTION.echo, 62)]);
  assert.ok(counters[SHARED.exits]! > 0);
});

void test('a table that changes while a worker waits for jobs is used by the next job', async () => {
  const { pool } = await startPool({ workers: 1 });
  for (let generation = 1; generation <= 30; generation++) {
    pool.setTable({ generation: 0, buffer: new SharedArrayBuffer(8) });
    for (let tag = 0; tag < 3; tag++) {
      assert.deepEqual(await run(pool, ACTION.table, 0, tag), { kind: 'gas', gas: BigInt(generation) });
    }
  }
});

void test('jobs of one tick are spread over idle workers', async () => {
  const { pool } = await startPool();
  await Promise.all([run(pool, ACTION.echo, 0, 1), run(pool, ACTION.echo, 0, 2)]);
  assert.equal(pool.stats.tasks, 2);
});

void test('equal jobs in flight are executed once and share the result', async () => {
  const { pool, counters, openGate } = await startPool();
  const jobs = [1, 2, 3, 4].map(() => run(pool, ACTION.take, 0, 7));
  openGate();
  assert.deepEqual(await Promise.all(jobs), Array(4).fill(echoes(ACTION.take, 0, 7)));
  assert.equal(counters[SHARED.executed], 1);
  assert.equal(pool.stats.merged, 3);
  await run(pool, ACTION.take, 0, 7);
  assert.equal(counters[SHARED.executed], 2, 'an answered job is executed again');
});

void test('jobs of one call are merged if all else is the same, too', async () => {
  const { pool, counters } = await startPool();
  const { call } = jobWith(script(ACTION.echo));
  const others: readonly Partial<Job>[] = [
    { kind: 'call' },
    { position: { kind: 'version', version: 2 } },
    { position: { kind: 'archive', block: 1 } },
    { position: { kind: 'archive', block: 2 } },
    { gasCap: 1n },
    { timeoutMs: 5000 },
    { isWatched: true },
    { stateOverride: [{ address: new Uint8Array(20), nonce: 1n }] },
    { blockOverride: { number: 1n } },
  ];
  const alike = others.flatMap((other) => [jobWith(call.data, { call }), jobWith(call.data, { call, ...other })]);
  await Promise.all(alike.map((job) => submit(pool, job)));
  assert.equal(counters[SHARED.executed], 1 + others.length);
  assert.equal(pool.stats.merged, others.length - 1);
});

void test('beyond the queue bound a job is refused at once, unless an equal one is queued', async () => {
  const { pool, openGate } = await startPool({ queuedJobsMax: 3 });
  const admitted = [1, 2, 3].map((tag) => run(pool, ACTION.take, 0, tag));
  assert.equal(pool.submit(jobWith(script(ACTION.echo))), null);
  assert.ok(pool.submit(jobWith(script(ACTION.take, 0, 1))) !== null);
  assert.equal(pool.stats.refused.full, 1);
  openGate();
  await Promise.all(admitted);
  assert.deepEqual(await run(pool, ACTION.echo), echoes(ACTION.echo, 0, 0));
});

void test('a job that waits too long is refused, a running one is not', async () => {
  const { pool, clock, executed, openGate } = await startPool({ workers: 1, queuedJobMsMax: 300 });
  const [running, ...late] = [0, 1, 2].map((tag) => run(pool, ACTION.take, 0, tag));
  await executed(1);
  await clock.pass(300);
  assert.equal(pool.stats.refused.late, 0);
  await clock.pass(LIMITS.queuePollMs);
  assert.deepEqual(await Promise.all(late), [OVERLOADED, OVERLOADED]);
  assert.equal(pool.stats.refused.late, 2);
  openGate();
  assert.deepEqual(await running, echoes(ACTION.take, 0, 0));
  assert.deepEqual(await run(pool, ACTION.echo), echoes(ACTION.echo, 0, 0));
});

void test('queued jobs are bounded by their bytes as well', async () => {
  const { pool } = await startPool({ queuedJobBytesMax: 10_000 });
  const admitted = [submit(pool, large(1)), submit(pool, large(2))];
  assert.equal(pool.submit(large(3)), null);
  const small = run(pool, ACTION.echo);
  await Promise.all([...admitted, small]);
  assert.equal((await submit(pool, large(3))).kind, 'return', 'answers make room');
});

void test('equal jobs at the same version number of different tables are not merged', async () => {
  const { pool, counters } = await startPool();
  const answers: Promise<JobOutcome>[] = [];
  for (const generation of [1, 2]) {
    pool.setTable({ generation, buffer: new SharedArrayBuffer(8) });
    answers.push(run(pool, ACTION.echo), run(pool, ACTION.echo));
  }
  await Promise.all(answers);
  assert.equal(counters[SHARED.executed], 2);
  assert.equal(pool.stats.merged, 2);
});

void test('jobs ahead of a slow one are answered before it, jobs behind it are returned to the queue', async () => {
  const { pool, clock, executed, openGate } = await startPool({ workers: 1 });
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);
  const jobs = [
    run(pool, ACTION.echo, 0, 0).then(note('alone')),
    run(pool, ACTION.echo, 0, 1).then(note('in front')),
    run(pool, ACTION.take, 0).then(note('slow')),
    run(pool, ACTION.echo, 0, 2).then(note('behind')),
  ];
  await executed(3);
  await clock.passUntil(() => pool.stats.queued === 1);
  assert.deepEqual(order, ['alone', 'in front']);
  openGate();
  await Promise.all(jobs);
  assert.deepEqual(order, ['alone', 'in front', 'slow', 'behind']);
});

void test('jobs queued behind a slow one are moved to another worker', async () => {
  const { pool, clock, openGate } = await startPool();
  let answered = 0;
  const slow = run(pool, ACTION.take, 0, 1);
  const behind = [1, 2, 3].map((tag) => run(pool, ACTION.echo, 0, tag).then(() => answered++));
  await clock.passUntil(() => answered === behind.length);
  openGate();
  assert.deepEqual(await slow, echoes(ACTION.take, 0, 1));
});

void test('a job goes to an idle worker rather than behind another job', async () => {
  const { pool, executed, openGate } = await startPool();
  const first = [0, 1].map((tag) => run(pool, ACTION.take, 0, tag));
  await executed(2);
  const blocked = run(pool, ACTION.take, 0, 5);
  openGate(1);
  await first[0];
  await executed(3);
  openGate(2);
  await first[1];
  assert.deepEqual(await run(pool, ACTION.echo), echoes(ACTION.echo, 0, 0), 'while the clock stands still');
  openGate();
  await blocked;
});

void test('a worker that runs a long job gets no further jobs', async () => {
  const { pool, executed, openGate } = await startPool({ workers: 1 });
  openGate(1);
  await run(pool, ACTION.take, 200, 0);
  const first = run(pool, ACTION.take, 0, 1);
  await executed(2);
  const expensive = run(pool, ACTION.take, 200, 2);
  openGate(2);
  await first;
  await executed(3);
  const cheap = run(pool, ACTION.echo);
  for (let turns = 0; turns < 3; turns++) await nextTurn();
  assert.deepEqual(pool.stats.waiting, { short: 0, longer: 1 });
  openGate();
  await Promise.all([expensive, cheap]);
});

for (const [isShortNear, sent] of [
  [false, 8],
  [true, 2],
] as const) {
  const when = isShortNear ? 'while much shorter jobs arrive' : 'while no shorter jobs arrive';
  void test(`a worker gets ${sent} jobs of half a millisecond at once ${when}`, async () => {
    const { pool, executed, openGate } = await startPool({ workers: 1 });
    const echoed = isShortNear ? 2 : 0;
    for (let i = 0; i < echoed; i++) await run(pool, ACTION.echo);
    // The argument is a part of the function selector: these are all of kinds whose time is not known.
    const jobs = Array.from({ length: 24 }, (_, kind) => run(pool, ACTION.take, kind));
    await executed(echoed + 1);
    assert.equal(pool.stats.queued, jobs.length - sent);
    openGate();
    await Promise.all(jobs);
  });
}

void test('a job that does not end times out and its worker is killed; other jobs of its task are answered', async () => {
  const { pool, clock } = await startPool({ workers: 1, timeoutGraceMs: 20, killGraceMs: 100 });
  const timeoutMs = 50;
  const endless = submit(pool, jobWith(script(ACTION.take), { timeoutMs }));
  const neighbours = [1, 2, 3].map((tag) => run(pool, ACTION.echo, 0, tag));
  await clock.passUntil(() => pool.stats.kills === 1);
  assert.deepEqual(await endless, timedOut(timeoutMs));
  assert.deepEqual(
    await Promise.all(neighbours),
    [1, 2, 3].map((tag) => echoes(ACTION.echo, 0, tag)),
  );
  assert.equal(pool.stats.kills, 1);
  assert.equal(pool.stats.crashes, 0);
});

void test('a job whose worker hangs is answered before the worker is killed', async () => {
  const { pool, clock, executed, openGate } = await startPool({
    workers: 1,
    timeoutGraceMs: 20,
    killGraceMs: 600_000,
  });
  const hangs = submit(pool, jobWith(script(ACTION.take), { timeoutMs: 50 }));
  await executed(1);
  await clock.passUntil(() => pool.stats.completed === 1);
  assert.deepEqual(await hangs, timedOut(50));
  assert.equal(pool.stats.kills, 0);
  openGate();
  assert.deepEqual(await run(pool, ACTION.echo), echoes(ACTION.echo, 0, 0), 'the late answer is ignored');
  assert.equal(pool.stats.completed, 2);
});

/** Blocks the worker that takes all jobs, so that only the one for short jobs is left; counts as two runs. */
async function blockFirst({ pool, executed, openGate }: Started): Promise<Promise<JobOutcome>[]> {
  const [last, first] = [0, 1].map((tag) => run(pool, ACTION.take, 0, tag));
  await executed(2);
  openGate(1);
  await last;
  return [first!];
}

void test('a job that exceeds its trial limit is run again with its full time', async () => {
  const started = await startPool();
  const [blocker] = await blockFirst(started);
  const tried = submit(started.pool, jobWith(script(ACTION.take, 50_000), { timeoutMs: 300 }));
  await started.executed(2 + 1);
  started.openGate();
  assert.deepEqual(await tried, timedOut(300));
  assert.deepEqual(await blocker, echoes(ACTION.take, 0, 1));
  await started.executed(2 + 2);
});

void test('a job that is foreseen to be long gets no trial and waits for the other workers', async () => {
  const started = await startPool();
  const { pool, counters, openGate } = started;
  const [blocker] = await blockFirst(started);
  const code = new Uint8Array(100 * 1024);
  const stateOverride = [{ address: new Uint8Array(20), code }];
  const foreseen = submit(pool, jobWith(script(ACTION.echo, 0, 7), { stateOverride }));
  assert.deepEqual(await run(pool, ACTION.echo, 0, 3), echoes(ACTION.echo, 0, 3));
  assert.equal(counters[SHARED.executed], 2 + 1, 'the last worker has had none but the other');
  openGate();
  assert.deepEqual(await foreseen, echoes(ACTION.echo, 0, 7));
  await blocker;
});

void test('after one trial of a new kind of job, others of that kind wait for the other workers', async () => {
  const started = await startPool();
  const { pool, counters, openGate } = started;
  const [blocker] = await blockFirst(started);
  // So many that the worker cannot have tried all of them before main learns from the first.
  const count = 32;
  const long = Array.from({ length: count }, (_, tag) =>
    submit(pool, jobWith(script(ACTION.take, 50_000, 1 + tag), { timeoutMs: 200 })),
  );
  await until(() => pool.stats.waiting.longer === count);
  assert.ok(counters[SHARED.executed]! < 2 + count, 'not all of them were tried');
  openGate();
  for (const answer of await Promise.all(long)) assert.deepEqual(answer, timedOut(200));
  await blocker;
});

void test('short jobs always find a worker, however many long ones there are', async () => {
  const { pool, clock, openGate } = await startPool();
  const expensive = Array.from({ length: 12 }, (_, tag) => run(pool, ACTION.take, 200, tag));
  await until(() => pool.stats.waiting.longer > 0);
  for (let tag = 0; tag < 20; tag++) {
    let outcome: JobOutcome | null = null;
    void run(pool, ACTION.echo, 0, tag).then((answered) => (outcome = answered));
    // In steps: the pool notices that the other worker is blocked some time after it has noticed the start of its job.
    await clock.passUntil(() => outcome !== null);
    assert.deepEqual(outcome, echoes(ACTION.echo, 0, tag));
  }
  openGate();
  for (const [tag, answer] of expensive.entries()) assert.deepEqual(await answer, echoes(ACTION.take, 200, tag));
  assert.equal(pool.stats.kills, 0);
});

void test('after a long new kind of job, the next new kind of that client may not use the worker for short jobs', async () => {
  const { pool, counters, executed, openGate } = await startPool();
  const [slow, other] = [
    { aborted: false, client: 'slow' },
    { aborted: false, client: 'other' },
  ];
  openGate();
  await submit(pool, jobWith(script(ACTION.take, 5)), slow);
  openGate(1);
  const [last, first] = [1, 2].map((tag) => submit(pool, jobWith(script(ACTION.take, 0, tag)), other));
  await executed(3);
  openGate(2);
  await last;
  const blocked = [2, 3].map((tag) => submit(pool, jobWith(script(ACTION.take, 256 + tag, tag)), slow));
  assert.deepEqual(await submit(pool, jobWith(script(ACTION.echo)), other), echoes(ACTION.echo, 0, 0));
  assert.equal(counters[SHARED.executed], 4, 'none of them has begun');
  openGate();
  await Promise.all([first, ...blocked]);
});

/** Teaches the pool how long such jobs take, and that short ones occur; returns the number of runs. */
async function learn({ pool, counters }: Started, ...argumentsMs: readonly number[]): Promise<number> {
  for (const ms of argumentsMs) await run(pool, ACTION.take, ms);
  for (const tag of [0, 1]) await run(pool, ACTION.echo, 0, tag);
  return counters[SHARED.executed]!;
}
/** Longer than short jobs, and longer than a trial. */
const longerMs = 4 * LIMITS.shortJobMs;
const expensiveMs = 4 * LIMITS.trialMs;

void test('while short jobs arrive, longer ones leave the last worker to them', async () => {
  const started = await startPool();
  const { pool, clock, counters, executed, openGate } = started;
  openGate();
  const ran = await learn(started, longerMs);
  openGate(1);
  const longer = [1, 2].map((tag) => run(pool, ACTION.take, longerMs, tag));
  await executed(ran + 1);
  assert.deepEqual(await run(pool, ACTION.echo, 0, 3), echoes(ACTION.echo, 0, 3));
  assert.equal(counters[SHARED.executed], ran + 2, 'the second one waits');
  clock.advance(LIMITS.clientAloneMs + 1);
  await executed(ran + 3);
  openGate();
  await Promise.all(longer);
});

void test('while a job of unknown cost occupies the other workers for long, longer jobs may use the last one', async () => {
  const started = await startPool();
  const { pool, clock, counters, executed, openGate } = started;
  openGate();
  const ran = await learn(started, longerMs);
  openGate(1);
  const unknown = run(pool, ACTION.take, expensiveMs, 1);
  await executed(ran + 1);
  const longer = run(pool, ACTION.take, longerMs, 2);
  // In steps: a job's time counts from when the pool noticed its start, which may be after the first step.
  await clock.passUntil(() => counters[SHARED.executed] === ran + 2);
  openGate();
  await Promise.all([unknown, longer]);
});

void test('while the most expensive jobs occupy the other workers, longer jobs may use the last one', async () => {
  const started = await startPool();
  const { pool, executed, openGate } = started;
  openGate();
  const ran = await learn(started, expensiveMs, longerMs);
  openGate(1);
  const expensive = run(pool, ACTION.take, expensiveMs, 1);
  await executed(ran + 1);
  const longer = run(pool, ACTION.take, longerMs, 2);
  await executed(ran + 2);
  openGate();
  await Promise.all([expensive, longer]);
});

void test('a long job is remembered by contract and function and gets no second trial', async () => {
  const started = await startPool();
  const { pool, counters, executed, openGate } = started;
  const [blocker] = await blockFirst(started);
  const runExpensive = (tag: number): Promise<JobOutcome> =>
    submit(pool, jobWith(script(ACTION.take, 50_000, tag), { timeoutMs: 200 }));
  const first = runExpensive(1);
  await executed(2 + 1);
  openGate();
  await Promise.all([blocker, first]);
  const tried = counters[SHARED.executed]!;
  await Promise.all([runExpensive(2), runExpensive(3)]);
  assert.equal(counters[SHARED.executed], tried + 2, 'each of the others ran once');
});

void test('a job that waits for a worker to start is refused after its waiting time', async () => {
  const { pool, clock, counters } = await startPool({ workers: 1, queuedJobMsMax: 100 });
  counters[SHARED.block] = 1;
  const jobs = [run(pool, ACTION.exit), run(pool, ACTION.echo, 0, 1)];
  await clock.passUntil(() => pool.stats.completed === 2);
  assert.deepEqual(await Promise.all(jobs), [OVERLOADED, OVERLOADED], 'while no worker can begin them');
  assert.equal(pool.stats.refused.late, 2);
  assert.equal(pool.stats.running, 0);
  counters[SHARED.block] = 0;
  Atomics.notify(counters, SHARED.block);
  await until(async () => (await run(pool, ACTION.echo, 0, 2)).kind === 'return');
});

void test('a client gets half of the queue capacity that other clients leave', async () => {
  const { pool } = await startPool({ workers: 1, queuedJobsMax: 16 });
  const clients = ['a', 'b', 'c'].map((client) => ({ aborted: false, client }));
  const admitted = clients.map((caller, place) => {
    const answers = Array.from({ length: 16 }, (_, tag) =>
      pool.submit(jobWith(script(ACTION.echo, 0, 100 * place + tag)), caller),
    );
    return answers.filter((answer) => answer !== null);
  });
  assert.deepEqual(
    admitted.map(({ length }) => length),
    [8, 4, 2],
  );
  assert.equal(pool.stats.refused.share, 8 + 12 + 14);
  for (const answer of await Promise.all(admitted.flat())) assert.equal(answer.kind, 'return');
});

void test('the timeout of a job counts from its own start, not from that of its task', async () => {
  const { pool, clock, executed, openGate } = await startPool({ workers: 1, timeoutGraceMs: 30, killGraceMs: 60 });
  const tags = Array.from({ length: 10 }, (_, at) => at + 1);
  const jobs = tags.map((tag) => submit(pool, jobWith(script(ACTION.take, 0, tag), { timeoutMs: 1 })));
  for (const tag of tags) {
    await executed(tag);
    await clock.pass(0);
    await clock.pass(LIMITS.slowJobMs - 1);
    openGate(tag + 1);
  }
  assert.deepEqual(
    await Promise.all(jobs),
    tags.map((tag) => echoes(ACTION.take, 0, tag)),
  );
  assert.equal(pool.stats.kills, 0);
});

void test('a job with a long timeout is not killed before it', async () => {
  const { pool, clock, executed, openGate } = await startPool({ workers: 1, killGraceMs: 20 });
  const job = submit(pool, jobWith(script(ACTION.take), { timeoutMs: 1000 }));
  await executed(1);
  await clock.pass(0);
  await clock.pass(1000);
  assert.equal(pool.stats.kills, 0);
  openGate();
  assert.deepEqual(await job, echoes(ACTION.take, 0, 0));
});

/** Jobs that break their worker: their outcomes, and how many workers they break. */
const BREAKING = [
  ['throw', BROKEN, 2],
  ['exit', BROKEN, 2],
  ['uncaught', BROKEN, 2],
  ['exhaust', { kind: 'failure', error: 'outOfMemory', message: 'execution needs more memory than there is' }, 1],
] as const;

for (const [name, outcome, tries] of BREAKING) {
  void test(`a job that crashes its worker (${name}) fails after ${tries} tries; other jobs of its task are answered`, async () => {
    const { pool, failures } = await startPool({ workers: 1, estimatorHeapMiBMax: 64 });
    const tags = [1, 2, 3, 4, 5, 6];
    const jobs = tags.map((tag) => (tag === 3 ? run(pool, ACTION[name]) : run(pool, ACTION.echo, 0, tag)));
    const answers = await Promise.all(jobs);
    const expected = tags.map((tag) => (tag === 3 ? outcome : echoes(ACTION.echo, 0, tag)));
    assert.deepEqual(answers, expected);
    assert.equal(pool.stats.crashes, tries);
    assert.equal(failures.length, tries);
    assert.deepEqual(await run(pool, ACTION.echo, 0, 9), echoes(ACTION.echo, 0, 9), 'the worker was replaced');
  });
}

void test('a job that crashes its worker once is answered by the second try', async () => {
  const { pool } = await startPool();
  assert.deepEqual(await run(pool, ACTION.exitOnce), echoes(ACTION.exitOnce, 0, 0));
  assert.equal(pool.stats.crashes, 1);
});

void test('a whole queue of crashing jobs leaves other jobs unharmed', async () => {
  const { pool } = await startPool({ jobsPerTaskMax: 4 });
  const tags = Array.from({ length: 24 }, (_, tag) => tag);
  const answers = await Promise.all(
    tags.map((tag) => (tag % 3 === 0 ? run(pool, ACTION.throw, 0, tag) : run(pool, ACTION.echo, 0, tag))),
  );
  for (const tag of tags) assert.deepEqual(answers[tag], tag % 3 === 0 ? BROKEN : echoes(ACTION.echo, 0, tag));
});

void test('results longer than the mailbox arrive whole', async () => {
  const { pool } = await startPool();
  const lengths = [10, 70_000, 20, 30_000, 30_000, 30_000, 1_000_000, 5];
  const jobs = lengths.map(async (length, tag) => {
    assert.deepEqual(await run(pool, ACTION.long, length, tag), longData(length, tag));
  });
  await Promise.all(jobs);
});

void test('a long JSON result arrives as bytes, a short one as a string', async () => {
  const { pool } = await startPool();
  const outcome = await run(pool, ACTION.longText, LIMITS.longDataBytesMin);
  assert.ok(outcome.kind === 'json' && typeof outcome.text !== 'string');
  assert.equal(Buffer.from(outcome.text).toString(), `"${'é'.repeat(LIMITS.longDataBytesMin)}"`);
  assert.deepEqual(await run(pool, ACTION.longText, 1), { kind: 'json', text: '"é"' });
});

function bytesOf(outcome: JobOutcome): Uint8Array {
  return 'data' in outcome ? outcome.data : assert.fail(outcome.kind);
}

void test('memory of a long result is reused once it is recycled, but not if two callers got the result', async () => {
  const { pool } = await startPool({ workers: 1 });
  const length = LIMITS.longDataBytesMin;
  const [one, same] = await Promise.all([run(pool, ACTION.long, length, 1), run(pool, ACTION.long, length, 1)]);
  assert.equal(pool.stats.merged, 1);
  recycleResult(bytesOf(one));
  const second = bytesOf(await run(pool, ACTION.long, length, 2));
  assert.deepEqual(same, longData(length, 1));
  const { buffer } = second;
  recycleResult(second);
  recycleResult(second);
  const third = bytesOf(await run(pool, ACTION.long, length, 3));
  assert.equal(third.buffer, buffer);
  const fourth = bytesOf(await run(pool, ACTION.long, length, 4));
  assert.deepEqual({ kind: 'return', data: third }, longData(length, 3));
  assert.deepEqual({ kind: 'return', data: fourth }, longData(length, 4));
});

void test('call data of any length arrives whole', async () => {
  const { pool } = await startPool();
  const data = new Uint8Array(2_000_000).map((_, at) => (at === 0 ? ACTION.echo : at));
  assert.deepEqual(await submit(pool, jobWith(data)), { kind: 'return', data });
});

void test('a job whose callers have all left is not run', async () => {
  const { pool, counters, openGate } = await startPool({ workers: 1, jobsPerTaskMax: 1 });
  const busy = run(pool, ACTION.take);
  const gone = new AbortController();
  const dropped = submit(pool, jobWith(script(ACTION.echo, 0, 1)), gone.signal);
  const wanted = submit(pool, jobWith(script(ACTION.echo, 0, 2)), gone.signal);
  const wantedToo = submit(pool, jobWith(script(ACTION.echo, 0, 2)));
  await nextTurn();
  gone.abort();
  openGate();
  assert.equal((await dropped).kind, 'failure');
  assert.deepEqual(await wanted, echoes(ACTION.echo, 0, 2));
  assert.deepEqual(await wantedToo, await wanted);
  await busy;
  assert.equal(counters[SHARED.executed], 2);
  assert.equal(pool.stats.cancelled, 1);
});

void test('jobs whose callers have left make room in the queue', async () => {
  const { pool, clock, openGate } = await startPool({ workers: 1, queuedJobsMax: 2 });
  const busy = run(pool, ACTION.take);
  await nextTurn();
  const gone = new AbortController();
  const dropped = submit(pool, jobWith(script(ACTION.echo, 0, 1)), gone.signal);
  await nextTurn();
  gone.abort();
  clock.advance(LIMITS.queuePollMs);
  const wanted = run(pool, ACTION.echo, 0, 2);
  assert.equal((await dropped).kind, 'failure');
  openGate();
  assert.deepEqual(await wanted, echoes(ACTION.echo, 0, 2));
  await busy;
});

void test('a full queue is scanned for abandoned jobs at intervals, not at each refusal', async () => {
  const { pool, clock, openGate } = await startPool({ workers: 1, queuedJobsMax: 2 });
  const busy = run(pool, ACTION.take);
  await nextTurn();
  let polls = 0;
  let isGone = false;
  const leaving: AbortableCaller = {
    get aborted() {
      polls += 1;
      return isGone;
    },
  };
  const dropped = submit(pool, jobWith(script(ACTION.echo, 0, 1)), leaving);
  await nextTurn();
  const pollsOf = async (jobs: number): Promise<number> => {
    const before = polls;
    for (let tag = 0; tag < jobs; tag++) {
      assert.equal(pool.submit(jobWith(script(ACTION.echo, 0, 2 + tag))), null);
      await nextTurn();
    }
    return polls - before;
  };
  clock.advance(LIMITS.queuePollMs);
  assert.equal(await pollsOf(1), 1);
  assert.equal(await pollsOf(50), 0);
  clock.advance(LIMITS.queuePollMs);
  assert.equal(await pollsOf(50), 1);
  isGone = true;
  clock.advance(LIMITS.queuePollMs);
  const wanted = run(pool, ACTION.echo, 0, 2);
  assert.equal((await dropped).kind, 'failure');
  openGate();
  assert.deepEqual(await wanted, echoes(ACTION.echo, 0, 2));
  await busy;
});

void test('a job runs on the table that was current when it was submitted', async () => {
  const { pool } = await startPool({ workers: 1 });
  const answers: Promise<JobOutcome>[] = [];
  for (const generation of [1, 2, 3]) {
    pool.setTable({ generation, buffer: new SharedArrayBuffer(8) });
    for (const tag of [1, 2]) {
      const position = { kind: 'version', version: generation } as const;
      answers.push(submit(pool, jobWith(script(ACTION.table, 0, tag), { position })));
    }
  }
  const gas = (await Promise.all(answers)).map((answer) => (answer.kind === 'gas' ? Number(answer.gas) : null));
  assert.deepEqual(gas, [1, 1, 2, 2, 3, 3]);
});

void test('the lowest version in flight is pinned from submission to result, on its own table', async () => {
  const { pool, pins, openGate } = await startPool();
  const submitAt = (version: number, action: number, argument: number) =>
    submit(pool, jobWith(script(action, argument), { position: { kind: 'version', version } }));
  pool.setTable({ generation: 1, buffer: new SharedArrayBuffer(8) });
  const slow = submitAt(8, ACTION.take, 0);
  // Jobs of one event-loop tick travel together, and the clock stands still for those that wait behind a slow one.
  await nextTurn();
  const fast = submitAt(7, ACTION.echo, 0);
  assert.deepEqual(pins, ['1: 8', '1: 7']);
  pool.setTable({ generation: 2, buffer: new SharedArrayBuffer(8) });
  const newest = submitAt(9, ACTION.echo, 1);
  assert.deepEqual(pins.slice(2), ['2: 9']);
  await Promise.all([fast, newest]);
  assert.deepEqual(pins.slice(3).sort(), ['1: 8', '2: -']);
  openGate();
  await slow;
  assert.equal(pins.at(-1), '1: -');
});

void test('a pin is released when the worker of its job dies', async () => {
  const { pool, pins } = await startPool({ workers: 1 });
  pool.setTable({ generation: 1, buffer: new SharedArrayBuffer(8) });
  await run(pool, ACTION.exit);
  assert.deepEqual(pins, ['1: 1', '1: -']);
});

void test('draining finishes jobs in flight and refuses new ones; closing fails the rest', async () => {
  const { pool, openGate } = await startPool();
  const inFlight = run(pool, ACTION.take);
  const drained = pool.drain(PATIENCE_MS);
  assert.equal(pool.submit(jobWith(script(ACTION.echo))), null);
  openGate();
  assert.equal(await drained, true);
  assert.deepEqual(await inFlight, echoes(ACTION.take, 0, 0));
  await pool.close();

  const { pool: stuck } = await startPool({ workers: 1 });
  const [endless, waiting] = [run(stuck, ACTION.take), run(stuck, ACTION.echo)];
  assert.equal(await stuck.drain(1), false);
  await stuck.close();
  for (const answer of await Promise.all([endless, waiting])) assert.equal(answer.kind, 'failure');
  assert.equal(stuck.stats.queued + stuck.stats.running, 0);
});

void test('a pool whose workers cannot load their module does not start', async () => {
  await assert.rejects(startPool({ workerFile: new URL('no-such-worker.js', import.meta.url) }), /no-such-worker/);
});

for (const action of ['throwInCheck', 'exitInCheck'] as const) {
  void test(`a worker that fails during a shadow check (${action}) is replaced; every job is answered`, async () => {
    const counters = new KernelCounters();
    const failures: string[] = [];
    const pool = await WorkerPool.start(
      { workers: 1, workerFile: WORKER_FILE, workerData: () => null },
      {
        pinOn: () => pinNoting(0, []),
        onFailure: ({ message }) => failures.push(message),
        sampler: new ShadowSampler(1, { counters, onMismatch: () => assert.fail() }),
      },
    );
    after(() => pool.close());
    assert.deepEqual(await run(pool, ACTION[action], 0, 1), echoes(ACTION[action], 0, 1));
    await until(() => counters.count('skipped') === 1);
    assert.deepEqual(await run(pool, ACTION.echo, 0, 2), echoes(ACTION.echo, 0, 2));
    await until(() => counters.count('checks') === 1);
    assert.ok(failures.length > 0);
    assert.equal(pool.stats.completed, 2);
  });
}
