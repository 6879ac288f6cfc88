// The program as a process, for tests of how it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ONE_ESTIMATOR } from '../support/one-estimator.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts it with exactly these flags; `environment` is added to the current one. */
export function launch(flags: readonly string[], environment: Readonly<Record<string, string>> = {}): Program {
  const env = { ...ONE_ESTIMATOR, ...environment };
  const child = spawn(process.execPath, [MAIN, ...flags], { stdio: ['ignore', 'pipe', 'pipe'], env });
  return { process: child, ended: watch(child) };
}

/** Starts it through another command, as the command's last argument. */
export function launchThrough([command, ...args]: readonly [string, ...string[]], flags: readonly string[]): Program {
  const child = spawn(command, [...args, process.execPath, MAIN, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: ONE_ESTIMATOR,
  });
  return { process: child, ended: watch(child) };
}

/** Runs a command such as npm, which starts the program, in the project's folder. */
export function launchCommand(command: string, args: readonly string[]): Program {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env: ONE_ESTIMATOR });
  return { process: child, ended: watch(child) };
}

/** Runs it until it exits by itself. */
export function runToEnd(flags: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return launch(flags, environment).ended;
}

async function watch(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stdout, stderr };
}
