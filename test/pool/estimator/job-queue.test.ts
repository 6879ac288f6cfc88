// The order of waiting jobs: by class, by the worker time of their clients, by table and by age. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/limits.js';
import { type Client, ClientShares } from '../../../src/pool/estimator/client-shares.js';
import type { QueueClass } from '../../../src/pool/estimator/cost-history.js';
import { LongJob } from '../../../src/pool/estimator/long-job.js';
import { JobQueue, type Room } from '../../../src/pool/estimator/job-queue.js';
import type { PoolJob } from '../../../src/pool/estimator/pool-job.js';
import type { Asker } from '../../../src/pool/estimator/pool.js';
import type { TableRef } from '../../../src/pool/estimator/task.js';

const TABLE: TableRef = { generation: 1, buffer: new SharedArrayBuffer(8) };
const LATER: TableRef = { generation: 2, buffer: new SharedArrayBuffer(8) };
const ALL: Room = { jobs: 99, ms: Infinity, onlyShort: false };
const ONE: Room = { ...ALL, jobs: 1 };

const shares = new ClientShares({ jobsMax: 100, bytesMax: 1000 });
let clock = 0;

/** A job that is newer than all before it. Its first letter is its class: c, u, d or w. */
function job(packed: string, more: Partial<PoolJob> = {}): PoolJob {
  return {
    packed,
    table: TABLE,
    client: shares.of(undefined),
    costKey: 1,
    isWatched: false,
    order: ++clock,
    admittedMs: clock,
    release: () => undefined,
    timeoutMs: 1,
    answer: Promise.resolve({ kind: 'gas', gas: 0n } as const),
    settle: () => undefined,
    askers: null,
    failures: 0,
    isDear: false,
    limitMs: 0,
    chargedMs: 0,
    isAnswered: false,
    ...more,
  };
}

const CLASSES: Readonly<Record<string, QueueClass>> = { c: 'cheap', u: 'untried', d: 'dear', w: 'watched' };

function nameOf({ packed }: PoolJob): string {
  return typeof packed === 'string' ? packed : 'long';
}

/** A queue that expects every job to take as long as its name says: `c5` takes 5 ms. */
function queueOf(jobs: readonly PoolJob[], mayRun: (job: PoolJob) => boolean = () => true): JobQueue {
  const queue = new JobQueue({
    isBulky: () => false,
    mayHaveData: () => true,
    classOf: (each) => CLASSES[nameOf(each)[0]!] ?? 'cheap',
    expectedMs: (each) => Number(/[\d.]+/.exec(nameOf(each))?.[0] ?? 0),
    mayRun,
  });
  for (const one of jobs) queue.push(one);
  return queue;
}

function names(jobs: readonly PoolJob[]): string {
  return jobs.map(nameOf).join(' ');
}

/** Takes all jobs for a worker that takes no dear ones and has this room each time. */
function taken(queue: JobQueue, room = ALL): string[] {
  const groups: string[] = [];
  for (let { jobs } = queue.take(room, false, 0); jobs.length > 0; { jobs } = queue.take(room, false, 0)) {
    groups.push(names(jobs));
  }
  return groups;
}

void test('jobs leave in order, as many as are asked for; those put back stand where they stood', () => {
  const queue = queueOf([job('c a'), job('c b'), job('c c'), job('c d')]);
  const { jobs } = queue.take({ ...ALL, jobs: 3 }, false, 0);
  assert.equal(names(jobs), 'c a c b c c');
  for (const one of jobs.slice(1).toReversed()) queue.putBack(one);
  assert.equal(queue.length, 3);
  assert.deepEqual(taken(queue), ['c b c c c d']);
});

void test('jobs that leave together are expected to fit the time, but one always leaves', () => {
  const queue = queueOf(['c2 a', 'c2 b', 'c2 c', 'c9 d', 'c1 e', 'u1 f'].map((name) => job(name)));
  assert.deepEqual(taken(queue, { ...ALL, ms: 4 }), ['c2 a c2 b', 'c2 c', 'c9 d', 'c1 e u1 f']);
});

