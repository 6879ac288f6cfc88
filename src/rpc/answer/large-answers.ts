// Large answers on their way to be written: of a client one, of all clients together a few, and at a pace while other clients
// ask. Runs on main.
//
// An answer of 9.8 MB costs all threads and its reader some 60 ms of processor time: beside 100 connections that ask for such
// answers the reads of others have p99 of 6 ms by the pace, and of 24 to 27 without. Price: a client that fetches more than its pace
// waits while others are there.
import { Turns } from '../../clients/turns.js';
import { LIMITS } from '../../limits/index.js';
import type { Asker } from './answer.js';

/** Turns to write answers of LIMITS.largeAnswerBytesMin and more; their bytes are bounded by AnswerMemory. */
export class LargeAnswers {
  readonly #nowMs: () => number;
  readonly #waiting = new Turns<() => void>();
  readonly #writing = new Set<string | undefined>();
  /** Clients that rest, and until when. */
  readonly #rests = new Map<string | undefined, number>();
  /** Client that asked last, and since when nobody else has; not kept while no large answer is about. */
  #last: { client: string | undefined; sinceMs: number } | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** `nowMs`: a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Notes that somebody asks, for whatever. */
  arrived(asker: Asker): void {
    if (this.#last !== null && this.#last.client !== asker.client)
      this.#last = { client: asker.client, sinceMs: this.#nowMs() };
  }

  /** Resolves when an answer of `client` may be written; `done` is to be called then. */
  turn(client: string | undefined): Promise<void> {
    this.#last ??= { client, sinceMs: -Infinity };
    return new Promise((resolve) => {
      this.#waiting.add(client, resolve);
      this.#next();
    });
  }

  /** Notes that the answer of `client`, of so many bytes, is written. One that is alone does not rest. */
  done(client: string | undefined, bytes: number): void {
    const nowMs = this.#nowMs();
    this.#writing.delete(client);
    if (!this.#isAlone(client, nowMs)) this.#rests.set(client, nowMs + bytes / LIMITS.largeAnswerBytesPerMs);
    this.#next();
  }

  #isAlone(client: string | undefined, nowMs: number): boolean {
    return this.#last?.client === client && nowMs - this.#last!.sinceMs >= LIMITS.clientAloneMs;
  }

  /** Gives turns to clients that do not rest; looks again when the first rest is over. */
  #next(): void {
    clearTimeout(this.#timer);
    const nowMs = this.#nowMs();
    let restMs = Infinity;
    for (const client of this.#waiting.clients) {
      if (this.#writing.size >= LIMITS.largeAnswersMax) return;
      const leftMs = (this.#rests.get(client) ?? nowMs) - nowMs;
      if (leftMs > 0) restMs = Math.min(restMs, leftMs);
      else if (!this.#writing.has(client)) this.#give(client);
    }
    if (restMs < Infinity) this.#timer = setTimeout(() => this.#next(), Math.ceil(restMs));
    else if (this.#writing.size === 0) this.#timer = setTimeout(() => this.#forget(), LIMITS.clientAloneMs).unref();
  }

  #give(client: string | undefined): void {
    this.#writing.add(client);
    this.#rests.delete(client);
    this.#waiting.take(client)();
  }

  /** Nobody has waited for so long that all rests are over. */
  #forget(): void {
    this.#last = null;
    this.#rests.clear();
  }
}
