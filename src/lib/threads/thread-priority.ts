// The priority of a thread among all threads of the machine.
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread by `steps`; it cannot be raised again without privileges. Only Linux has
 * per-thread priorities: elsewhere, and if the system refuses, nothing changes.
 */
export function lowerThreadPriority(steps: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may forbid the call: then the thread competes with all others, as on other systems.
  }
}
