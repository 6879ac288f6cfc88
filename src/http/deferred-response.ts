// An HTTP response whose content is computed asynchronously.
import type { HttpResponse } from './server-interface.js';

/** Interval of the calls that keep uWebSockets.js from closing the connection as idle. */
const KEEP_OPEN_MS = 4000;

/**
 * Keeps a connection open until its response is ready. Reading is paused meanwhile, so that pipelined requests wait in
 * the kernel. The price: a client that disconnects is not noticed, and its response is computed in vain. A response
 * that takes longer than `patienceMs` is a sign of overload, when wasted work matters most. From then on, the
 * connection is read to notice its end, and queued jobs of a client that has disconnected are dropped. Disconnecting
 * and half-closing look the same (FIN), so a client that has only closed its side is disconnected then.
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
