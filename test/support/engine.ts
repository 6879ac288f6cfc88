// What executes blocks in tests: the kernel, or what PRESTATE_KERNEL says, as for the program. Runs in tests only.
import { KernelBoard } from '../../src/evm/kernel/board.js';
import { engines, type KernelMode } from '../../src/evm/kernel/engines.js';
import type { MachineParts } from '../../src/evm/machine.js';

const mode = (process.env['PRESTATE_KERNEL'] ?? 'on') as KernelMode;

/** For every machine of the tests of blocks. Engines that differ are an error. */
export const MACHINE: MachineParts = {
  createEngine: engines({ mode, board: new KernelBoard().buffer }, (mismatch) => {
    throw new Error(`the engines differ: ${JSON.stringify(mismatch)}`);
  }),
};
