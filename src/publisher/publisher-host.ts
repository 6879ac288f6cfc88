// The main thread's side of the publisher thread: starts the thread, exchanges messages with it, and restarts it when
// it dies.
import { Worker } from 'node:worker_threads';
import { rpcError, type RpcError } from '../rpc-errors.js';
import { monotonicMs } from '../lib/clock.js';
import type { MissingKeys } from '../state/views/miss-recording-view.js';
import type { CallToPrefetchFor } from '../feed/feed.js';
import type {
  PublisherRequest,
  MessageFromPublisher,
  PublisherEvent,
  PublisherOptions,
  MessageToPublisher,
} from './publisher-protocol.js';
import { OpenPublisherRequests, type JsonResultOrRpcError } from './open-requests.js';
import { LIMITS } from '../limits/index.js';
import { StartError } from '../lib/start-error.js';

/** The publisher's first message. */
type ChainMessage = Extract<MessageFromPublisher, { kind: 'chain' }>;
/** The message that announces a table, which replaces the previous one. */
type TableMessage = Extract<MessageFromPublisher, { kind: 'table' }>;

/** What the main thread knows when the start is complete: the chain, and a table that has a state version to read. */
export interface PublisherStartResult {
  readonly chain: ChainMessage;
  readonly table: TableMessage;
}

export interface PublisherHandlers {
  /** Called with a table that replaces the current one. */
  readonly onTable: (table: TableMessage) => void;
  readonly onEvent: (event: PublisherEvent) => void;
  /** Called when the thread has died and will be restarted. */
  readonly onCrash: (reason: string) => void;
  /** Called when the publisher cannot continue. A failure during the start rejects `ready` instead. */
  readonly onFatal: (message: string, exitCode: 1 | 2) => void;
}

/** State of the publisher thread. After a failure the thread may still be running; `stop` terminates it. */
type State =
  | { readonly kind: 'running' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'stopping'; readonly stopped: () => void };

/** The publisher as the main thread sees it. The thread behind it may be replaced. */
export class PublisherHost {
  /** Resolves once there is a table to read, however often the thread is restarted; rejects with StartError. */
  readonly ready: Promise<PublisherStartResult>;
  readonly #file: URL;
  readonly #options: PublisherOptions;
  readonly #handlers: PublisherHandlers;
  readonly #questions = new OpenPublisherRequests((question) => this.#send(question));
  readonly #deaths = new RestartLimit();
  #worker: Worker;
  /** True while the thread waits for a node or an executor. It processes no messages then, and has nothing to close. */
  #isWaiting = false;
  #restarts = 0;
  #resolve: (ready: PublisherStartResult) => void = () => {};
  #reject: (error: StartError) => void = () => {};
  #chain: ChainMessage | null = null;
  /** True once there is a table to read. */
  #isStarted = false;
  #state: State = { kind: 'running' };

  /** Starts the thread. `file` is the thread's entry file. */
  constructor(file: URL, options: PublisherOptions, handlers: PublisherHandlers) {
    this.#file = file;
    this.#options = options;
    this.#handlers = handlers;
    this.ready = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#worker = this.#spawn();
  }

  /** How often the thread was restarted after it had died. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Sends a request. Returns the response as a JSON string, or an error. */
  async ask(request: PublisherRequest): Promise<string | RpcError> {
    return this.#refusal() ?? this.#questions.send(request);
  }

  /**
   * Fetches missing state. Returns an error if this fails or is not complete by `untilMs` (monotonic). `purpose`
   * describes the call that needs the state.
   */
  async fill(missing: MissingKeys, untilMs: number, purpose?: CallToPrefetchFor): Promise<RpcError | null> {
    const filled = await this.#requestUntil(untilMs, { kind: 'fill', missing, purpose });
    return typeof filled === 'string' ? null : filled;
  }

  /**
   * Forwards any method to the node. Returns its result as JSON, or an error if there is no response by `untilMs`
   * (monotonic).
   */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<string | RpcError> {
    return this.#requestUntil(untilMs, { kind: 'request', method, params, untilMs });
  }

  /** Lets the publisher complete the current block and flush the archive. Resolves when the thread has ended. */
  async stop(): Promise<void> {
    if (this.#state.kind === 'stopping') return;
    if (this.#state.kind === 'running') await this.#requestStop();
    await this.#worker.terminate();
  }

  async #requestUntil(untilMs: number, request: PublisherRequest): Promise<JsonResultOrRpcError> {
    return this.#refusal() ?? this.#questions.sendUntil(untilMs, request);
  }

  #refusal(): RpcError | null {
    return this.#state.kind === 'running' ? null : rpcError('overload', 'shutting down');
  }

  #requestStop(): Promise<void> {
    return new Promise((stopped) => {
      this.#state = { kind: 'stopping', stopped };
      if (this.#isWaiting) stopped();
      else this.#send({ kind: 'stop' });
    });
  }

  #send(message: MessageToPublisher): void {
    this.#worker.postMessage(message);
  }

  #spawn(): Worker {
    this.#isWaiting = ['live', 'replica'].includes(this.#options.source.kind);
    const worker = new Worker(this.#file, { workerData: this.#options });
    let reason = 'its thread ended';
    worker.on('message', (message: MessageFromPublisher) => this.#receive(message));
    worker.on('error', (error: Error) => (reason = error.stack ?? error.message));
    worker.on('exit', () => this.#exited(reason));
    return worker;
  }

  #receive(message: MessageFromPublisher): void {
    if ('id' in message) return this.#questions.answer(message);
    switch (message.kind) {
      case 'chain':
        this.#isWaiting = false;
        this.#chain = message;
        return;
      case 'table':
        return this.#isStarted ? this.#handlers.onTable(message) : this.#started(message);
      case 'fatal':
        return this.#fail(message.message, message.exitCode);
      case 'stopped':
        return this.#stopped();
      default:
        return this.#handlers.onEvent(message);
    }
  }

  /** Completes the start with the first table. The chain must have been announced before. */
  #started(table: TableMessage): void {
    if (this.#chain === null) throw new Error('a table without a chain');
    this.#isStarted = true;
    this.#resolve({ chain: this.#chain, table });
  }

  #fail(message: string, exitCode: 1 | 2): void {
    if (this.#state.kind === 'running') this.#state = { kind: 'failed' };
    if (this.#isStarted) this.#handlers.onFatal(message, exitCode);
    else this.#reject(new StartError(message, exitCode));
  }

  #stopped(): void {
    if (this.#state.kind === 'stopping') this.#state.stopped();
  }

  /** Handles the death of the thread. Readers keep the last state version; the restarted thread creates a new table. */
  #exited(reason: string): void {
    this.#questions.fail();
    this.#stopped();
    if (this.#state.kind !== 'running') return;
    if (this.#deaths.add(monotonicMs())) return this.#fail(`the publisher keeps failing: ${reason}`, 1);
    this.#handlers.onCrash(reason);
    this.#restarts++;
    this.#worker = this.#spawn();
  }
}

/** Counts crashes within LIMITS.publisherRestartWindowMs. */
class RestartLimit {
  #timesMs: number[] = [];

  /** Counts a crash; returns true if there were too many to restart. `nowMs` is the monotonic clock. */
  add(nowMs: number): boolean {
    this.#timesMs = this.#timesMs.filter((time) => nowMs - time < LIMITS.publisherRestartWindowMs);
    this.#timesMs.push(nowMs);
    return this.#timesMs.length > LIMITS.publisherRestartsMax;
  }
}
