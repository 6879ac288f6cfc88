// The program as a process, for tests of how it ends.
import assert from 'node:assert/strict';
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from '../support/patience.js';
import { ONE_ESTIMATOR } from '../support/one-estimator.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program and its output so far. */
export class Program {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';

  constructor(command: string, args: readonly string[], options: SpawnOptions = {}) {
    const child = spawn(command, args, { env: ONE_ESTIMATOR, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.process = child;
    this.ended = this.#end();
  }

  /** Waits until stdout matches; fails if the program ends before. */
  async printed(what: RegExp): Promise<void> {
    const hasEnded = (): boolean => this.process.exitCode !== null || this.process.signalCode !== null;
    await until(() => what.test(this.stdout) || hasEnded(), `${what} is printed`);
    if (!what.test(this.stdout)) await this.ended;
    assert.match(this.stdout, what, `it has ended before: ${this.stdout} ${this.stderr}`);
  }

  async #end(): Promise<Ended> {
    const [code, signal] = (await once(this.process, 'close')) as [number | null, NodeJS.Signals | null];
    return { code, signal, stdout: this.stdout, stderr: this.stderr };
  }
}

/** Starts it with exactly these flags; `environment` is added to the current one. */
export function launch(flags: readonly string[], environment: Readonly<Record<string, string>> = {}): Program {
  return new Program(process.execPath, [MAIN, ...flags], { env: { ...ONE_ESTIMATOR, ...environment } });
}

/** Starts it through another command, as the command's last argument. */
export function launchThrough([command, ...args]: readonly [string, ...string[]], flags: readonly string[]): Program {
  return new Program(command, [...args, process.execPath, MAIN, ...flags]);
}

/** Runs a command such as npm, which starts the program, in the project's folder. */
export function launchCommand(command: string, args: readonly string[]): Program {
  return new Program(command, args, { cwd: ROOT });
}

/** Runs it until it exits by itself. */
export function runToEnd(flags: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return launch(flags, environment).ended;
}
