// Large answers on their way to be written: of a client one, of all clients together a few. Runs on main.
import { Turns } from '../../clients/turns.js';
import { LIMITS } from '../../limits/index.js';

/** Turns to write answers of LIMITS.largeAnswerBytesMin and more; their bytes are bounded by AnswerMemory. */
export class LargeAnswers {
  readonly #waiting = new Turns<() => void>();
  readonly #writing = new Set<string | undefined>();

  /** Resolves when an answer of `client` may be written; `done` is to be called then. */
  turn(client: string | undefined): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(client, resolve);
      this.#next();
    });
  }

  /** Notes that the answer of `client` is written. */
  done(client: string | undefined): void {
    this.#writing.delete(client);
    this.#next();
  }

  #next(): void {
    for (const client of this.#waiting.clients) {
      if (this.#writing.size >= LIMITS.largeAnswersMax) return;
      if (!this.#writing.has(client)) this.#give(client);
    }
  }

  #give(client: string | undefined): void {
    this.#writing.add(client);
    this.#waiting.take(client)();
  }
}
