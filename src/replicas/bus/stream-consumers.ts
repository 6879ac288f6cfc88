// Reads the stream with one JetStream consumer after the other.
import { LIMITS } from '../../limits/index.js';
import type { ReceivedStreamMessage, StoppableTask } from './chain-bus.js';
import type { ConnectionState } from './connection-state.js';

/** The messages of one JetStream consumer. */
export interface ConsumedMessages extends AsyncIterable<{ readonly data: Uint8Array; readonly seq: number }> {
  stop(): void;
}

interface StreamConsumersDeps {
  /** Opens a consumer that starts at a sequence number. */
  readonly open: (from: number) => Promise<ConsumedMessages>;
  readonly take: (message: ReceivedStreamMessage) => Promise<void>;
  readonly link: Pick<ConnectionState, 'watch'>;
  /** True once the connection is closed, so that no other consumer can be opened. */
  readonly isClosed: () => boolean;
}

/** Reads from `run` until `stop`. */
export class StreamConsumers implements StoppableTask {
  readonly #deps: StreamConsumersDeps;
  readonly #watching: StoppableTask;
  #messages: ConsumedMessages | null = null;
  #isStopped = false;
  #wake: () => void = () => {};

  constructor(deps: StreamConsumersDeps) {
    this.#deps = deps;
    // If the server was away, it has forgotten the consumer, and the client would notice that late.
    this.#watching = deps.link.watch(() => this.#interrupt());
  }

  /** Stops reading. Messages that still arrive are ignored. */
  stop(): void {
    this.#isStopped = true;
    this.#watching.stop();
    this.#interrupt();
  }

  /** Runs until stopped or closed. A consumer that ends otherwise is the server's fault: a new one is opened. */
  async run(from: number): Promise<void> {
    let next = from;
    while (!this.#isOver()) {
      this.#messages = await this.#deps.open(next).catch(() => null);
      if (this.#messages !== null) next = await this.#takeAll(this.#messages, next);
      if (!this.#isOver()) await this.#pause();
    }
  }

  #isOver(): boolean {
    return this.#isStopped || this.#deps.isClosed();
  }

  #interrupt(): void {
    this.#messages?.stop();
    this.#wake();
  }

  /** Waits; ends early when the connection is established again. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LIMITS.replicationRetryMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Passes on messages until the consumer ends; returns the next sequence number. What `take` throws is a bug. */
  async #takeAll(messages: ConsumedMessages, from: number): Promise<number> {
    const arriving = messages[Symbol.asyncIterator]();
    // `stop` may have been called while the consumer was being opened and could not be stopped yet.
    if (this.#isStopped) messages.stop();
    let next = from;
    for (;;) {
      const arrived = await arriving.next().catch(() => null);
      if (arrived === null || arrived.done === true || this.#isStopped) return next;
      const { data: bytes, seq: sequence } = arrived.value;
      await this.#deps.take({ bytes, sequence });
      next = sequence + 1;
    }
  }
}
