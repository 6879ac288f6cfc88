// An estimator: connects the estimator's program to main. Runs on the estimators.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { engines } from '../src/evm/kernel/engines.js';
import { createEstimator, type EstimatorData } from '../src/pool/estimator/program.js';
import type { FromEstimator } from '../src/pool/estimator/task.js';

/** Positive: a lower priority than main's and the publisher's. */
const NICE = 5;

const data: EstimatorData = workerData;

function tell(message: FromEstimator): void {
  parentPort!.postMessage(message);
}

// Reads and new blocks go first where cores are scarce. Only on Linux does this set the priority of the calling thread.
if (process.platform === 'linux') setPriority(NICE);

export default createEstimator(
  data,
  engines(data.kernel, (mismatch) => tell({ kind: 'mismatch', mismatch })),
  (message) => tell({ kind: 'damage', message }),
);
