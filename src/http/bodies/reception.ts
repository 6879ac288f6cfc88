// Receives a body in pieces until it is complete, refused, or the client has left. Runs on main.
import type { LongBytes } from '../../lib/bytes/long-bytes.js';
import type { Bodies, Body } from './body.js';
import type { Response } from '../app.js';
import type { InFlight } from '../in-flight.js';
import type { Counters } from '../counters.js';

/** Why a body was not received completely. */
export type Shortfall = 'too large' | 'too slow' | 'no memory';

/**
 * Counters, and the callbacks at the end: `complete` or `refuse` is called once, and neither if the client has left.
 */
export interface ReceptionParts {
  readonly bodies: Bodies;
  readonly inFlight: InFlight;
  readonly counters: Counters;
  /** Passes on the body; a `LongBytes` then belongs to the callee, who releases it. */
  readonly complete: (body: Uint8Array | LongBytes) => void;
  readonly refuse: (reason: Shortfall) => void;
}

/** Receives one body. Its deadline runs from construction. */
export class Reception {
  readonly #response: Response;
  readonly #parts: ReceptionParts;
  readonly #body: Body | null;
  readonly #deadline: NodeJS.Timeout;
  #isOpen = true;

  constructor(response: Response, client: string, receiveMsMax: number, parts: ReceptionParts) {
    this.#response = response;
    this.#parts = parts;
    this.#body = parts.bodies.open(client);
    this.#deadline = setTimeout(() => this.#refuse('too slow'), receiveMsMax);
    parts.inFlight.enter();
    response.onAborted(() => this.#abort());
  }

  /** Accepts the next piece; the transport reuses its memory, so it is copied. Ignored once the reception is over. */
  take(chunk: Uint8Array, isLast: boolean): void {
    if (!this.#isOpen) return;
    const outcome = this.#body === null ? 'no memory' : this.#parts.bodies.append(this.#body, chunk);
    if (outcome !== 'appended') this.#refuse(outcome);
    else if (isLast) this.#complete(this.#body!);
  }

  #complete(body: Body): void {
    this.#isOpen = false;
    const bytes = this.#parts.bodies.take(body);
    this.#response.cork(() => this.#parts.complete(bytes));
    this.#end();
  }

  #refuse(reason: Shortfall): void {
    this.#end();
    this.#response.cork(() => this.#parts.refuse(reason));
  }

  #abort(): void {
    if (!this.#isOpen) return;
    this.#end();
    this.#parts.counters.aborted++;
  }

  #end(): void {
    this.#isOpen = false;
    clearTimeout(this.#deadline);
    if (this.#body !== null) this.#parts.bodies.close(this.#body);
    this.#parts.inFlight.leave();
  }
}
