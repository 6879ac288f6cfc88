// POST /: reads a body within its bounds, asks the service, sends the answer. Runs on main.
import { ERRORS } from '../errors.js';
import type { Answer, LeastPosition, RpcService } from '../rpc/answer.js';
import { Bodies } from './body.js';
import type { Body } from './body.js';
import { isJsonContentType } from './content-type.js';
import type { Cors } from './cors.js';
import { headerName } from './door.js';
import type { HeaderBlock, Request, Response } from './door.js';
import type { Flight } from './flight.js';
import { page, textPage } from './responder.js';
import type { Page, Responder } from './responder.js';
import type { Traffic } from './traffic.js';

const CONTENT_TYPE = headerName('content-type');
const CONTENT_LENGTH = headerName('content-length');
const LEAST_BLOCK = headerName('x-least-block');
const LEAST_INDEX = headerName('x-least-index');

export interface PostOptions {
  readonly bodyBytesMax: number;
  /** All bodies being received, together. */
  readonly bodiesBytesMax: number;
  readonly bodyReceiveMsMax: number;
}

export interface PostParts {
  readonly service: RpcService;
  readonly responder: Responder;
  readonly cors: Cors;
  readonly flight: Flight;
  readonly traffic: Traffic;
  /** Told of every exception of the service: a bug, answered as internal error. */
  readonly fault: (error: unknown) => void;
}

/**
 * The route. A body that arrives in one piece, as nearly all do, is answered in place without a copy; the service must
 * be through with the body's bytes when its `answer` returns.
 */
export class PostRoute {
  readonly #options: PostOptions;
  readonly #parts: PostParts;
  readonly #bodies: Bodies;
  readonly #bodyDigitsMax: number;
  readonly #pages: Readonly<Record<Shortfall, Page>>;

  constructor(options: PostOptions, parts: PostParts) {
    this.#options = options;
    this.#parts = parts;
    this.#bodies = new Bodies(options.bodyBytesMax, options.bodiesBytesMax);
    this.#bodyDigitsMax = `${options.bodyBytesMax}`.length;
    const tooLarge = textPage(413, `body over ${options.bodyBytesMax} bytes`);
    this.#pages = { 'too large': tooLarge, 'too slow': TOO_SLOW, 'no memory': NO_MEMORY };
  }

  handle(response: Response, request: Request): void {
    const cors = this.#parts.cors.answer(request);
    const refusal = this.#refusal(request);
    if (refusal !== null) {
      this.#parts.responder.page(response, refusal, cors);
      return;
    }
    const least = readLeast(request);
    if (least === 'malformed') {
      this.#parts.responder.page(response, WRONG_LEAST, cors);
      return;
    }
    response.onAborted(ignore);
    let reception: Reception | null = null;
    response.onData((chunk, isLast) => {
      if (isLast && reception === null) this.#answer(response, new Uint8Array(chunk), cors, least);
      else (reception ??= this.#receive(response, cors, least)).take(new Uint8Array(chunk), isLast);
    });
  }

  /** The reason not to read the body. What a refused request still sends, uWebSockets.js discards. */
  #refusal(request: Request): Page | null {
    if (!isJsonContentType(request.getHeader(CONTENT_TYPE))) return WRONG_TYPE;
    const length = request.getHeader(CONTENT_LENGTH);
    // A length of fewer digits than the bound's cannot pass it: for nearly all requests no number is parsed.
    if (length.length >= this.#bodyDigitsMax && Number(length) > this.#options.bodyBytesMax)
      return this.#pages['too large'];
    return null;
  }

  #answer(response: Response, body: Uint8Array, cors: HeaderBlock | null, least: LeastPosition | null): void {
    this.#parts.traffic.bytesIn += body.length;
    const asker = { aborted: false };
    let answer: Answer | Promise<Answer>;
    try {
      answer = this.#parts.service.answer(body, asker, least);
    } catch (error) {
      this.#fail(response, error, cors);
      return;
    }
    if (answer instanceof Promise) this.#answerLater(response, answer, asker, cors);
    else this.#parts.responder.answer(response, answer, cors);
  }

