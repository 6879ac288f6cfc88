// Thread priorities of estimators.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { after, test } from 'node:test';
import { KernelCounters } from '../../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { workerFileUrl } from '../../../src/lib/threads/worker-file.js';
import type { EstimatorData } from '../../../src/pool/threads/estimator-program.js';
import { WorkerPool } from '../../../src/pool/worker-pool.js';
import { chainAt } from '../../support/jobs.js';

const TASKS = '/proc/self/task';
/** Above this nice value, the estimators for expensive jobs could not have a lower priority than the others. */
const NICE_MAX = constants.priority.PRIORITY_LOW - 6;
/** Index among the fields after the name in parentheses; see proc(5). */
const NICE_FIELD = 16;

/** The nice values of threads with a lower priority than this one, ascending. */
function niceOfThreads(): number[] {
  const stats = readdirSync(TASKS).map((id) => readFileSync(`${TASKS}/${id}/stat`, 'utf8'));
  const nice = stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[NICE_FIELD]));
  return nice.filter((value) => value > getPriority()).sort((a, b) => a - b);
}

void test(
  'workers for expensive jobs have lower priority than the one for short jobs, and all have lower than other threads',
  {
    skip: process.platform === 'linux' && getPriority() <= NICE_MAX ? false : 'no priorities of threads below this one',
  },
  async () => {
    const kernel = { mode: 'on', counters: new KernelCounters().buffer } as const;
    const chain = chainAt('prague');
    const workerData = (takesLong: boolean): EstimatorData => ({
      chain,
      dataDir: null,
      kernel,
      estimateMode: 'same',
      takesLong,
    });
    const pool = await WorkerPool.start(
      { workers: 3, workerFile: workerFileUrl('estimator'), workerData },
      { pinOn: () => ({ pin: () => true, unpin: () => undefined }), onFailure: () => undefined },
    );
    after(() => pool.close());
    const [cheap, ...dear] = niceOfThreads();
    assert.equal(dear.length, 2);
    assert.ok(dear.every((value) => value > cheap!));
  },
);
