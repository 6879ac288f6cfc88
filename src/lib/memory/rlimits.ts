// Resource limits of this process as Linux reports them; unknown on other systems.
import { readFileSync } from 'node:fs';

const FILE = '/proc/self/limits';
const ROWS = { addressBytes: 'Max address space', descriptors: 'Max open files' } as const;

/** Returns the soft limit (`ulimit -v` in bytes, `ulimit -n`); Infinity if there is no limit or it is not known. */
export function rlimit(name: keyof typeof ROWS): number {
  let limits: string;
  try {
    limits = readFileSync(FILE, 'utf8');
  } catch {
    return Infinity;
  }
  const row = limits.split('\n').find((line) => line.startsWith(ROWS[name])) ?? '';
  const soft = Number(row.slice(ROWS[name].length).trim().split(/\s+/, 1)[0]);
  return Number.isFinite(soft) && soft > 0 ? soft : Infinity;
}
