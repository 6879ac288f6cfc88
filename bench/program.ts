// Programs under test: prestate, anvil, or a script of the bench.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const START_MS_MAX = 60_000;

/** A running program and where it listens. */
export interface Program {
  readonly url: string;
  /** Processor time of the main thread so far, seconds (Linux). Other load on the machine hardly affects it. */
  cpuSeconds(): number;
  /** Processor time of all its threads and child processes: anvil has a wrapper process. */
  allCpuSeconds(): number;
  stop(): Promise<void>;
}

/** Starts a compiled script that prints `{"msg":"listening","port":N}`. */
export function startScript(script: string, ...args: readonly string[]): Promise<Program> {
  return startBuild(PROJECT, script, ...args);
}

/** The same in another built checkout. */
export function startBuild(folder: string, script: string, ...args: readonly string[]): Promise<Program> {
  const file = join(folder, 'dist', script);
  return start(process.execPath, [file, ...args], /"port":(\d+).*"listening"|"listening".*"port":(\d+)/);
}

export function startAnvil(...args: readonly string[]): Promise<Program> {
  const file = join(PROJECT, 'node_modules/.bin/anvil');
  return start(file, ['--port', '0', ...args], /Listening on 127\.0\.0\.1:(\d+)/);
}

async function start(file: string, args: readonly string[], listening: RegExp): Promise<Program> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await portOf(child, listening);
  return {
    url: `http://127.0.0.1:${port}`,
    cpuSeconds: () => secondsIn(`/proc/${child.pid}/task/${child.pid}/stat`),
    allCpuSeconds: () => secondsOfTree(child.pid!),
    async stop() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

function secondsOfTree(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return children.reduce((sum, child) => sum + secondsOfTree(child), secondsIn(`/proc/${pid}/stat`));
}

/** Fields 14 and 15 of a `stat` file: user and system time in hundredths of a second. */
function secondsIn(file: string): number {
  const stat = readFileSync(file, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function portOf(child: ChildProcess, listening: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the program does not start')), START_MS_MAX);
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const found = listening.exec(line);
      if (found === null) return;
      clearTimeout(timer);
      resolve(Number(found[1] ?? found[2]));
    });
    child.once('exit', (code) => reject(new Error(`the program ended with ${code}`)));
  });
}
