// Starts the program as a user would, in its own process, and calls it over HTTP.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ONE_ESTIMATOR } from './one-estimator.js';
import { PATIENCE_MS } from './patience.js';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
/** The same program as unbundled modules: a module preloaded before them can patch them, but not the bundle. */
const PROGRAM = fileURLToPath(new URL('../../src/program.js', import.meta.url));
const RESTLESS = new URL('./restless-program.js', import.meta.url).href;
const PATIENT = fileURLToPath(new URL('./patient-main.js', import.meta.url));
const SHREDS = new URL('./shred-program.js', import.meta.url).href;

/** A JSON-RPC response as received. */
export interface RpcAnswer {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: string;
    readonly source?: string;
  };
}

/** Headers of a request by name. */
type RequestHeaders = Readonly<Record<string, string>>;

export class Server {
  readonly url: string;
  readonly process: ChildProcess;
  readonly log: readonly string[];

  private constructor(child: ChildProcess, port: number, log: readonly string[]) {
    this.process = child;
    this.url = `http://127.0.0.1:${port}`;
    this.log = log;
  }

  /** Starts the program with these flags on a free port; resolves once it listens. */
  static start(...flags: string[]): Promise<Server> {
    return Server.#start([], flags, MAIN);
  }

  /** Starts a server without a deadline for executions, for tests whose result must not depend on time. */
  static startPatient(...flags: string[]): Promise<Server> {
    return Server.#start([], flags, PATIENT);
  }

  /** Starts a dev chain that also publishes shreds, at this port. */
  static startWithShreds(port: string, ...flags: string[]): Promise<Server> {
    return Server.#start(['--import', `${SHREDS}?port=${port}`], ['--dev-feed-port', '0', ...flags], PROGRAM);
  }

  static async #start(imports: readonly string[], flags: readonly string[], main: string): Promise<Server> {
    const preload = process.env['RESTLESS'] === '1' ? ['--import', RESTLESS] : [];
    const anyPort = flags.includes('--port') ? [] : ['--port', '0'];
    const started = preload.length > 0 && main === MAIN ? PROGRAM : main;
    const args = [...preload, ...imports, started, ...anyPort, ...flags];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: ONE_ESTIMATOR });
    const log: string[] = [];
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    const port = await new Promise<number>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no start within ${PATIENCE_MS} ms: ${log.join('\n')}`)),
        PATIENCE_MS,
      );
      createInterface({ input: child.stdout }).on('line', (line) => {
        log.push(line);
        const entry = JSON.parse(line) as { msg: string; port?: number };
        if (entry.msg !== 'listening') return;
        clearTimeout(timer);
        resolve(entry.port!);
      });
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`exit ${code}: ${complaint}`));
      });
    });
    child.once('exit', (code, signal) => {
      if (!child.killed) console.error(`the program has ended (${signal ?? code}):`, complaint, log.slice(-5));
    });
    return new Server(child, port, log);
  }

  /** Sends a body unchanged; returns status, headers and text. */
  async post(body: string, more: RequestHeaders = {}): Promise<{ status: number; headers: Headers; text: string }> {
    const headers = { 'content-type': 'application/json', ...more };
    const response = await fetch(this.url, { method: 'POST', body, headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async query(method: string, params: readonly unknown[] = [], headers: RequestHeaders = {}): Promise<RpcAnswer> {
    const { text } = await this.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);
    return JSON.parse(text) as RpcAnswer;
  }

  /** The result; throws the error's text as an exception. */
  async result<T = string>(method: string, ...params: readonly unknown[]): Promise<T> {
    const answer = await this.query(method, params);
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`);
    return answer.result as T;
  }

  /** Text of `/metrics`. */
  async metrics(): Promise<string> {
    return (await fetch(`${this.url}/metrics`)).text();
  }

  /** The answer of `/readyz`, whose status says the same. */
  async readiness(): Promise<{ readonly ready: boolean; readonly reason: string }> {
    const response = await fetch(`${this.url}/readyz`);
    const answer = (await response.json()) as { ready: boolean; reason: string };
    assert.equal(response.status, answer.ready ? 200 : 503);
    return answer;
  }

  /** Stops it with `signal` and returns the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    this.process.kill(signal);
    const [code] = (await once(this.process, 'exit')) as [number | null];
    return code;
  }
}

/** A metric's value; NaN if it is absent. */
export async function metric(server: Server, name: string): Promise<number> {
  return Number(new RegExp(`^prestate_${name} (.*)$`, 'm').exec(await server.metrics())?.[1]);
}
