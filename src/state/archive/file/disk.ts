// Room on the disk of a data folder. Runs on main and on the publisher.
import { statfsSync } from 'node:fs';
import { LIMITS } from '../../../limits/index.js';

const KIB = 1024;

/**
 * Words for a disk that is full, or as good as full; `null` where there is room. LMDB must not find out by itself: it maps
 * files that it makes, and what cannot be written there ends the process (SIGBUS). Some 5 us.
 */
export function fullDisk(dir: string): string | null {
  const { bavail, bsize } = statfsSync(dir);
  const free = bavail * bsize;
  if (free >= LIMITS.diskFreeBytesMin) return null;
  return `the disk is full (${Math.floor(free / KIB)} KiB free of ${LIMITS.diskFreeBytesMin / KIB} that are needed)`;
}
