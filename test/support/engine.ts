// The engine that executes blocks in tests: the kernel, or the one that PRESTATE_KERNEL names, as for the program.
import { KernelCounters } from '../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { engineFactory, type KernelMode } from '../../src/evm/kernel/engine-factory.js';
import type { TransactionExecutorDeps } from '../../src/execution/block/transaction-executor.js';

const mode = (process.env['PRESTATE_KERNEL'] ?? 'on') as KernelMode;

/** For every transaction executor of the tests of blocks. */
export const EXECUTOR: TransactionExecutorDeps = {
  createEngine: engineFactory({ mode, counters: new KernelCounters().buffer }),
};
