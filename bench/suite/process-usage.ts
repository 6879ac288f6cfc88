// Usage of a server on this machine: processor time and memory, from Linux's /proc. Runs in the bench.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isLoopback, portOf } from '../load/connection.js';

export interface Usage {
  /** Processor time of all threads so far, milliseconds. */
  readonly cpuMs: number;
  /** That of the main thread. */
  readonly mainCpuMs: number;
  readonly residentBytes: number;
}

const PAGE_BYTES = 4096;
const LISTENING = '0A';
/** The process that listens at the URL; `null` if it is not visible. */
export function processAt(url: string): number | null {
  if (!isLoopback(url)) return null;
  try {
    return ownerOf(socketsOn(portOf(new URL(url))));
  } catch {
    return null;
  }
}

/** `null` if the process has ended. */
export function usageOf(pid: number): Usage | null {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const cpuMs = tasks.reduce((sum, task) => sum + taskCpuMs(pid, task), 0);
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return { cpuMs, mainCpuMs: taskCpuMs(pid, `${pid}`), residentBytes: pages * PAGE_BYTES };
  } catch {
    return null;
  }
}

/** Processor time of one thread so far, milliseconds. The first field of `schedstat` is nanoseconds. */
export function taskCpuMs(pid: number, task: string): number {
  return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Inodes of sockets that listen on the port. */
function socketsOn(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1));
  const fields = lines.map((line) => line.trim().split(/\s+/));
  const matching = fields.filter((field) => field[1]?.endsWith(suffix) && field[3] === LISTENING);
  return new Set(matching.map((field) => `socket:[${field[9]}]`));
}

function ownerOf(sockets: ReadonlySet<string>): number | null {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const owner = pids.find((pid) => filesOf(pid).some((file) => sockets.has(file)));
  return owner === undefined ? null : Number(owner);
}

function filesOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  } catch {
    return [];
  }
}

function linkOf(file: string): string[] {
  try {
    return [readlinkSync(file)];
  } catch {
    return [];
  }
}
