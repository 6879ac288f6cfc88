// Large answers on their way to be written: of a client one, of all clients together a few, and at a pace while other clients
// ask. Runs on main.
//
// An answer of 9.8 MB costs all threads and its reader some 60 ms of processor time: beside 100 connections that ask for such
// answers the reads of others have p99 of 6 ms by the pace, and of 24 to 27 without. Price: a client that fetches more than its pace
// waits while others are there, and in its first second.
import type { Ledger } from '../../clients/ledger.js';
import { Shares } from '../../clients/shares.js';
import { Turns } from '../../clients/turns.js';
import { LIMITS } from '../../limits/index.js';
import type { Asker } from './answer.js';

/** Turns to write answers of LIMITS.largeAnswerBytesMin and more; their bytes are bounded by AnswerMemory. */
export class LargeAnswers {
  readonly #ledger: Ledger;
  readonly #nowMs: () => number;
  readonly #waiting = new Turns<() => void>();
  readonly #writing: Shares;
  #timer: NodeJS.Timeout | undefined;

  /** `nowMs`: a clock that never goes back. */
  constructor(ledger: Ledger, nowMs: () => number = () => performance.now()) {
    this.#ledger = ledger;
    this.#nowMs = nowMs;
    this.#writing = new Shares(ledger, 'largeAnswers', LIMITS.largeAnswersMax, 1);
  }

  /** Notes that somebody asks, for whatever. Heard while large answers are about: to name a client costs as much as a read. */
  arrived(asker: Asker): void {
    if (this.#writing.all > 0 || this.#waiting.size > 0) this.#hear(asker.client);
  }

  /** Resolves when an answer of `client` may be written; `done` is to be called then. */
  turn(client: string | undefined): Promise<void> {
    this.#hear(client);
    return new Promise((resolve) => {
      this.#waiting.add(client, resolve);
      this.#next();
    });
  }

  /** Notes that the answer of `client`, of so many bytes, is written. One that is alone does not rest. */
  done(client: string | undefined, bytes: number): void {
    const nowMs = this.#nowMs();
    this.#writing.give(client, 1);
    if (!this.#ledger.isOneAlone(nowMs))
      this.#ledger.of(client).restsUntilMs = nowMs + bytes / LIMITS.largeAnswerBytesPerMs;
    this.#next();
  }

  #hear(client: string | undefined): void {
    this.#ledger.heard(this.#ledger.of(client), this.#nowMs());
  }

  /** Gives turns to clients that do not rest; looks again when the first rest is over. */
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
