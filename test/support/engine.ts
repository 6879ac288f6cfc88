// The engine that executes blocks in tests: the kernel, or the one that PRESTATE_KERNEL selects, as in the program.
import { KernelCounters } from '../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { engineFactory, type KernelMode } from '../../src/evm/kernel/kernel-or-reference-engine.js';
import type { TransactionExecutorDeps } from '../../src/execution/block/transaction-executor.js';

const mode = (process.env['PRESTATE_KERNEL'] ?? 'on') as KernelMode;

/** Dependencies of every transaction executor in block tests. */
export const EXECUTOR: TransactionExecutorDeps = {
  createEngine: engineFactory({ mode, counters: new KernelCounters().buffer }),
};
