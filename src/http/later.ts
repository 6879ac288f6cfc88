// A response that waits for its answer. Runs on main.
import { listenAgain, pauseReading, resumeReading } from './door.js';
import type { Response } from './door.js';

/**
 * Keeps a connection until its answer is ready. uWebSockets.js closes one that sends a further request meanwhile, or
 * that has closed its sending side, and both answers are lost. So the connection is not read while the answer is waited
 * for: further requests stay in the kernel, and a half-closed client gets its answer.
 *
 * Price: while it is not read, nobody sees that the client has left, and what it asked for is computed in vain. A client
 * that leaves and one that half-closes send the same (FIN), so one of both has to be let down. An answer in the making
 * for longer than `patienceMs` is a sign of overload, where work in vain matters most: from then on the connection is
 * read again, a client that left is noticed and its waiting jobs are dropped, and one that pipelines is cut off. In the
 * first `patienceMs` a client that left costs at most its jobs. The gain is that of the wire: with a request behind each
 * of 100 estimates, 100 of 100 connections were lost, now none. Pausing and resuming costs 2 to 3 us an answer.
 *
 * Requests that came in the same read as this one are past saving: uWebSockets.js parses them at once, and closes.
 */
export class LaterResponse {
  readonly #response: Response;
  readonly #patience: NodeJS.Timeout;
  #isPaused = true;
  #isGone = false;

  /** `aborted` is called once, when the client is seen to have left. */
  constructor(response: Response, patienceMs: number, aborted: () => void) {
    this.#response = response;
    response.onAborted(() => {
      this.#isGone = true;
      clearTimeout(this.#patience);
      aborted();
    });
    pauseReading(response);
    this.#patience = setTimeout(() => this.#listen(), patienceMs);
  }

  /** Sends what `write` writes; nothing where the client has left. */
  send(write: () => void): void {
    if (this.#isGone) return;
    clearTimeout(this.#patience);
    if (this.#isPaused) resumeReading(this.#response);
    this.#response.cork(write);
  }

  #listen(): void {
    this.#isPaused = false;
    listenAgain(this.#response);
  }
}
