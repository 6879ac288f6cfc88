// A process with one front end or several over one table, which its main thread renews as often as increments come. Started
// by front-ends.bench.ts; asked for anything, it tells how many connections each front end has had.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { App } from '../src/http/app.js';
import { backend, listen } from '../src/http/backend.js';
import { LIMITS } from '../src/limits.js';
import { TableWriter } from '../src/state/table/writer.js';
import { account, diffOf, hashOf } from '../test/state/diffs.js';
import type { FrontEnd, FrontEndReady } from './front-end-thread.js';

/** What is started, as JSON the argument. */
export interface FrontEnds {
  readonly kind: FrontEnd['kind'];
  readonly threads: number;
  /** Every thread listens on the port, or one acceptor hands out the connections in turn. */
  readonly way: 'shared port' | 'handed out';
  readonly port: number;
}

/** All front ends can be asked. */
export interface FrontEndsReady {
  /** The system's numbers of their threads. */
  readonly tasks: readonly number[];
}

/** Accounts from number 0 on that have a nonce. */
const ACCOUNTS = 1000;
const RENEWED_MS = 200;
const CHANGED = 20;

/** The acceptor's side of handing out connections. */
interface Acceptor extends App {
  addChildAppDescriptor(descriptor: unknown): void;
}

class FrontEndProcess {
  readonly #options: FrontEnds;
  readonly #table = TableWriter.create({ complete: true });
  readonly #connections: Int32Array;
  #index = 0;

  constructor(options: FrontEnds) {
    this.#options = options;
    this.#connections = new Int32Array(new SharedArrayBuffer(4 * options.threads));
    this.#table.publish(diffOf({ block: 0, hash: hashOf(0) }));
    this.#publish(ACCOUNTS);
  }

  async start(): Promise<FrontEndsReady> {
    const { threads, way } = this.#options;
    const ready: FrontEndReady[] = [];
    for (let index = 0; index < threads; index++) ready.push(await this.#startThread(index));
    if (way === 'handed out') await this.#handOut(ready);
    setInterval(() => this.#publish(CHANGED), RENEWED_MS);
    process.on('message', () => process.send!([...this.#connections]));
    return { tasks: ready.map(({ task }) => task) };
  }

  #publish(count: number): void {
    const index = this.#index++;
    const accounts = Array.from({ length: count }, (_, at) => account(at, BigInt(index + 1)));
    this.#table.publish(diffOf({ block: 1, index, latest: 0, accounts }));
  }

  async #startThread(index: number): Promise<FrontEndReady> {
    const { kind, way } = this.#options;
    const port = way === 'shared port' ? this.#options.port : null;
    const workerData: FrontEnd = { kind, port, table: this.#table.buffer, connections: this.#connections, index };
    const worker = new Worker(new URL('front-end-thread.js', import.meta.url), { workerData });
    const [ready] = (await once(worker, 'message')) as [FrontEndReady];
    return ready;
  }

  async #handOut(frontEnds: readonly FrontEndReady[]): Promise<void> {
    const acceptor = backend.createApp(LIMITS.connectionIdleSMax) as Acceptor;
    for (const { descriptor } of frontEnds) acceptor.addChildAppDescriptor(descriptor);
    const listening = await listen(backend, acceptor, '127.0.0.1', this.#options.port);
    if (listening.token === null) throw new Error(listening.reason);
  }
}

// By a signal: threads with an app of uWebSockets.js abort a process that exits.
process.once('disconnect', () => process.kill(process.pid));
process.send!(await new FrontEndProcess(JSON.parse(process.argv[2]!) as FrontEnds).start());
