// The priority of a thread among all threads of the machine. Runs on the estimators.
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of the thread that calls this by `steps`; without privileges there is no way back. Only Linux has
 * priorities of threads: elsewhere, and where the system refuses, all stays as it is.
 */
export function lowerThreadPriority(steps: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may forbid the call: then the thread competes with all others, as on other systems.
  }
}