  #answerLater(
    response: Response,
    answer: Promise<Answer>,
    asker: { aborted: boolean },
    cors: HeaderBlock | null,
  ): void {
    const { flight, traffic, responder } = this.#parts;
    response.onAborted(() => {
      if (!asker.aborted) traffic.aborted++;
      asker.aborted = true;
    });
    const send = (write: () => void): void => {
      flight.leave();
      if (!asker.aborted) response.cork(write);
    };
    flight.enter();
    answer.then(
      (ready) => send(() => responder.answer(response, ready, cors)),
      (error: unknown) => send(() => this.#fail(response, error, cors)),
    );
  }

  #fail(response: Response, error: unknown, cors: HeaderBlock | null): void {
    this.#parts.fault(error);
    this.#parts.responder.page(response, INTERNAL, cors);
  }

  #receive(response: Response, cors: HeaderBlock | null, least: LeastPosition | null): Reception {
    return new Reception(response, this.#bodies, this.#options.bodyReceiveMsMax, {
      flight: this.#parts.flight,
      traffic: this.#parts.traffic,
      complete: (body) => this.#answer(response, body, cors, least),
      refuse: (reason) => this.#parts.responder.page(response, this.#pages[reason], cors, true),
    });
  }
}

type Shortfall = 'too large' | 'too slow' | 'no memory';

interface ReceptionParts {
  readonly flight: Flight;
  readonly traffic: Traffic;
  readonly complete: (body: Uint8Array) => void;
  readonly refuse: (reason: Shortfall) => void;
}

/** A body that comes in pieces, from its first piece until it is complete, refused or given up by the client. */
class Reception {
  readonly #response: Response;
  readonly #bodies: Bodies;
  readonly #parts: ReceptionParts;
  readonly #body: Body;
  readonly #deadline: NodeJS.Timeout;
  #isOpen = true;

  constructor(response: Response, bodies: Bodies, receiveMsMax: number, parts: ReceptionParts) {
    this.#response = response;
    this.#bodies = bodies;
    this.#parts = parts;
    this.#body = bodies.open();
    this.#deadline = setTimeout(() => this.#refuse('too slow'), receiveMsMax);
    parts.flight.enter();
    response.onAborted(() => this.#abort());
  }

  take(chunk: Uint8Array, isLast: boolean): void {
    if (!this.#isOpen) return;
    const outcome = this.#bodies.append(this.#body, chunk);
    if (outcome !== 'appended') this.#refuse(outcome);
    else if (isLast) this.#complete();
  }

  #complete(): void {
    this.#end();
    const body = this.#body.bytes.subarray(0, this.#body.length);
    this.#response.cork(() => this.#parts.complete(body));
    this.#bodies.close(this.#body);
  }

  #refuse(reason: Shortfall): void {
    this.#end();
    this.#bodies.close(this.#body);
    this.#response.cork(() => this.#parts.refuse(reason));
  }

  #abort(): void {
    if (!this.#isOpen) return;
    this.#end();
    this.#bodies.close(this.#body);
    this.#parts.traffic.aborted++;
  }

  #end(): void {
    this.#isOpen = false;
    clearTimeout(this.#deadline);
    this.#parts.flight.leave();
  }
}

/** The least position that the client accepts; without one, as nearly always, this costs one look at the headers, 0.1 us. */
function readLeast(request: Request): LeastPosition | 'malformed' | null {
  const block = request.getHeader(LEAST_BLOCK);
  if (block === '') return null;
  const index = request.getHeader(LEAST_INDEX);
  if (!DECIMAL.test(block) || (index !== '' && !DECIMAL.test(index))) return 'malformed';
  return { block: Number(block), index: Number(index) };
}

const DECIMAL = /^\d{1,15}$/;
const WRONG_LEAST = textPage(400, 'x-least-block and x-least-index must be decimal numbers');
const WRONG_TYPE = textPage(415, 'Content-Type must be application/json');
const TOO_SLOW = textPage(408, 'the body came too slowly');
const NO_MEMORY = textPage(503, 'too many bodies at once', [['Retry-After', '1']]);
const INTERNAL = page(500, JSON.stringify({ jsonrpc: '2.0', id: null, error: ERRORS.internal }), [
  ['Content-Type', 'application/json'],
]);

/**
 * Stands until the request has an answer in the making: uWebSockets.js requires a handler, and while a body arrives in
 * one piece nothing can happen between.
 */
function ignore(): void {}
