// The priority of a thread among all threads of the machine. Runs on main and on the estimators, and in the bench.
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** In calls of the system. */
const THIS_THREAD = 0;

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
  if (process.platform === 'linux') lower(THIS_THREAD, steps);
}

/**
 * Lowers the priority of all threads of the process but the first: called by that one before the program has any, these are
 * Node.js's own, which compile, collect and read files beside it.
 */
export function lowerHelperThreads(steps: number): void {
  if (process.platform !== 'linux') return;
  for (const id of readdirSync('/proc/self/task').map(Number)) if (id !== process.pid) lower(id, steps);
}

function lower(thread: number, steps: number): void {
  try {
    setPriority(thread, Math.min(getPriority(thread) + steps, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may forbid the call: then the thread competes with all others, as on other systems. Or the thread has ended.
  }
}
