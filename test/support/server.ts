// Starts the program as a user would, in a process of its own, and calls it over HTTP.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ONE_ESTIMATOR } from './one-estimator.js';
import { PATIENCE_MS } from './patience.js';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
/** The same as modules: what is loaded before them may change them, and not what is in the bundle. */
const PROGRAM = fileURLToPath(new URL('../../src/program.js', import.meta.url));
const RESTLESS = new URL('./restless-program.js', import.meta.url).href;
const PATIENT = fileURLToPath(new URL('./patient-main.js', import.meta.url));
const SHREDS = new URL('./shred-program.js', import.meta.url).href;

/** A JSON-RPC answer as it came. */
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

export class Server {
  readonly url: string;
  readonly process: ChildProcess;
  readonly log: readonly string[];

  private constructor(child: ChildProcess, port: number, log: readonly string[]) {
    this.process = child;
    this.url = `http://127.0.0.1:${port}`;
    this.log = log;
  }

  /** Starts with these flags on a free port; resolves once it listens. */
  static start(...flags: string[]): Promise<Server> {
    return Server.#start([], flags, MAIN);
  }

  /** Starts a server without a deadline for executions, which no verdict is to hang on. */
  static startPatient(...flags: string[]): Promise<Server> {
    return Server.#start([], flags, PATIENT);
  }

  /** Starts a dev chain that reports shreds at this port as well. */
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
    return new Server(child, port, log);
  }

  /** Sends a body as it is; answers status, headers and text. */
  async post(body: string): Promise<{ status: number; headers: Headers; text: string }> {
    const response = await fetch(this.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async query(method: string, params: readonly unknown[] = []): Promise<RpcAnswer> {
    const { text } = await this.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return JSON.parse(text) as RpcAnswer;
  }

  /** The result, or an exception with the error's text. */
  async result<T = string>(method: string, ...params: readonly unknown[]): Promise<T> {
    const answer = await this.query(method, params);
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`);
    return answer.result as T;
  }

  /** Ends it with `signal`; answers the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    this.process.kill(signal);
    const [code] = (await once(this.process, 'exit')) as [number | null];
    return code;
  }
}

/** A metric's value; NaN where it is not there. */
export async function metric(server: Server, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^prestate_${name} (.*)$`, 'm').exec(text)?.[1]);
}
