// Tracks the start of the publisher for the main thread. The start is complete once the chain and a table are known.
import { StartError } from '../lib/start-error.js';
import type { MessageFromPublisher } from './publisher-protocol.js';

/** The publisher's first message. */
type ChainMessage = Extract<MessageFromPublisher, { kind: 'chain' }>;
/** The message that announces a table, which replaces the previous one. */
export type TableMessage = Extract<MessageFromPublisher, { kind: 'table' }>;

/** What the main thread knows when the start is complete: the chain, and a table that has a state version to read. */
export interface PublisherStartResult {
  readonly chain: ChainMessage;
  readonly table: TableMessage;
}

/** Settles `ready` once, however often the thread is restarted. */
export class PublisherStartTracker {
  /** Resolves once there is a table to read; rejects with StartError. */
  readonly ready: Promise<PublisherStartResult>;
  #resolve: (ready: PublisherStartResult) => void = () => {};
  #reject: (error: StartError) => void = () => {};
  #chain: ChainMessage | null = null;
  #isOver = false;

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** True once there is a table to read. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Records the chain. The message with its table follows. */
  setChain(chain: ChainMessage): void {
    this.#chain = chain;
  }

  /** Completes the start with the first table. The chain must have been announced before. */
  finish(table: TableMessage): void {
    if (this.#chain === null) throw new Error('a table without a chain');
    this.#isOver = true;
    this.#resolve({ chain: this.#chain, table });
  }

  fail(message: string, exitCode: 1 | 2): void {
    this.#reject(new StartError(message, exitCode));
  }
}
