// Checks the free disk space of a folder.
import { statfsSync } from 'node:fs';
import { LIMITS } from '../../../limits/index.js';

const KIB = 1024;

/**
 * Returns an error message if the disk is full or nearly full, `null` if there is space. To be called before LMDB
 * writes: LMDB maps its files into memory, and a write to memory that the disk cannot store kills the process (SIGBUS).
 * A call takes about 5 us.
 */
export function messageIfDiskFull(dir: string): string | null {
  const { bavail, bsize } = statfsSync(dir);
  const free = bavail * bsize;
  if (free >= LIMITS.diskFreeBytesMin) return null;
  return `the disk is full (${Math.floor(free / KIB)} KiB free of ${LIMITS.diskFreeBytesMin / KIB} that are needed)`;
}
