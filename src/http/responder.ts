// Writes answers and refusals to HTTP responses. Runs on main.
import type { Answer } from '../rpc/answer.js';
import { Budget } from './budget.js';
import { build, endEmpty, headerBlock, writeBlock } from './door.js';
import type { HeaderBlock, Response } from './door.js';
import type { Flight } from './flight.js';
import type { AnswerHeaders } from './headers.js';
import { STATUS_LINES } from './traffic.js';
import type { Status, Traffic } from './traffic.js';

/** Answers larger than this are offered to the kernel piece by piece; smaller ones are copied whole. */
const WHOLE_BYTES_MAX = 64 * 1024;
/**
 * One small answer in so many is sent like a large one. uWebSockets.js buffers without bound for a client that sends
 * requests and never reads; an answer that does not go out at once stays open here, and uWebSockets.js closes a
 * connection that sends more while an answer is open. So such a client is found after this many answers (which may be
 * anybody's). Gain: `end` costs 290 ns less than `tryEnd`. Price: who pipelines thousands of requests unread is cut off.
 */
const PROBE_EVERY = 16;

const RETRY_AFTER = headerBlock([['Retry-After', '1']]);
const TEXT = headerBlock([['Content-Type', 'text/plain; charset=utf-8']]);

/** A body to send that is not an answer of the service. */
export interface Page {
  readonly status: Status;
  readonly headers: HeaderBlock;
  readonly body: string;
}

/** A short text as a page. */
export function textPage(status: Status, text: string, further: readonly (readonly [string, string])[] = []): Page {
  const headers = further.length === 0 ? TEXT : [...TEXT, ...headerBlock(further)];
  return { status, headers, body: `${text}\n` };
}

export interface ResponderParts {
  readonly headers: AnswerHeaders;
  readonly traffic: Traffic;
  readonly flight: Flight;
  /** Bytes of answers that wait for slow readers. */
  readonly unsent: Budget;
}

/** Every method ends the response. Outside of a route or data handler they must be called corked. */
export class Responder {
  readonly #parts: ResponderParts;
  #answers = 0;
  /** While the service drains, every answer closes its connection. */
  #closing = false;

  constructor(parts: ResponderParts) {
    this.#parts = parts;
  }

  /** From now on every answer closes its connection. */
  closeConnections(): void {
    this.#closing = true;
  }

  /** Sends an answer of the service; `further` are headers for this requester. */
  answer(response: Response, answer: Answer, further: HeaderBlock | null): void {
    const { traffic, headers } = this.#parts;
    traffic.answers[answer.status]++;
    traffic.bytesOut += answer.bytes.length;
    if (answer.status !== 200) response.writeStatus(STATUS_LINES[answer.status]);
    if (answer.status === 429) writeBlock(response, RETRY_AFTER);
    if (further !== null) writeBlock(response, further);
    writeBlock(response, headers.at(answer.position));
    if (answer.status === 204) endEmpty(response, this.#closing);
    else this.#body(response, answer.bytes);
  }

  /** Sends a page; `close` also ends the connection, for a request that was not read to its end. */
  page(response: Response, page: Page, further: HeaderBlock | null = null, close = false): void {
    this.#parts.traffic.answers[page.status]++;
    response.writeStatus(STATUS_LINES[page.status]);
    writeBlock(response, page.headers);
    if (further !== null) writeBlock(response, further);
    response.end(page.body, close || this.#closing);
  }

  /** Sends a page's status and headers, or any other that has no body. */
  head(response: Response, page: Page): void {
    this.#parts.traffic.answers[page.status]++;
    response.writeStatus(STATUS_LINES[page.status]);
    writeBlock(response, page.headers);
    if (page.body !== '') response.writeHeader('Content-Length', `${Buffer.byteLength(page.body)}`);
    endEmpty(response, this.#closing);
  }

  #body(response: Response, bytes: Uint8Array): void {
    const isProbe = ++this.#answers % PROBE_EVERY === 0;
    if (this.#closing || build !== 'native') response.end(bytes, this.#closing);
    else if (isProbe || bytes.length > WHOLE_BYTES_MAX) this.#offer(response, bytes);
    else response.end(bytes);
  }

  /** Hands over what the kernel takes; the rest is kept, within a bound, until the client has read. */
  #offer(response: Response, bytes: Uint8Array): void {
    const start = response.getWriteOffset();
    const [, isDone] = response.tryEnd(bytes, bytes.length);
    if (isDone) return;
    const sent = response.getWriteOffset() - start;
    const rest = bytes.slice(sent);
    if (this.#parts.unsent.take(rest.length)) this.#sendLater(response, rest, bytes.length);
    else response.close();
  }

  #sendLater(response: Response, rest: Uint8Array, totalBytes: number): void {
    const { unsent, flight, traffic } = this.#parts;
    const end = (): void => {
      unsent.give(rest.length);
      flight.leave();
    };
    flight.enter();
    response.onAborted(() => {
      traffic.aborted++;
      end();
    });
    response.onWritable((offset) => {
      const [isOk, isDone] = response.tryEnd(rest.subarray(offset - (totalBytes - rest.length)), totalBytes);
      if (isDone) end();
      return isOk;
    });
  }
}
