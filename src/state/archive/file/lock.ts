// The writer's lock on a data folder: one process at a time.
//
// The file `writer.lock` names the owner: process id and, where /proc shows them, the process's start time, its pid
// namespace and the boot id, so that neither a recycled process id nor a restarted machine looks like a living owner.
// Processes of another container are not visible, so the owner also keeps a named pipe (FIFO) in the folder open for
// reading: others can open it for writing only while the owner lives. The system closes it when the process ends, in
// whichever container that is. Where there is no `mkfifo`, as on Windows, the process id has to do.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ArchiveError, errorText } from '../format/error.js';

/** A lock that is held until `release`. */
export interface ArchiveLock {
  release(): void;
}

interface Owner {
  readonly pid: number;
  /** Boot id, namespace and start time of the process; empty where the system does not show them. */
  readonly started: string;
  /** Name of its pipe in the folder; empty if it has none. */
  readonly pipe: string;
}

const FILE = 'writer.lock';

/** Locks the folder. Throws ArchiveError when a living process holds the lock; the lock of a dead one is taken over. */
export function takeLock(dir: string): ArchiveLock {
  const file = join(dir, FILE);
  const pipe = openPipe(dir);
  const mine = `${process.pid}\n${startOf(process.pid)}\n${pipe?.name ?? ''}`;
  const release = (): void => {
    removeClaim(file, mine);
    if (pipe === null) return;
    closeSync(pipe.handle);
    removeQuietly(join(dir, pipe.name));
  };
  try {
    if (!claim(file, mine)) takeOver(file, mine);
    return { release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Creates this process's pipe and opens it for reading; `null` where the system or the file system supports none. */
function openPipe(dir: string): { readonly name: string; readonly handle: number } | null {
  const name = `${FILE}.${randomUUID()}.alive`;
  try {
    if (spawnSync('mkfifo', ['-m', '600', join(dir, name)], { stdio: 'ignore' }).status !== 0) return null;
    return { name, handle: openSync(join(dir, name), constants.O_RDONLY | constants.O_NONBLOCK) };
  } catch {
    removeQuietly(join(dir, name));
    return null;
  }
}

function takeOver(file: string, mine: string): void {
  const owner = readOwner(file);
  if (owner !== null && isAlive(file, owner)) throw lockError(file, owner);
  removeStale(file);
  if (!claim(file, mine)) throw lockError(file, readOwner(file));
}

/** A hard link either creates the whole file at once or fails, so nobody ever reads half a lock file. */
function claim(file: string, text: string): boolean {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, text);
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw new ArchiveError(`cannot lock ${file}: ${errorText(error)}`, 2);
  } finally {
    removeQuietly(draft);
  }
}

/** Renames the file before reading it again: of two processes that saw a dead owner, only one removes it. */
function removeStale(file: string): void {
  const aside = `${file}.${randomUUID()}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const owner = readOwner(aside);
  if (owner !== null && isAlive(file, owner)) linkSync(aside, file);
  else if (owner !== null && owner.pipe !== '') removeQuietly(join(dirname(file), owner.pipe));
  removeQuietly(aside);
}

function removeClaim(file: string, mine: string): void {
  try {
    if (readFileSync(file, 'utf8') === mine) unlinkSync(file);
  } catch {
    // The folder is gone, and the lock with it.
  }
}

function readOwner(file: string): Owner | null {
  try {
    const [pid, started, pipe = ''] = readFileSync(file, 'utf8').split('\n');
    const isPipe = /^[\w.-]*$/.test(pipe);
    return Number.isInteger(Number(pid)) && started !== undefined && isPipe
      ? { pid: Number(pid), started, pipe }
      : null;
  } catch {
    return null;
  }
}

/** A lock of this very process is stale: its former writer thread died without closing. */
function isAlive(file: string, owner: Owner): boolean {
  if (owner.pid === process.pid && owner.started === startOf(process.pid)) return false;
  const isLocked = owner.pipe === '' ? null : isRead(join(dirname(file), owner.pipe));
  if (isLocked !== null) return isLocked;
  if (owner.pid === process.pid || startOf(owner.pid) !== owner.started) return false;
  try {
    return process.kill(owner.pid, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

/** True if some process has the pipe open for reading; `null` if that cannot be determined. */
function isRead(pipe: string): boolean | null {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return isCode(error, 'ENXIO') ? false : null;
  }
}

/** Boot id, namespace and start time (field 22 of /proc/PID/stat, counted after the command's closing parenthesis). */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${boot} ${namespace()} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return '';
  }
}

/** Pid namespace of this process. */
function namespace(): string {
  return readlinkSync('/proc/self/ns/pid');
}

function lockError(file: string, owner: Owner | null): ArchiveError {
  return new ArchiveError(
    `data folder ${dirname(file)} is in use by ${owner === null ? 'another process' : nameOf(owner)}`,
    2,
  );
}

/** A process id is meaningful only inside its own pid namespace. */
function nameOf({ pid, started }: Owner): string {
  const theirs = started.split(' ')[1];
  const isOurs = theirs === undefined || theirs === startOf(process.pid).split(' ')[1];
  return isOurs ? `process ${pid}` : 'a process of another container';
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Already removed.
  }
}
