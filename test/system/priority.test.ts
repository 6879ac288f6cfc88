// The priorities and slices of the program's threads: what --priority raises, and that estimators and helpers have none of it.
// Runs on main.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { until } from '../support/patience.js';
import { sliceIn, slicesAreTold } from '../support/slices.js';
import { launch, launchThrough, type Program } from './program.js';

const FLAGS = ['--port', '0', '--workers', '2', '--dev-traffic', '0', '--log-format', 'json'];
/** Of the fields behind the name in brackets; see proc(5). */
const NICE_FIELD = 16;
const SHORT_SLICE_NS = 100_000;
const isLinux = process.platform === 'linux' && getPriority() === 0;
/** Takes all privileges away. */
const STRIPPED = ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] as const;
const mayRaise = isLinux && spawnSync('nice', ['-n', '-5', 'true'], { encoding: 'utf8' }).stderr === '';
const mayStrip = mayRaise && spawnSync(STRIPPED[0], [...STRIPPED.slice(1), 'true']).status === 0;

/** A thread of the program. */
interface Thread {
  readonly isMain: boolean;
  readonly nice: number;
  /** Nanoseconds; NaN where the system does not tell. */
  readonly slice: number;
}

/** Its threads once it answers; ends it. */
async function threadsOf(program: Program): Promise<Thread[]> {
  let text = '';
  program.process.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await until(() => text.includes('"listening"'), 'it listens');
  const main = String(program.process.pid);
  const tasks = `/proc/${main}/task`;
  const threads = readdirSync(tasks).map((id) => ({ isMain: id === main, ...timingOf(`${tasks}/${id}`) }));
  program.process.kill('SIGTERM');
  assert.equal((await program.ended).code, 0);
  return threads;
}

function timingOf(folder: string): Omit<Thread, 'isMain'> {
  const stat = readFileSync(`${folder}/stat`, 'utf8');
  const nice = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[NICE_FIELD]);
  return { nice, slice: slicesAreTold ? sliceIn(readFileSync(`${folder}/sched`, 'utf8')) : NaN };
}

const isShort = ({ slice }: Thread): boolean => slice === SHORT_SLICE_NS;

/** The nice values of its threads once it answers, by how many threads have them; ends it. */
async function niceOf(program: Program): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for (const { nice } of await threadsOf(program)) found.set(nice, (found.get(nice) ?? 0) + 1);
  return found;
}

void test(
  'main and the publisher are raised, the estimators have none of it',
  { skip: mayRaise ? false : 'no privilege' },
  async () => {
    for (const steps of [5, 7]) {
      const found = await niceOf(launch([...FLAGS, '--priority', String(steps)]));
      assert.ok(found.get(-steps)! >= 2, 'main and publisher');
      assert.equal(found.get(10), 1);
      assert.ok(found.get(5)! > 1, 'the other estimator and the helpers of Node.js');
      assert.deepEqual(new Set([...found.keys()].filter((nice) => nice > 0)), new Set([5, 10]));
    }
    const level = await niceOf(launch([...FLAGS, '--priority', '0']));
    assert.deepEqual(new Set(level.keys()), new Set([0, 5, 10]));
  },
);

void test(
  'a system that refuses leaves all as it is',
  { skip: mayStrip ? false : 'no way to take a privilege away' },
  async () => {
    const refused = await niceOf(launchThrough(STRIPPED, FLAGS));
    assert.deepEqual(new Set(refused.keys()), new Set([0, 5, 10]));
  },
);

void test(
  "main, the publisher and the estimators have short slices, the helpers of Node.js the system's",
  { skip: slicesAreTold ? false : 'no slices, or nobody tells of them' },
  async () => {
    const threads = await threadsOf(launch([...FLAGS, '--priority', '0']));
    const [lowered, level] = [threads.filter(({ nice }) => nice > 0), threads.filter(({ nice }) => nice === 0)];
    assert.ok(level.filter(isShort).length >= 2 && level.some((thread) => thread.isMain && isShort(thread)));
    assert.equal(lowered.filter(isShort).length, 2, 'the estimators');
    assert.ok(lowered.length > 2);
  },
);
