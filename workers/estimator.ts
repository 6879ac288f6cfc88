// An estimator: runs jobs from main on the state they name. Runs on the estimators.
import { workerData } from 'node:worker_threads';
import { ERRORS } from '../src/errors.js';
import type { Job, Outcome } from '../src/evm/call.js';
import type { ChainDescription } from '../src/evm/chain.js';
import { JobRunner } from '../src/evm/estimate.js';
import { runWithMisses } from '../src/evm/misses.js';
import { createRules } from '../src/evm/rules.js';
import { Positions } from '../src/pool/positions.js';
import { createTaskServer, type TableRef } from '../src/pool/task.js';
import { ArchiveReader } from '../src/state/archive-reader.js';
import { VersionNotKept } from '../src/state/snapshot.js';

/** What main hands to an estimator when it starts. */
export interface EstimatorData {
  readonly chain: ChainDescription;
  /** Folder of the archive; `null` for a live chain, which has none. */
  readonly dataDir: string | null;
}

const { chain, dataDir }: EstimatorData = workerData;
const runner = new JobRunner({ rules: createRules(chain) });
const positions = new Positions(dataDir === null ? null : ArchiveReader.open(dataDir));

async function run(job: Job, table: TableRef | null): Promise<Outcome> {
  try {
    const position = positions.at(job.position, table);
    if (position === null) return notKept(job);
    return position.isComplete
      ? await runner.runJob(job, position.view, position.env)
      : await runWithMisses(runner, job, position);
  } catch (error) {
    if (error instanceof VersionNotKept) return notKept(job);
    throw error;
  } finally {
    if (job.position.kind === 'archive') positions.release();
  }
}

function notKept({ position }: Job): Outcome {
  const message =
    position.kind === 'archive'
      ? `missing trie node: state at block ${position.block} is not available`
      : ERRORS.stateNotKept.message;
  return { kind: 'failure', error: 'stateNotKept', message };
}

export default createTaskServer(run);
