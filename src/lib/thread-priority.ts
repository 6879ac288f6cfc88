// The priority of a thread among all threads of the machine. Runs on main and on the estimators.
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Raises the priority of the thread that calls this, and of the threads that it starts from then on, by `steps` at most. Answers
 * by how many: none where the system refuses, which takes CAP_SYS_NICE or a limit (RLIMIT_NICE) on Linux.
 */
export function raiseThreadPriority(steps: number): number {
  if (process.platform !== 'linux') return 0;
  const before = getPriority();
  try {
    setPriority(Math.max(before - steps, constants.priority.PRIORITY_HIGHEST));
  } catch {
    // No privilege: then the thread competes with all others.
  }
  return before - getPriority();
}

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
