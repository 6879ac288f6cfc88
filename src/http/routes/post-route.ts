// The route POST /: reads a request body within its limits, calls the service, and sends the response.
import { rpcError } from '../../rpc-errors.js';
import { releaseChunks } from '../../lib/bytes/chunked-buffer.js';
import { encodeErrorWithoutId } from '../../rpc/answer/answer-writer.js';
import type { EncodedRpcResponse, BodyBytes, MinimumPosition } from '../../rpc/answer/request-response-types.js';
import type { HttpLimits } from '../../limits/http.js';
import { BodyMemory } from '../body-memory.js';
import type { HttpCaller } from '../client-identifier.js';
import type { HttpRequest, HttpResponse } from '../server-interface.js';
import { encodeLatin1, type HeaderBlock } from '../encoded-heads.js';
import { DeferredResponse } from '../deferred-response.js';
import { BodyReader, type BodyRefusal } from '../body-reader.js';
import { refusedRequestEntry, type RequestLogEntry } from './log-each-request.js';
import type { RouteDeps } from './route-deps.js';
import type { GuardParsedRequest } from '../guard-parsed-request.js';
import { createJsonResponse, createTextResponse, type StaticResponse } from '../answers/responder.js';

const CONTENT_TYPE = encodeLatin1('content-type');
const CONTENT_LENGTH = encodeLatin1('content-length');
const CONTENT_ENCODING = encodeLatin1('content-encoding');
const TRANSFER_ENCODING = encodeLatin1('transfer-encoding');
const LEAST_BLOCK = encodeLatin1('x-least-block');
const LEAST_INDEX = encodeLatin1('x-least-index');

interface PostRouteDeps extends RouteDeps {
  /** Logs a refused request; `null` if refusals are not logged. */
  readonly logRequest: ((entry: RequestLogEntry) => void) | null;
  readonly served: GuardParsedRequest | null;
}

/** A request whose headers have been read. */
interface PostRequest {
  readonly response: HttpResponse;
  readonly caller: HttpCaller;
  readonly cors: HeaderBlock | null;
  readonly least: MinimumPosition | null;
}

/**
 * Handles POST requests. A body that arrives in one piece, as nearly all do, is not copied: the service must have read
 * it when `answer` returns.
 */
export class PostRoute {
  readonly #options: HttpLimits;
  readonly #deps: PostRouteDeps;
  readonly #bodies: BodyMemory;
  readonly #bodyDigitsMax: number;
  readonly #pages: Readonly<Record<BodyRefusal, StaticResponse>>;

  constructor(options: HttpLimits, deps: PostRouteDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#bodies = new BodyMemory(options, deps.ledger);
    this.#bodyDigitsMax = `${options.bodyBytesMax}`.length;
    const tooLarge = createTextResponse(413, `body over ${options.bodyBytesMax} bytes`);
    this.#pages = { 'too large': tooLarge, 'too slow': TOO_SLOW, 'no memory': NO_MEMORY };
  }

  /** Handles one request: refuses it at once, or sends the service's response when its body is complete. */
  handle(response: HttpResponse, request: HttpRequest): void {
    const { cors: rules, clients, served } = this.#deps;
    const cors = rules.answer(request);
    const caller = clients.caller(response, request);
    const body = served === null ? null : served.plainBody();
    if (body !== null && body.length <= this.#options.bodyBytesMax) {
      // This is the case for nearly every request. No header is read, no handler is set, and uWebSockets.js calls
      // JavaScript once instead of twice. This saves a tenth of the main thread's time for a simple read such as
      // `eth_getTransactionCount`.
      return this.#answer({ response, caller, cors, least: null }, body);
    }
    const refusal = this.#refusal(request);
    if (refusal !== null) return this.#refuse({ response, caller, cors }, refusal);
    const least = readLeast(request);
    if (least === 'malformed') return this.#refuse({ response, caller, cors }, WRONG_LEAST);
    this.#read({ response, caller, cors, least });
  }