void test('a suspect has a task of its own, wherever it stands', () => {
  const queue = queueOf([job('ca', { failures: 1 }), job('cb'), job('cc', { failures: 1 }), job('cd')]);
  assert.deepEqual(taken(queue), ['ca', 'cb', 'cc', 'cd']);
});

void test('jobs of different tables do not share a task', () => {
  const queue = queueOf([job('ca'), job('cb'), job('cc', { table: LATER }), job('cd', { table: LATER }), job('ce')]);
  assert.deepEqual(taken(queue), ['ca cb', 'cc cd', 'ce']);
});

void test('cheap jobs go before untried ones, and dear ones only to the workers that take them', () => {
  const queue = queueOf([job('da'), job('ua'), job('cb'), job('ub')]);
  assert.deepEqual(taken(queue), ['cb ua ub']);
  assert.equal(queue.count('dear'), 1);
  assert.equal(names(queue.take(ALL, true, 0).jobs), 'da');
});

void test('dear jobs come last and alone', () => {
  const queue = queueOf([job('da'), job('db'), job('ca')]);
  const order = [1, 2, 3].map(() => queue.take(ALL, true, 0)).map(({ jobs, costClass }) => [names(jobs), costClass]);
  assert.deepEqual(order, [
    ['ca', 'cheap'],
    ['da', 'dear'],
    ['db', 'dear'],
  ]);
});

void test('watched jobs come after all others, a few at a time, and only to the workers that take dear ones', () => {
  const many = Array.from({ length: LIMITS.watchedJobsPerTaskMax + 1 }, (_, at) => job(`w${at}`));
  const queue = queueOf([...many, job('da'), job('ca')]);
  assert.deepEqual(taken(queue), ['ca']);
  const order = [1, 2, 3, 4].map(() => queue.take(ALL, true, 0)).map(({ jobs, costClass }) => [names(jobs), costClass]);
  assert.deepEqual(order, [
    ['da', 'dear'],
    [names(many.slice(0, -1)), 'watched'],
    [names(many.slice(-1)), 'watched'],
    ['', 'cheap'],
  ]);
});

void test('dear jobs that have waited long take turns with the others', () => {
  const queue = queueOf([job('da'), job('db'), job('dc'), job('ca'), job('cb'), job('cc')]);
  const late = clock + LIMITS.dearJobWaitMs + 1;
  const order = Array.from({ length: 6 }, () => names(queue.take(ONE, true, late).jobs));
  assert.deepEqual(order, ['da', 'ca', 'db', 'cb', 'dc', 'cc']);
});

void test('untried jobs that have waited long take turns with the others, one by one, and not only where dear ones go', () => {
  const jobs = [job('ua'), job('ub'), ...Array.from({ length: 9 }, (_, at) => job(`c${at}`))];
  const late = clock + LIMITS.untriedJobWaitMs + 1;
  [true, false].forEach((withDear) => {
    const queue = queueOf(jobs);
    const order = Array.from({ length: 5 }, () => names(queue.take({ ...ALL, jobs: 2 }, withDear, late).jobs));
    assert.deepEqual(order, ['ua', 'c0 c1', 'ub', 'c2 c3', 'c4 c5']);
  });
});

void test("a client's short jobs go before its longer ones, until these have waited long", () => {
  const at = clock;
  const longer = ['c2 a', 'c2 b', 'c2 c'].map((name, i) => job(name, { admittedMs: at + i }));
  const soon = [job('c0.1 d', { admittedMs: at + 3 }), job('c0.1 e', { admittedMs: at + LIMITS.shortFirstMs })];
  const late = job('c0.1 f', { admittedMs: at + LIMITS.shortFirstMs + 2 });
  const queue = queueOf([...longer, ...soon, late]);
  assert.deepEqual(taken(queue, ONE), ['c0.1 d', 'c0.1 e', 'c2 a', 'c2 b', 'c0.1 f', 'c2 c']);
});

