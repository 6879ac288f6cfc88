// A freshly started thread that runs its first estimates, for kernel.bench.ts. Runs as a worker of that bench.
import { parentPort, workerData } from 'node:worker_threads';
import type { Job } from '../src/transaction/evm-job.js';
import { JobRunner } from '../src/execution/call/job-runner.js';
import { createChainRules } from '../src/evm/reference/fork-rules.js';
import { StateResolver } from '../src/pool/threads/job-base-state.js';
import { chainAt } from '../test/support/jobs.js';
import { engineNamed } from './support/engines.js';
import { requireGas } from './support/set-table.js';
import { wallUs } from './support/timing.js';

/** Work of the thread. */
export interface FirstEstimates {
  readonly engine: string;
  readonly buffer: SharedArrayBuffer;
  readonly version: number;
  readonly jobs: readonly Job[];
}

/** Microseconds of every job in order. */
export type FirstTimes = readonly number[];

const { engine, buffer, version, jobs }: FirstEstimates = workerData;
// An estimator does this before it reports that it is ready.
const runner = new JobRunner({ rules: createChainRules(chainAt('osaka')), createEngine: engineNamed(engine) });
runner.prepare(Number.MAX_SAFE_INTEGER, Math.floor(Date.now() / 1000));
const resolver = new StateResolver(null);
const times: number[] = [];
for (const job of jobs) {
  const time = await wallUs(async () => {
    const { view, env } = resolver.at({ kind: 'version', version }, { generation: 1, buffer })!;
    requireGas(await runner.runJob(job, view, env));
  });
  times.push(time);
}
parentPort!.postMessage(times satisfies FirstTimes);
