// Limits of this process, as Linux tells them; elsewhere nothing is known. Runs on every thread.
import { readFileSync } from 'node:fs';

const FILE = '/proc/self/limits';
const ROWS = { addressBytes: 'Max address space', descriptors: 'Max open files' } as const;

/** The soft limit (`ulimit -v` in bytes, `ulimit -n`); Infinity where there is none, or none is known. */
export function processLimit(name: keyof typeof ROWS): number {
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
