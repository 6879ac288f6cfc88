// Receives a body in pieces, until it is complete or refused, or the client has disconnected.
import type { ChunkedBuffer } from '../lib/bytes/chunked-buffer.js';
import type { BodyMemory, IncomingBody } from './body-memory.js';
import type { HttpResponse } from './server-interface.js';
import type { InFlightCounter } from './in-flight.js';
import type { HttpCounters } from './http-counters.js';

export type BodyRefusal = 'too large' | 'too slow' | 'no memory';

/** Counters and callbacks. At the end, `complete` or `refuse` is called once; neither after a disconnect. */
interface BodyReaderDeps {
  readonly bodies: BodyMemory;
  readonly inFlight: InFlightCounter;
  readonly counters: HttpCounters;
  /** Passes on the body. A `ChunkedBuffer` then belongs to the function called, which must release it. */
  readonly complete: (body: Uint8Array | ChunkedBuffer) => void;
  readonly refuse: (reason: BodyRefusal) => void;
}

/** Receives one body. Its time limit starts when it is created. */
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

  /** Adds the next piece, as a copy: the transport reuses its memory. Ignored after the end. */
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