void test("a client's short jobs do not go before another client's", () => {
  const [first, second] = [shares.of('first'), shares.of('second')];
  const queue = queueOf([
    job('c2 a', { client: first }),
    job('c0.1 b', { client: second }),
    job('c0.1 c', { client: second }),
  ]);
  assert.deepEqual(taken(queue, ONE), ['c2 a', 'c0.1 b', 'c0.1 c']);
});

void test('room for short jobs takes these, and those of which nothing is known', () => {
  const [first, second] = [shares.of('longer'), shares.of('both')];
  const queue = queueOf([
    job('c2 a', { client: first }),
    job('c2 b', { client: second }),
    job('c0.1 c', { client: second }),
    job('u1 d'),
    job('d9 e'),
  ]);
  const { lastShortMs, hasShort } = queue;
  assert.deepEqual([lastShortMs, hasShort], [clock - 2, true]);
  assert.deepEqual(taken(queue, { ...ONE, onlyShort: true }), ['c0.1 c', 'u1 d']);
  assert.ok(!queue.hasShort);
  assert.deepEqual(taken(queue), ['c2 a c2 b']);
});

void test('what nobody has asked for now is no sign of short jobs', () => {
  assert.equal(queueOf([job('w0.1', { isWatched: true })]).lastShortMs, -Infinity);
});

void test('a short job is not handed over behind a longer one', () => {
  const [first, second] = [shares.of('before'), shares.of('behind')];
  const queue = queueOf([
    job('c0.1 a', { client: first }),
    job('c2 b', { client: second }),
    job('c3 c', { client: second }),
    job('c0.1 d', { client: first }),
    job('u1 e'),
  ]);
  assert.deepEqual(taken(queue), ['c0.1 a c2 b', 'c0.1 d c3 c u1 e']);
});

void test('the age of a longer job counts behind short ones', () => {
  const at = clock;
  const queue = queueOf([job('c2 a', { admittedMs: at }), job('c0.1 b', { admittedMs: at + 1 })]);
  assert.equal(names(queue.takeOlder(at + 1)), 'c2 a');
  assert.deepEqual(taken(queue), ['c0.1 b']);
});

void test('a job that has become dear since it came is not handed out as cheap', () => {
  const dear = new Set<string>();
  const queue = new JobQueue({
    isBulky: () => false,
    mayHaveData: () => true,
    classOf: (each) => (dear.has(nameOf(each)) ? 'dear' : 'untried'),
    expectedMs: () => 0,
    mayRun: () => true,
  });
  for (const name of ['a', 'b', 'c']) queue.push(job(name));
  dear.add('a').add('b');
  assert.deepEqual(taken(queue), ['c']);
  assert.equal(queue.count('dear'), 2);
});

/** Four jobs of one client, then two of another. */
function rivals(expectedMs: number): { readonly queue: JobQueue; readonly greedy: Client } {
  const [greedy, other] = [shares.of(`greedy ${clock}`), shares.of(`other ${clock}`)];
  const many = [1, 2, 3, 4].map((tag) => job(`c${expectedMs} greedy-${'abcd'[tag - 1]}`, { client: greedy }));
  const few = [1, 2].map((tag) => job(`c${expectedMs} other-${'ab'[tag - 1]}`, { client: other }));
  return { queue: queueOf([...many, ...few]), greedy };
}

void test('clients take turns, whoever came first', () => {
  const order = taken(rivals(5).queue, ONE).map((name) => name.replace('c5 ', ''));
  assert.deepEqual(order, ['greedy-a', 'other-a', 'greedy-b', 'other-b', 'greedy-c', 'greedy-d']);
});

void test('turns go by used time, not by the number of jobs', () => {
  const { queue, greedy } = rivals(1);
  queue.take(ONE, false, 0);
  queue.take(ONE, false, 0);
  // The first job took longer than expected; that counts from the client's next turn on.
  greedy.passMs += 50;
  const order = taken(queue, ONE).map((name) => name.replace('c1 ', ''));
  assert.deepEqual(order, ['greedy-b', 'other-b', 'greedy-c', 'greedy-d']);
});

