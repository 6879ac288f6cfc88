// Reads the stream through a JetStream consumer, and opens another consumer when one ends.
import { abortableSleep } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import type { ReceivedStreamMessage, StoppableTask } from './chain-bus.js';
import type { ConnectionState } from './connection-state.js';

/** The messages that one JetStream consumer delivers. */
export interface ConsumedMessages extends AsyncIterable<{ readonly data: Uint8Array; readonly seq: number }> {
  stop(): void;
}

interface StreamConsumersDeps {
  /** Opens a consumer that starts at this sequence number. */
  readonly open: (from: number) => Promise<ConsumedMessages>;
  readonly take: (message: ReceivedStreamMessage) => Promise<void>;
  readonly link: Pick<ConnectionState, 'watch'>;
  /** Returns true once the connection is closed, so that no consumer can be opened any more. */
  readonly isClosed: () => boolean;
}

/** Reads the stream from `run` until `stop`. */
export class StreamConsumers implements StoppableTask {
  readonly #deps: StreamConsumersDeps;
  readonly #watching: StoppableTask;
  #messages: ConsumedMessages | null = null;
  #isStopped = false;
  /** Aborted to end the pause before the next attempt. */
  #waking = new AbortController();

  constructor(deps: StreamConsumersDeps) {
    this.#deps = deps;
    // After a lost connection, the server may have forgotten the consumer, which the client would notice only late. So
    // the consumer is replaced whenever the state of the connection changes.
    this.#watching = deps.link.watch(() => this.#interrupt());
  }

  /** Stops reading. Messages that arrive after that are ignored. */
  stop(): void {
    this.#isStopped = true;
    this.#watching.stop();
    this.#interrupt();
  }

  /**
   * Runs until it is stopped or the connection is closed. If a consumer ends for any other reason, a new one is opened.
   */
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
    this.#waking.abort();
  }

  /** Waits before the next attempt. The wait ends early when the connection is established again. */
  #pause(): Promise<void> {
    this.#waking = new AbortController();
    return abortableSleep(LIMITS.replicationRetryMs, this.#waking.signal);
  }

  /**
   * Passes messages on until the consumer ends. Returns the sequence number of the next message. An error thrown by
   * `take` is a bug.
   */
  async #takeAll(messages: ConsumedMessages, from: number): Promise<number> {
    const arriving = messages[Symbol.asyncIterator]();
    // `stop` was called while the consumer was being opened.
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
