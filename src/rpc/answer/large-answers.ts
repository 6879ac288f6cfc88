// Schedules the writing of large answers: one of a client and a few of all clients at a time, at a limited pace while
// other clients send requests.
//
// An answer of 9.8 MB costs all threads and its reader some 60 ms of processor time. Next to 100 connections that
// request such answers, other clients' reads have a p99 of 6 ms with the pace, and of 24 to 27 without it. Price: a
// client that fetches more than its pace waits while there are others, and in its first second.
import type { Usage } from '../../fairness/usage.js';
import { Quota } from '../../fairness/quota.js';
import { FairQueue } from '../../fairness/fair-queue.js';
import { LIMITS } from '../../limits/index.js';
import type { Caller } from './response.js';

/** Schedules answers of LIMITS.largeAnswerBytesMin bytes and more; their total size is bounded by `AnswerMemory`. */
export class LargeAnswers {
  readonly #ledger: Usage;
  readonly #nowMs: () => number;
  readonly #waiting = new FairQueue<() => void>();
  readonly #writing: Quota;
  #timer: NodeJS.Timeout | undefined;

  /** `nowMs`: a monotonic clock. */
  constructor(ledger: Usage, nowMs: () => number = () => performance.now()) {
    this.#ledger = ledger;
    this.#nowMs = nowMs;
    this.#writing = new Quota(ledger, 'largeAnswers', LIMITS.largeAnswersMax, 1);
  }

  /**
   * Notes that a client has sent any request. Used only while there are large answers, because naming a client costs as
   * much as a read.
   */
  arrived(caller: Caller): void {
    if (this.#writing.all > 0 || this.#waiting.size > 0) this.#noteActive(caller.client);
  }

  /** Resolves when an answer of `client` may be written; `done` must be called afterwards. */
  waitTurn(client: string | undefined): Promise<void> {
    this.#noteActive(client);
    return new Promise((resolve) => {
      this.#waiting.add(client, resolve);
      this.#next();
    });
  }

  /** Reports that the answer of `client`, of so many bytes, is written. A client that is alone need not pause. */
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

  /** Starts answers of clients that need not pause; checks again when the first pause is over. */
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
