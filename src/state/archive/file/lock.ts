// The writer's claim on a data folder: one process at a time. Runs on the publisher.
//
// A file `writer.lock` names the owner: process id and, where /proc tells it, the time that process was started and the
// boot, so that neither a recycled process id nor a restarted machine or container looks like a living owner.
// It does not see through process id namespaces: two containers must not share one data folder.
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveError, errorText } from '../format/error.js';

/** A claim that is held until `release`. */
export interface ArchiveLock {
  release(): void;
}

interface Owner {
  readonly pid: number;
  /** Boot and start time of the process; empty where the system does not tell. */
  readonly started: string;
}

const FILE = 'writer.lock';

/** Claims the folder. Throws ArchiveError when a living process holds it. The claim of a dead one is taken over. */
export function takeLock(dir: string): ArchiveLock {
  const file = join(dir, FILE);
  const mine = `${process.pid}\n${startOf(process.pid)}`;
  if (!claim(file, mine)) {
    const owner = readOwner(file);
    if (owner !== null && isAlive(owner)) throw held(dir, owner);
    removeStale(file);
    if (!claim(file, mine)) throw held(dir, readOwner(file));
  }
  return { release: () => release(file, mine) };
}

/** A hard link either makes the whole file at once or fails: nobody ever reads half a claim. */
function claim(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}`;
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

/** Moves the file aside before looking at it again: of two processes that saw a dead owner, only one removes it. */
function removeStale(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const owner = readOwner(aside);
  if (owner !== null && isAlive(owner)) linkSync(aside, file);
  removeQuietly(aside);
}

function release(file: string, mine: string): void {
  try {
    if (readFileSync(file, 'utf8') === mine) unlinkSync(file);
  } catch {
    // The folder is gone, and the claim with it.
  }
}

function readOwner(file: string): Owner | null {
  try {
    const [pid, started] = readFileSync(file, 'utf8').split('\n');
    return Number.isInteger(Number(pid)) && started !== undefined ? { pid: Number(pid), started } : null;
  } catch {
    return null;
  }
}

/** This very process is no rival: its former writer thread died without closing. */
function isAlive(owner: Owner): boolean {
  const started = startOf(owner.pid);
  if (owner.pid === process.pid || started !== owner.started) return false;
  try {
    return process.kill(owner.pid, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

/** Boot id and start time (field 22 of /proc/PID/stat, counted after the command's closing parenthesis). */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return '';
  }
}

function held(dir: string, owner: Owner | null): ArchiveError {
  const by = owner === null ? 'another process' : `process ${owner.pid}`;
  return new ArchiveError(`data folder ${dir} is in use by ${by}`, 2);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Already gone.
  }
}
