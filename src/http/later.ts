// A response that waits for its answer. Runs on main.
import type { Response } from './app.js';

/** Pause between two calls that keep uWebSockets.js from closing a connection as idle. */
const KEEP_OPEN_MS = 4000;

/**
 * Keeps a connection until its answer is ready. Nothing further is read from it meanwhile: requests behind this one wait their
 * turn in the kernel. Price: nobody sees that its client has left, so that what it asked for is computed in vain. An answer
 * that takes longer than `patienceMs` is a sign of overload, when work in vain matters most: from then on the end of the
 * connection is looked for, and the waiting jobs of a client that left are dropped. Leaving and half-closing look the same (FIN),
 * so a client that has closed its side is cut off then.
 */
export class LaterResponse {
  readonly #response: Response;
  #timer: NodeJS.Timeout;
  #isGone = false;

  /** `aborted` is called once, when the client is seen to have left. */
  constructor(response: Response, patienceMs: number, aborted: () => void) {
    this.#response = response;
    this.#timer = setTimeout(() => this.#look(), patienceMs);
    response.pause();
    response.onAborted(() => {
      this.#isGone = true;
      clearTimeout(this.#timer);
      aborted();
    });
  }

  /** Sends what `write` writes; false, and nothing, where the client has left. */
  send(write: () => void): boolean {
    if (this.#isGone) return false;
    clearTimeout(this.#timer);
    this.#response.resume();
    this.#response.cork(write);
    return true;
  }

  #look(): void {
    this.#response.resume();
    this.#timer = setInterval(() => this.#response.resume(), KEEP_OPEN_MS);
  }
}
