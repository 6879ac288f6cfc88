// Large answers on their way to be written: one at a time, and at a pace while other clients ask. Runs on main.

// Decision (2026-11, two cores): Answers with long return data have a line of their own (`src/rpc/answer/large-
// answers.ts`): one is written at a time, and a client rests after each by its pace while others ask. Its next call of
// the kind is not begun before (`src/pool/queue/bulky-jobs.ts`), so that what waits takes no memory and equal calls
// become one. Gain: of the calls of 100 connections that asked for 9.8 MB each, 98 in 100 were refused when their
// result was there, and made again at once; now none is refused, and a third of the memory is taken. Price: beside
// others a client has 33 MB of such answers a second, on any machine, and one whose results are long has its unknown
// calls run one after the other.
import { Turns } from '../../clients/turns.js';
import { LIMITS } from '../../limits/index.js';
import type { Asker } from './answer.js';

/** Bounds; their reasons in limits.ts. */
export interface LargeAnswersOptions {
  readonly largeAnswerBytesPerMs: number;
  readonly clientAloneMs: number;
}

/**
 * Turns to write large answers. A client whose answer was written while others ask rests for as long as its pace says; one that
 * is alone never does. Gain: an answer of 9.8 MB costs all threads and its reader some 60 ms of processor time; now most of that is
 * left to others, and one answer is in memory besides those that are being sent. Price: a client that fetches more than its pace
 * waits while others are there, and the address of every asker is read while large answers are about.
 */
export class LargeAnswers {
  readonly #options: LargeAnswersOptions;
  readonly #nowMs: () => number;
  readonly #waiting = new Turns<() => void>();
  /** Clients that rest, and until when. */
  readonly #rests = new Map<string | undefined, number>();
  #isWriting = false;
  /** Client that asked last, and since when nobody else has. Not kept while no large answer is about. */
  #isWatching = false;
  #last: string | undefined;
  #lastSinceMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `nowMs`: a clock that never goes back. */
  constructor(options: LargeAnswersOptions = LIMITS, nowMs: () => number = () => performance.now()) {
    this.#options = options;
    this.#nowMs = nowMs;
  }

  /** Notes that somebody asks, for whatever. */
  arrived(asker: Asker): void {
    if (this.#isWatching) this.#note(asker.client);
  }

  /** True if a large answer of `client` waits for its turn. */
  isAwaitedBy(client: string | undefined): boolean {
    return this.#waiting.has(client);
  }

  /** Resolves when a large answer of `client` may be written; `done` is to be called then. */
  turn(client: string | undefined): Promise<void> {
    if (!this.#isWatching) this.#watch(client);
    return new Promise((resolve) => {
      this.#waiting.add(client, resolve);
      this.#next();
    });
  }

  /** Notes that the answer of `client` has been written, of so many bytes. */
  done(client: string | undefined, bytes: number): void {
    this.#isWriting = false;
    const nowMs = this.#nowMs();
    if (!this.#isAlone(client, nowMs)) this.#rests.set(client, nowMs + bytes / this.#options.largeAnswerBytesPerMs);
    this.#next();
  }

  /** The first client is alone until another one asks. */
  #watch(client: string | undefined): void {
    this.#isWatching = true;
    this.#last = client;
    this.#lastSinceMs = -Infinity;
  }

  #note(client: string | undefined): void {
    if (client === this.#last) return;
    this.#last = client;
    this.#lastSinceMs = this.#nowMs();
  }

  #isAlone(client: string | undefined, nowMs: number): boolean {
    return client === this.#last && nowMs - this.#lastSinceMs >= this.#options.clientAloneMs;
  }

  /** Gives the turn to the first client that does not rest; looks again when the first rest is over. */
  #next(): void {
    if (this.#isWriting) return;
    clearTimeout(this.#timer);
    const nowMs = this.#nowMs();
    let restMs = Infinity;
    for (const client of this.#waiting.clients) {
      const leftMs = (this.#rests.get(client) ?? nowMs) - nowMs;
      if (leftMs <= 0) return this.#give(client);
      restMs = Math.min(restMs, leftMs);
    }
    if (restMs < Infinity) this.#timer = setTimeout(() => this.#next(), Math.ceil(restMs));
    else this.#timer = setTimeout(() => this.#forget(), this.#options.clientAloneMs).unref();
  }

  #give(client: string | undefined): void {
    this.#isWriting = true;
    this.#rests.delete(client);
    this.#waiting.take(client)();
  }

  /** Nobody has waited for so long that all rests are over. */
  #forget(): void {
    this.#isWatching = false;
    this.#rests.clear();
  }
}
