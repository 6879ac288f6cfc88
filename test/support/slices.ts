// Whether threads have a say in their slices here: on Linux 6.12 and later, where a compiler has made the addon. Runs on main.
import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { fileURLToPath } from 'node:url';

const ADDON = fileURLToPath(new URL('../../src/lib/thread-slice/slice.node', import.meta.url));
const OWN_SCHED = '/proc/self/sched';
const [major = 0, minor = 0] = release().split('.').map(Number);

export const slicesExist =
  process.platform === 'linux' && (major > 6 || (major === 6 && minor >= 12)) && existsSync(ADDON);

/** Nanoseconds of the slice of a thread, by the text of /proc/PID/task/TID/sched; NaN where the system does not tell. */
export function sliceIn(text: string): number {
  return Number(/^se\.slice\s*:\s*(\d+)$/m.exec(text)?.[1] ?? NaN);
}

/** Whether the system tells of the slices of other threads. */
export const slicesAreTold =
  slicesExist && existsSync(OWN_SCHED) && !Number.isNaN(sliceIn(readFileSync(OWN_SCHED, 'utf8')));
