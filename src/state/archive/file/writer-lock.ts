// The lock that makes a process the only writer of a data folder, even across containers.
//
// The file `writer.lock` is locked by flock(2), a lock that the system removes when the process ends. The file contains
// the id of the process that holds the lock. Without the native module, which calls flock, the lock is valid as long as
// a process with that id is alive.
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { loadNativeModule } from '../../../native/load-addon.js';
import { ArchiveError } from '../format/archive-error.js';
import { firstLineOfError } from '../../../lib/error-message.js';

interface Owner {
  readonly pid: number;
  /** Namespace of the process id (Linux); empty if it cannot be read. */
  readonly namespace: string;
}

/**
 * Locks the folder, and returns the function that unlocks it. Throws ArchiveError if a running process has the lock.
 */
export function lockArchive(dir: string): () => void {
  const file = join(dir, 'writer.lock');
  const handle = lockedHandle(file, dir);
  writeFileSync(file, `${process.pid}\n${namespace()}`);
  return () => {
    removeQuietly(file);
    closeSync(handle);
  };
}

/**
 * Opens and locks the lock file. A process that ends removes its lock file. If that happens between opening and
 * locking, the locked file is no longer the one in the folder, and this function tries again.
 */
function lockedHandle(file: string, dir: string): number {
  for (;;) {
    const handle = opened(file);
    if (!isLocked(handle, file)) {
      closeSync(handle);
      throw new ArchiveError(`data folder ${dir} is in use by ${nameOf(ownerOf(file))}`, 2);
    }
    if (fstatSync(handle).ino === statSync(file, { throwIfNoEntry: false })?.ino) return handle;
    closeSync(handle);
  }
}

function opened(file: string): number {
  try {
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw new ArchiveError(`cannot lock ${file}: ${firstLineOfError(error)}`, 2);
  }
}

/** Returns true if this process holds the lock now. */
function isLocked(handle: number, file: string): boolean {
  const wake = loadNativeModule('wake').part;
  if (wake !== null) return wake.lockFile(handle);
  const pid = ownerOf(file)?.pid ?? process.pid;
  return pid === process.pid || !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function ownerOf(file: string): Owner | null {
  try {
    const [pid = '', inside = ''] = readFileSync(file, 'utf8').split('\n');
    return /^\d+$/.test(pid) ? { pid: Number(pid), namespace: inside } : null;
  } catch {
    return null;
  }
}

/** Returns a phrase that names the owner. Its process id is shown only if it is in the same namespace as ours. */
function nameOf(owner: Owner | null): string {
  if (owner === null) return 'another process';
  return owner.namespace === namespace() ? `process ${owner.pid}` : 'a process of another container';
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Ignored: the folder was removed, and the lock file with it.
  }
}
