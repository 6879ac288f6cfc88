// One attack on the running program, and its effects on other clients. Runs on the main thread of the program that
// starts the attack.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../support/server.js';
import { watch, type Kind, type Seen } from './honest-client.js';
import type { Attack } from './attacks.js';

const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;
const MEMORY_LOOK_MS = 50;

/** Resident memory in MiB. */
interface Memory {
  readonly before: number;
  readonly peak: number;
  /** Some time after the attack. */
  readonly after: number;
}

export interface Trial {
  readonly seen: Readonly<Record<Kind, Seen>>;
  readonly memory: Memory;
}

/** Resident memory of a process in MiB; Linux only. */
export function residentMiB(pid: number): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / MIB;
}

/** Lets `attack` attack the server for so long, while honest clients measure it from the start. */
export async function runAttack(server: Server, attack: Attack, ms: number, restMs: number): Promise<Trial> {
  const pid = server.process.pid!;
  const before = residentMiB(pid);
  const port = new URL(server.url).port;
  const attacker = fork(new URL('./attacker.js', import.meta.url), [attack.name, port]);
  const ended = once(attacker, 'exit');
  await Promise.race([once(attacker, 'message'), ended]);
  const watching = new AbortController();
  const timer = setTimeout(() => watching.abort(), ms);
  const peak = peakOf(pid, watching.signal);
  const seen = await watch(server.url, watching.signal);
  clearTimeout(timer);
  attacker.kill('SIGTERM');
  await ended;
  await sleep(restMs);
  return { seen, memory: { before, peak: await peak, after: residentMiB(pid) } };
}

async function peakOf(pid: number, signal: AbortSignal): Promise<number> {
  let peak = 0;
  while (!signal.aborted) {
    peak = Math.max(peak, residentMiB(pid));
    await sleep(MEMORY_LOOK_MS);
  }
  return peak;
}
