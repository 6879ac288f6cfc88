// An estimator: connects the estimator's program to main. Runs on the estimators.
import { parentPort, workerData } from 'node:worker_threads';
import type { KernelMismatch } from '../src/evm/kernel/mismatch.js';
import { engines } from '../src/evm/kernel/engines.js';
import { createEstimator, type EstimatorData } from '../src/pool/estimator.js';
import type { FromEstimator } from '../src/pool/task.js';

const data: EstimatorData = workerData;

function report(mismatch: KernelMismatch): void {
  const message: FromEstimator = { kind: 'mismatch', mismatch };
  parentPort!.postMessage(message);
}

export default createEstimator(data, engines(data.kernel, report));
