// Schedules the writing of large responses: one at a time for each client, a few at a time for all clients, and at a
// limited rate while other clients send requests.
//
// A response of 9.8 MB takes some 60 ms of processor time, in this program and its client together. While 100
// connections request such responses, 99 % of other clients' reads take at most 6 ms with the limited rate, and 24 to
// 27 ms without it. The disadvantage: a client that requests more than this rate has to wait while there are other
// clients.
import type { UsageLedger } from '../../fairness/usage-ledger.js';
import { TotalAndClientLimit } from '../../fairness/total-and-client-limit.js';
import { ClientRoundRobin } from '../../fairness/client-round-robin.js';
import { LIMITS } from '../../limits/index.js';
import type { Caller } from './request-response-types.js';

/** Schedules responses of at least LIMITS.largeAnswerBytesMin bytes. `AnswerMemory` bounds their total size. */
export class LargeAnswerScheduler {
  readonly #ledger: UsageLedger;
  readonly #nowMs: () => number;
  readonly #waiting = new ClientRoundRobin<() => void>();
  readonly #writing: TotalAndClientLimit;
  #timer: NodeJS.Timeout | undefined;

  /** `nowMs` is a monotonic clock in milliseconds. */
  constructor(ledger: UsageLedger, nowMs: () => number = () => performance.now()) {
    this.#ledger = ledger;
    this.#nowMs = nowMs;
    this.#writing = new TotalAndClientLimit(ledger, 'largeAnswers', LIMITS.largeAnswersMax, 1);
  }

  /**
   * Must be called for every request. Records its client as active, but only while large responses are written, because
   * determining the client's name takes 0.8 us, a quarter of the time of a plain read.
   */
  arrived(caller: Caller): void {
    if (this.#writing.all > 0 || this.#waiting.size > 0) this.#noteActive(caller.client);
  }

  /** Waits until a response of `client` may be written. `done` must be called afterwards. */
  waitTurn(client: string | undefined): Promise<void> {
    this.#noteActive(client);
    return new Promise((resolve) => {
      this.#waiting.add(client, resolve);
      this.#next();
    });
  }

  /**
   * Records that a response of `client` with so many bytes was written. The client then pauses, unless it is the only
   * active one.
   */
  done(client: string | undefined, bytes: number): void {
    const nowMs = this.#nowMs();
    this.#writing.release(client, 1);
    if (!this.#ledger.isOneAlone(nowMs))
      this.#ledger.of(client).restsUntilMs = nowMs + bytes / LIMITS.largeAnswerBytesPerMs;
    this.#next();
  }

  #noteActive(client: string | undefined): void {
    this.#ledger.heard(this.#ledger.of(client), this.#nowMs());
  }

  /** Starts the responses of clients that need not pause, and checks again when the first pause is over. */
  #next(): void {
    clearTimeout(this.#timer);
    const nowMs = this.#nowMs();
    let restMs = Infinity;
    for (const client of this.#waiting.clients) {
      const leftMs = this.#ledger.of(client).restsUntilMs - nowMs;
      if (leftMs > 0) restMs = Math.min(restMs, leftMs);
      else if (this.#writing.take(client, 1)) this.#waiting.take(client)();
    }
    if (restMs < Infinity) this.#timer = setTimeout(() => this.#next(), Math.ceil(restMs));
  }
}
