// Responses that wait for their answers. Runs on main.
import type { Response } from './app.js';

/** Pause between two calls that keep uWebSockets.js from closing a connection as idle. */
const KEEP_OPEN_MS = 4000;
/** Requests in one turn of the event loop behind which nothing stays unpaused: libuv reads again from 1024 events on. */
const REQUESTS_A_TURN_MAX = 256;

/**
 * Keeps connections until their answers are ready. uWebSockets.js closes one that sends a further request meanwhile, or
 * that has closed its sending side, and both answers are lost. So a connection is not read while its answer is waited
 * for: further requests stay in the kernel, and a half-closed client gets its answer.
 *
 * Gain: of 100 connections with a read 0.1 s behind an `eth_call`, 99 were closed, now none. Price: 4 to 5 us an answer,
 * and while a connection is not read nobody sees that its client has left, so that what it asked for is computed in vain.
 * Leaving and half-closing look the same (FIN), so one of both has to be let down. An answer that takes longer than
 * `patienceMs` is a sign of overload, when work in vain matters most: from then on the connection is read again, a client
 * that left is noticed and its waiting jobs are dropped, and one that pipelines or has half-closed is cut off.
 *
 * Nothing is read before the turn of the event loop ends: what is answered by then pays none of this.
 *
 * Requests that came in the same read as this one are past saving: uWebSockets.js parses them at once, and closes.
 */
export class LaterResponses {
  readonly #patienceMs: number;
  /** Those of this turn. */
  #unpaused: LaterResponse[] = [];
  /** Requests since the first of them. */
  #requests = 0;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Called with every request. */
  arrived(): void {
    if (this.#unpaused.length > 0 && ++this.#requests >= REQUESTS_A_TURN_MAX) this.#pause();
  }

  /** Keeps the connection of a response; `aborted` is called once, when the client is seen to have left. */
  open(response: Response, aborted: () => void): LaterResponse {
    const later = new LaterResponse(response, this.#patienceMs, aborted);
    if (this.#unpaused.push(later) === 1) {
      this.#requests = 0;
      setImmediate(() => this.#pause());
    }
    return later;
  }

  #pause(): void {
    for (const later of this.#unpaused) later.pause();
    this.#unpaused = [];
  }
}

/** One response; see LaterResponses. */
class LaterResponse {
  readonly #response: Response;
  readonly #patienceMs: number;
  #timer: NodeJS.Timeout | null = null;
  #isPaused = false;
  #isGone = false;
  /** Answered, or gone. */
  #isOver = false;

  constructor(response: Response, patienceMs: number, aborted: () => void) {
    this.#response = response;
    this.#patienceMs = patienceMs;
    response.onAborted(() => {
      this.#isGone = true;
      this.#end();
      aborted();
    });
  }

  /** Reads nothing more until the answer is sent, or the patience is at its end. */
  pause(): void {
    if (this.#isOver) return;
    this.#isPaused = true;
    this.#response.pause();
    this.#timer = setTimeout(() => this.#listen(), this.#patienceMs);
  }

  /** Sends what `write` writes; false, and nothing, where the client has left. */
  send(write: () => void): boolean {
    if (this.#isGone) return false;
    this.#end();
    if (this.#isPaused) this.#response.resume();
    this.#response.cork(write);
    return true;
  }

  #end(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #listen(): void {
    this.#isPaused = false;
    this.#response.resume();
    this.#timer = setInterval(() => this.#response.resume(), KEEP_OPEN_MS);
  }
}
