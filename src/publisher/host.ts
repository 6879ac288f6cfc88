// Main's side of the publisher thread: starts it, speaks with it, replaces it when it dies. Runs on main.
import { Worker } from 'node:worker_threads';
import { rpcError, type RpcError } from '../errors.js';
import { monotonicMs } from '../lib/clock.js';
import { toHex } from '../lib/hex.js';
import type { KernelMismatch } from '../evm/kernel/mismatch.js';
import { LIMITS } from '../limits.js';
import { StartError } from '../start-error.js';
import type { Wants } from '../state/recording-view.js';
import type { LiveStatus } from '../feed/live/status.js';
import type { FromPublisher, PublisherOptions, ToPublisher } from './protocol.js';

type Message<Kind extends FromPublisher['kind']> = Extract<FromPublisher, { kind: Kind }>;

/** Called with what the publisher says. */
export interface PublisherHandlers {
  /** A table that takes the place of the present one. */
  readonly onTable: (table: Message<'table'>) => void;
  readonly onPublished: (message: Message<'published'>) => void;
  /** `share` as in feed.ts. */
  readonly onProgress: (text: string, share?: number | null) => void;
  /** A block of a live chain. */
  readonly onBlock: (message: Message<'block'>) => void;
  /** How a live chain fares. */
  readonly onLive: (status: LiveStatus) => void;
  /** The kernel and the reference differ about a transaction. */
  readonly onMismatch: (mismatch: KernelMismatch) => void;
  /** The thread died and another one takes its place. */
  readonly onCrash: (reason: string) => void;
  /** It cannot go on; not called during the start, which rejects instead. */
  readonly onFatal: (message: string, exitCode: 1 | 2) => void;
}

/** What there is to read. */
export interface PublisherReady {
  readonly chain: Message<'chain'>;
  readonly table: Message<'table'>;
}

/** JSON text of the hash, or why the transaction was refused. */
type Settle = (result: string | RpcError) => void;

/** What a fill that succeeded settles with. */
const FILLED = '';
const LATE = rpcError('upstream', 'the upstream node does not answer in time');

export class PublisherHost {
  /** Resolves once there is a table to read; rejects with StartError. */
  readonly ready: Promise<PublisherReady>;
  readonly #file: URL;
  readonly #options: PublisherOptions;
  readonly #handlers: PublisherHandlers;
  readonly #submissions = new Map<number, Settle>();
  readonly #crashTimesMs: number[] = [];
  #worker: Worker;
  #chain: Message<'chain'> | null = null;
  #table: Message<'table'> | null = null;
  #resolveReady: (ready: PublisherReady) => void = () => {};
  #rejectReady: (error: StartError) => void = () => {};
  #isReady = false;
  #submitted = 0;
  #restarts = 0;
  #stopping = false;
  #failed = false;
  #stopped: (() => void) | null = null;

