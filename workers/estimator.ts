// Entry file of an estimator thread: connects the estimator's program to the main thread.
import { parentPort, workerData } from 'node:worker_threads';
import { engineFactory } from '../src/evm/kernel/kernel-or-reference-engine.js';
import { createEvmTaskServer, type EstimatorData } from '../src/pool/threads/estimator-program.js';
import type { EstimatorDamageReport } from '../src/pool/threads/task-server.js';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * How many steps the priority of an estimator thread is below that of the process. When cores are scarce, the main and
 * the publisher thread run first, with 1024 shares or more, then the estimator for short jobs with 335, then the others
 * with 110 each. Five steps cut a thread's share to a third.
 */
const NICE = { short: 5, long: 10 } as const;

const data: EstimatorData = workerData;

lowerThreadPriority(data.takesLong ? NICE.long : NICE.short);

export default createEvmTaskServer(data, engineFactory(data.kernel), (message) =>
  parentPort!.postMessage({ kind: 'damage', message } satisfies EstimatorDamageReport),
);

/**
 * Lowers the priority of the calling thread by `steps`. It cannot be raised again without privileges. Only Linux has
 * priorities per thread; elsewhere, or if the system refuses, nothing changes.
 */
function lowerThreadPriority(steps: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may forbid the call. The thread then has the same priority as all others, as on other systems.
  }
}
