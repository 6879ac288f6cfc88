// One reader of the stream, across the consumers that it has one after the other. Runs on the publisher.
import { LIMITS } from '../../limits/index.js';
import type { Arrived, Running } from './bus.js';
import type { Link } from './link.js';

/** Messages as a consumer of the server's brings them. */
export interface Consumed extends AsyncIterable<{ readonly data: Uint8Array; readonly seq: number }> {
  stop(): void;
}

/** Parts that a reader of the stream works with. */
export interface FollowingParts {
  /** A consumer from a sequence on. */
  readonly open: (from: number) => Promise<Consumed>;
  readonly take: (message: Arrived) => Promise<void>;
  readonly link: Pick<Link, 'watch'>;
  /** The connection has been closed: no other consumer will come. */
  readonly isClosed: () => boolean;
}

/** Reads from `run` to `stop`. */
export class Following implements Running {
  readonly #parts: FollowingParts;
  readonly #watching: Running;
  #messages: Consumed | null = null;
  #isStopped = false;
  #wake: () => void = () => {};

  constructor(parts: FollowingParts) {
    this.#parts = parts;
    // A server that was away knows the consumer no more, and another one learns of that late.
    this.#watching = parts.link.watch(() => this.#interrupt());
  }

  /** Messages that still arrive are passed over. */
  stop(): void {
    this.#isStopped = true;
    this.#watching.stop();
    this.#interrupt();
  }

  /** Until it is stopped or the connection closed. What ends a consumer else is the server's doing: another one takes its place. */
  async run(from: number): Promise<void> {
    let next = from;
    while (!this.#isOver()) {
      this.#messages = await this.#parts.open(next).catch(() => null);
      if (this.#messages !== null) next = await this.#takeAll(this.#messages, next);
      if (!this.#isOver()) await this.#pause();
    }
  }

  #isOver(): boolean {
    return this.#isStopped || this.#parts.isClosed();
  }

  #interrupt(): void {
    this.#messages?.stop();
    this.#wake();
  }

  /** Shorter where the connection has come back. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LIMITS.replicationRetryMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** An error that `take` throws is a bug, and ends the thread. Answers the sequence that comes next. */
  async #takeAll(messages: Consumed, from: number): Promise<number> {
    const arriving = messages[Symbol.asyncIterator]();
    // A stop while the consumer was opened did not reach that one.
    if (this.#isStopped) messages.stop();
    let next = from;
    for (;;) {
      const arrived = await arriving.next().catch(() => null);
      if (arrived === null || arrived.done === true || this.#isStopped) return next;
      const { data: bytes, seq: sequence } = arrived.value;
      await this.#parts.take({ bytes, sequence });
      next = sequence + 1;
    }
  }
}