  /** Logs and sends a refusal. `close` ends the connection, for a request that was not read to its end. */
  #refuse({ response, caller, cors }: Omit<PostRequest, 'least'>, refusal: StaticResponse, close = false): void {
    this.#deps.logRequest?.(refusedRequestEntry(refusal.status, caller.client));
    this.#deps.responder.page(response, refusal, cors, close);
  }

  /**
   * Returns the response if the request is refused because of its headers; uWebSockets.js then discards the body.
   * Returns `null` if the body must be read.
   */
  #refusal(request: HttpRequest): StaticResponse | null {
    const length = request.getHeader(CONTENT_LENGTH);
    if (length === '' && request.getHeader(TRANSFER_ENCODING) === '') return NO_LENGTH;
    const type = request.getHeader(CONTENT_TYPE);
    if (!isJsonContentType(type) || (type === '' && !this.#deps.cors.allowsUnasked(request))) return WRONG_TYPE;
    if (request.getHeader(CONTENT_ENCODING) !== '' && isEncoded(request)) return WRONG_ENCODING;
    // A length with fewer digits than the limit cannot exceed the limit, so that for nearly all requests no number is
    // parsed.
    if (length.length >= this.#bodyDigitsMax && Number(length) > this.#options.bodyBytesMax)
      return this.#pages['too large'];
    return null;
  }

  #read(request: PostRequest): void {
    const { response } = request;
    response.onAborted(ignore);
    let reception: BodyReader | null = null;
    response.onData((chunk, isLast) => {
      if (isLast && reception === null) this.#answer(request, new Uint8Array(chunk));
      else (reception ??= this.#receive(request)).take(new Uint8Array(chunk), isLast);
    });
  }

  #receive(request: PostRequest): BodyReader {
    const { inFlight, counters } = this.#deps;
    return new BodyReader(request.response, request.caller.client, this.#options.bodyReceiveMsMax, {
      bodies: this.#bodies,
      inFlight,
      counters,
      complete: (body) => this.#answer(request, body),
      refuse: (reason) => this.#refuse(request, this.#pages[reason], true),
    });
  }

  #answer(request: PostRequest, body: BodyBytes): void {
    this.#deps.counters.bytesIn += body.length;
    let answer: EncodedRpcResponse | Promise<EncodedRpcResponse>;
    try {
      answer = this.#deps.service.answer(body, request.caller, request.least);
    } catch (error) {
      this.#fail(request, error);
      return;
    }
    if (answer instanceof Promise) this.#answerLater(request, answer);
    else this.#send(request, answer);
  }

  #answerLater(request: PostRequest, answer: Promise<EncodedRpcResponse>): void {
    const { inFlight, counters } = this.#deps;
    const later = new DeferredResponse(request.response, this.#options.answerPatienceMs, () => {
      counters.aborted++;
      request.caller.abort();
    });
    inFlight.enter();
    // `then` is used instead of an async function, which would create more promises for each `eth_estimateGas`.
    answer.then(
      (ready) => this.#sendLater(later, request, ready),
      (error: unknown) => this.#failLater(later, request, error),
    );
  }

  #sendLater(later: DeferredResponse, request: PostRequest, ready: EncodedRpcResponse): void {
    try {
      if (!later.send(() => this.#send(request, ready))) releaseChunks(ready.bytes);
      this.#deps.inFlight.leave();
    } catch (error) {
      this.#failLater(later, request, error);
    }
  }

  #failLater(later: DeferredResponse, request: PostRequest, error: unknown): void {
    later.send(() => this.#fail(request, error));
    this.#deps.inFlight.leave();
  }

  #send({ response, caller, cors }: PostRequest, answer: EncodedRpcResponse): void {
    this.#deps.responder.answer(response, answer, caller, cors);
    answer.timing?.finish();
    caller.end();
  }

  #fail(request: PostRequest, error: unknown): void {
    this.#deps.fault(error);
    this.#refuse(request, INTERNAL);
    request.caller.end();
  }
}

/**
 * True if the body has a content coding other than `identity` (RFC 9110, section 8.4). Reads all headers of the
 * request.
 */
function isEncoded(request: HttpRequest): boolean {
  let isPlain = true;
  request.forEach((name, value) => {
    if (name === 'content-encoding') isPlain &&= IDENTITY.test(value);
  });
  return !isPlain;
}

/**
 * Reads the oldest state position that the client accepts. Most requests do not have these headers; then this costs one
 * header look-up, which takes 0.1 us.
 */
function readLeast(request: HttpRequest): MinimumPosition | 'malformed' | null {
  const block = request.getHeader(LEAST_BLOCK);
  if (block === '') return null;
  const index = request.getHeader(LEAST_INDEX);
  if (!DECIMAL.test(block) || (index !== '' && !DECIMAL.test(index))) return 'malformed';
  return { block: Number(block), index: Number(index) };
}

const IDENTITY = /^(identity(\s*,\s*identity)*)?$/i;
const DECIMAL = /^\d{1,15}$/;
const WRONG_LEAST = createTextResponse(400, 'x-least-block and x-least-index must be decimal numbers');
const NO_LENGTH = createTextResponse(411, 'Content-Length or chunks are required');
const WRONG_TYPE = createTextResponse(415, 'Content-Type must be application/json');
const WRONG_ENCODING = createTextResponse(415, 'the body must not be encoded', [['Accept-Encoding', 'identity']]);
const TOO_SLOW = createTextResponse(408, 'the body came too slowly');
const NO_MEMORY = createTextResponse(503, 'too many bodies at once', [['Retry-After', '1']]);
const INTERNAL = createJsonResponse(500, encodeErrorWithoutId(rpcError('internal')).toString());

/**
 * The abort handler while a body may still arrive in one piece. uWebSockets.js requires a handler; this one does
 * nothing, because nothing has to be released yet. `BodyReader` replaces it.
 */
function ignore(): void {}

const JSON_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/json-rpc',
  'application/jsonrequest',
]);

/**
 * True if a body with this `Content-Type` is accepted: one of the three media types for JSON, in upper or lower case
 * and with any parameters, or no type at all. Types that a web page can send without a preflight (`text/plain`, forms)
 * are not accepted. Whether a web page may send a body without a type is decided by `Cors.allowsUnasked`.
 */
function isJsonContentType(value: string): boolean {
  if (value === '' || value === 'application/json') return true;
  const semicolon = value.indexOf(';');
  const type = semicolon < 0 ? value : value.slice(0, semicolon);
  return JSON_TYPES.has(type.trim().toLowerCase());
}