  constructor(file: URL, options: PublisherOptions, handlers: PublisherHandlers) {
    this.#file = file;
    this.#options = options;
    this.#handlers = handlers;
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    this.#worker = this.#spawn();
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Hands over a raw transaction; answers once the chain has taken or refused it. */
  submit(raw: Uint8Array): Promise<string | RpcError> {
    if (this.#stopping) return Promise.resolve(rpcError('overload', 'shutting down'));
    const id = this.#submitted++;
    return new Promise((resolve) => {
      this.#submissions.set(id, resolve);
      this.#send({ kind: 'transaction', id, raw });
    });
  }

  /**
   * Makes state of a live chain held; answers why it could not be by `untilMs` of the monotonic clock. `call`: what it is
   * for, where that is a call.
   */
  async fill(wants: Wants, untilMs: number, call?: unknown): Promise<RpcError | null> {
    const filled = await this.#ask(untilMs, (id) => ({ kind: 'fill', id, wants, call }));
    return typeof filled === 'string' ? null : filled;
  }

  /** Any method, for the upstream node: JSON text of its result, or why there is none by `untilMs`. */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<string | RpcError> {
    return this.#ask(untilMs, (id) => ({ kind: 'request', id, method, params, untilMs }));
  }

  #ask(untilMs: number, message: (id: number) => ToPublisher): Promise<string | RpcError> {
    if (this.#stopping) return Promise.resolve(rpcError('overload', 'shutting down'));
    if (this.#submissions.size >= LIMITS.upstreamQuestionsMax) return Promise.resolve(rpcError('overload'));
    const id = this.#submitted++;
    return new Promise((resolve) => {
      // The publisher may be at work itself: whoever asks is answered in time whatever it does.
      const timer = setTimeout(() => this.#settle(id, LATE), untilMs - monotonicMs());
      this.#submissions.set(id, (result) => {
        clearTimeout(timer);
        resolve(result);
      });
      this.#send(message(id));
    });
  }

  /** Lets the publisher finish the block at hand and flush; resolves when its thread has ended. */
  async stop(): Promise<void> {
    if (!this.#stopping) await this.#askToStop();
    else if (!this.#failed) return;
    await this.#worker.terminate();
  }

  #askToStop(): Promise<void> {
    this.#stopping = true;
    return new Promise<void>((resolve) => {
      this.#stopped = resolve;
      this.#send({ kind: 'stop' });
    });
  }

  #send(message: ToPublisher): void {
    this.#worker.postMessage(message);
  }

  #spawn(): Worker {
    const worker = new Worker(this.#file, { workerData: this.#options });
    let reason = 'its thread ended';
    worker.on('message', (message: FromPublisher) => this.#receive(message));
    worker.on('error', (error: Error) => (reason = error.stack ?? error.message));
    worker.on('exit', () => this.#exited(reason));
    return worker;
  }

  #receive(message: FromPublisher): void {
    switch (message.kind) {
      case 'chain':
        this.#chain = message;
        return this.#tellReady();
      case 'table':
        this.#table = message;
        return this.#isReady ? this.#handlers.onTable(message) : this.#tellReady();
      case 'published':
        return this.#handlers.onPublished(message);
      case 'accepted':
        return this.#settle(message.id, `"${toHex(message.hash)}"`);
      case 'rejected':
        return this.#settle(message.id, rpcError('transactionRejected', message.message));
      case 'block':
        return this.#handlers.onBlock(message);
      case 'live':
        return this.#handlers.onLive(message.status);
      case 'filled':
        return this.#settle(message.id, FILLED);
      case 'unfilled':
        return this.#settle(message.id, rpcError('upstream', message.message));
      case 'response':
        return this.#settle(message.id, message.result);
      case 'refusal':
        return this.#settle(message.id, refusal(message));
      case 'progress':
        return this.#handlers.onProgress(message.text, message.share);
      case 'mismatch':
        return this.#handlers.onMismatch(message.mismatch);
      case 'fatal':
        return this.#fail(message.message, message.exitCode);
      case 'stopped':
        return this.#stopped?.();
    }
  }

  #tellReady(): void {
    if (this.#chain === null || this.#table === null) return;
    this.#isReady = true;
    this.#resolveReady({ chain: this.#chain, table: this.#table });
  }

  #fail(message: string, exitCode: 1 | 2): void {
    this.#stopping = true;
    this.#failed = true;
    if (this.#isReady) this.#handlers.onFatal(message, exitCode);
    else this.#rejectReady(new StartError(message, exitCode));
  }

  #settle(id: number, result: string | RpcError): void {
    this.#submissions.get(id)?.(result);
    this.#submissions.delete(id);
  }

  /** A dead publisher leaves readers their last version; its successor builds a fresh table from the archive. */
  #exited(reason: string): void {
    for (const id of this.#submissions.keys()) this.#settle(id, rpcError('internal'));
    this.#stopped?.();
    if (this.#stopping) return;
    const now = monotonicMs();
    this.#crashTimesMs.push(now);
    const recent = this.#crashTimesMs.filter((time) => now - time < LIMITS.publisherRestartWindowMs);
    if (recent.length > LIMITS.publisherRestartsMax) {
      this.#fail(`the publisher keeps failing: ${reason}`, 1);
      return;
    }
    this.#handlers.onCrash(reason);
    this.#restarts++;
    this.#worker = this.#spawn();
  }
}

function refusal({ message, rpc }: Message<'refusal'>): RpcError {
  if (rpc === null) return rpcError('upstream', message);
  return { error: 'passedOn', ...rpc };
}
