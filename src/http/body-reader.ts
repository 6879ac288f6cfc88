// Receives a request body in pieces, until it is complete or refused, or the client has disconnected.
import type { ChunkedBuffer } from '../lib/bytes/chunked-buffer.js';
import type { BodyMemory, IncomingBody } from './body-memory.js';
import type { HttpResponse } from './server-interface.js';
import type { InFlightCounter } from './in-flight-counter.js';
import type { HttpCounters } from './http-counters.js';

export type BodyRefusal = 'too large' | 'too slow' | 'no memory';

/**
 * Dependencies of a body reader. It calls either `complete` or `refuse`, once; neither of them if the client
 * disconnects.
 */
interface BodyReaderDeps {
  readonly bodies: BodyMemory;
  readonly inFlight: InFlightCounter;
  readonly counters: HttpCounters;
  /** Receives the complete body. If it is a `ChunkedBuffer`, the receiver must release it. */
  readonly complete: (body: Uint8Array | ChunkedBuffer) => void;
  readonly refuse: (reason: BodyRefusal) => void;
}

/** Receives one request body. Its time limit starts when this object is created. */
export class BodyReader {
  readonly #response: HttpResponse;
  readonly #deps: BodyReaderDeps;
  readonly #body: IncomingBody | null;
  readonly #deadline: NodeJS.Timeout;
  #isOpen = true;

  constructor(response: HttpResponse, client: string, receiveMsMax: number, deps: BodyReaderDeps) {
    this.#response = response;
    this.#deps = deps;
    this.#body = deps.bodies.open(client);
    this.#deadline = setTimeout(() => this.#refuse('too slow'), receiveMsMax);
    deps.inFlight.enter();
    response.onAborted(() => this.#abort());
  }

  /**
   * Appends a copy of the next piece of the body. The piece itself is not stored, because the HTTP server reuses its
   * memory. Does nothing if the body is complete or refused, or the client has disconnected.
   */
  take(chunk: Uint8Array, isLast: boolean): void {
    if (!this.#isOpen) return;
    const outcome = this.#body === null ? 'no memory' : this.#deps.bodies.append(this.#body, chunk);
    if (outcome !== 'appended') this.#refuse(outcome);
    else if (isLast) this.#complete(this.#body!);
  }

  #complete(body: IncomingBody): void {
    this.#isOpen = false;
    const bytes = this.#deps.bodies.take(body);
    this.#response.cork(() => this.#deps.complete(bytes));
    this.#end();
  }

  #refuse(reason: BodyRefusal): void {
    this.#end();
    this.#response.cork(() => this.#deps.refuse(reason));
  }

  #abort(): void {
    if (!this.#isOpen) return;
    this.#end();
    this.#deps.counters.aborted++;
  }

  #end(): void {
    this.#isOpen = false;
    clearTimeout(this.#deadline);
    if (this.#body !== null) this.#deps.bodies.close(this.#body);
    this.#deps.inFlight.leave();
  }
}
