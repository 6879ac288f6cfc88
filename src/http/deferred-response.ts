// An HTTP response whose content is computed asynchronously.
import type { HttpResponse } from './server-interface.js';

/** Interval of the calls that keep uWebSockets.js from closing a connection as idle. */
const KEEP_OPEN_MS = 4000;

/**
 * Keeps a connection open until its response is ready. In the meantime the connection is not read, so that pipelined
 * requests wait in the operating system's buffer. The price: a disconnect is not noticed, and the response is computed
 * in vain. If the response takes longer than `patienceMs`, the service is probably overloaded, and wasted work matters
 * most. The connection is then read again, to notice a disconnect and to drop the client's queued jobs. A client that
 * has only closed its sending side looks the same as one that has disconnected (FIN), and is disconnected as well.
 */
export class DeferredResponse {
  readonly #response: HttpResponse;
  #timer: NodeJS.Timeout;
  #isGone = false;

  /** `aborted` is called once if the client is found to have disconnected. */
  constructor(response: HttpResponse, patienceMs: number, aborted: () => void) {
    this.#response = response;
    this.#timer = setTimeout(() => this.#look(), patienceMs);
    response.pause();
    response.onAborted(() => {
      this.#isGone = true;
      clearTimeout(this.#timer);
      aborted();
    });
  }

  /** Runs `write` to send the response. Returns false without calling it if the client has disconnected. */
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
