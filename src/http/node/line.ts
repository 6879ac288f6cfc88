// The requests of one connection of node:http, in their order, and whether more of them are read. Runs on main.
import type { Socket as Connection } from 'node:net';
import type { NodeResponse } from './response.js';

/** What waits is at most what one read of the connection brought. */
export class Line {
  readonly #connection: Connection;
  /** The response that is being made or sent. */
  #current: NodeResponse | null = null;
  readonly #waiting: (() => NodeResponse)[] = [];
  #isHeld = false;
  #isClosing = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    // Node.js begins to read again where a request ends.
    connection.on('resume', () => this.#isHeld && connection.pause());
  }

  /**
   * Serves a request, or lets it wait for those before it. One that comes while the connection is read for a sign of life
   * of its client closes it, as with uWebSockets.js: see later.ts.
   */
  enter(serve: () => NodeResponse): void {
    if (this.#isClosing) return;
    if (this.#current === null) this.#current = serve();
    else if (this.#current.isListening) this.#connection.destroy();
    else {
      this.#waiting.push(serve);
      this.hold();
    }
  }

  /** The response is sent, or the client has left. */
  next(): void {
    this.#current = null;
    const serve = this.#connection.destroyed ? undefined : this.#waiting.shift();
    if (this.#waiting.length === 0) this.release();
    if (serve !== undefined) this.#current = serve();
  }

  /** The response that is being made is the last one: what came behind its request is not served. */
  close(): void {
    this.#isClosing = true;
    this.#waiting.length = 0;
  }

  /** Reads nothing further. */
  hold(): void {
    this.#isHeld = true;
    this.#connection.pause();
  }

  /** Reads on after `hold`. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#connection.resume();
  }
}
