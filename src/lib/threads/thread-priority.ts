// Sets the scheduling priority of a thread.
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread by `steps`. It cannot be raised again without privileges. Only Linux has
 * priorities per thread; elsewhere, or if the system refuses, nothing changes.
 */
export function lowerThreadPriority(steps: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may forbid the call. The thread then has the same priority as all others, as on other systems.
  }
}