void test('a client that was away has saved up nothing, and no client falls behind for ever', () => {
  const [busy, fresh] = [shares.of('busy'), shares.of('fresh')];
  const queue = queueOf([]);
  for (let tag = 0; tag < 3; tag++) {
    queue.push(job('c9000', { client: busy }));
    queue.take(ONE, false, 0);
  }
  queue.push(job('c', { client: fresh }));
  queue.push(job('c', { client: busy }));
  assert.ok(fresh.passMs > 0, 'not in front of all that busy has used');
  assert.ok(busy.passMs - fresh.passMs <= LIMITS.clientLeadMsMax);
});

void test('a job that may not run costs its client nothing', () => {
  const client = shares.of('turned away');
  const queue = queueOf([job('c5 x', { client }), job('c5 y', { client })], ({ packed }) => packed !== 'c5 x');
  assert.deepEqual(taken(queue), ['c5 y']);
  assert.equal(client.passMs, 5);
  assert.equal(queue.length, 0);
});

void test('a job is abandoned when all who asked for it are gone', () => {
  const here: Asker = { aborted: false };
  const gone: Asker = { aborted: true };
  const queue = queueOf([
    job('ca', { askers: [gone, gone] }),
    job('ub', { askers: [gone, here] }),
    job('dc'),
    job('dd', { askers: [gone] }),
  ]);
  assert.equal(names(queue.takeAbandoned()), 'ca dd');
  assert.equal(names(queue.takeAbandoned()), '');
  assert.equal(names(queue.takeAll()), 'ub dc');
  assert.equal(queue.length, 0);
});

void test('jobs that came too long ago are removed, in every class and of every client', () => {
  const ages = [3, 5, 8, 9].flatMap((admittedMs) => [
    job(`c${admittedMs}`, { admittedMs, client: shares.of('c') }),
    job(`d${admittedMs}`, { admittedMs, client: shares.of('d') }),
    job(`u${admittedMs}`, { admittedMs }),
  ]);
  const queue = queueOf(ages);
  assert.equal(names(queue.takeOlder(3)), '');
  assert.equal(names(queue.takeOlder(8)), 'c3 c5 u3 u5 d3 d5');
  assert.equal(queue.length, 6);
});

void test('dear jobs beyond a number are removed, those first that would be last', () => {
  const [first, last] = [shares.of('first'), shares.of('last')];
  last.passMs = 100;
  const queue = queueOf([job('d1', { client: last }), job('d2', { client: first }), job('d3', { client: last })]);
  assert.equal(names(queue.takeDearBeyond(1)), 'd1 d3');
  assert.equal(names(queue.takeDearBeyond(1)), '');
});

void test('a long job goes alone', () => {
  const long = new LongJob(new Uint8Array(LIMITS.longJobBytesMin));
  const queue = queueOf([job('c0'), job('c0 long', { packed: long }), job('c0 after')]);
  assert.deepEqual(taken(queue), ['c0', 'long', 'c0 after']);
});

void test('clients that come and go, however many, leave those that wait as they stand', () => {
  const queue = queueOf([]);
  const waiting = ['x', 'y', 'z'];
  for (const name of waiting) shares.of(name).passMs = 1000;
  const pushEach = (text: string): void => {
    for (const name of waiting) queue.push(job(`c ${text} ${name}`, { client: shares.of(name) }));
  };
  for (const text of ['first', 'second']) pushEach(text);
  for (let at = 0; at < 300; at++) {
    queue.push(job(`c ${at}`, { client: shares.of(`passing ${at}`) }));
    assert.equal(names(queue.take(ONE, true, 0).jobs), `c ${at}`);
  }
  pushEach('third');
  const order = Array.from({ length: queue.length }, () => names(queue.take(ONE, true, 0).jobs));
  assert.deepEqual(
    order,
    ['first', 'second', 'third'].flatMap((text) => waiting.map((name) => `c ${text} ${name}`)),
  );
});
