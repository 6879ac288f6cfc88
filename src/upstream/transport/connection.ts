// A WebSocket to a node or a stream: keeps itself alive, comes back when lost, hands on what arrives. Runs on the publisher.
import type { IncomingMessage } from 'node:http';
import { WebSocket, type RawData } from 'ws';
import type { Clock } from '../../lib/time/clock.js';
import { tookForeign } from '../../lib/memory/garbage.js';
import { BackOff, retryAfterMs, type BackOffOptions } from './back-off.js';

/** Times in milliseconds; limits says what they are for. */
export interface ConnectionTuning extends BackOffOptions {
  readonly pingMs: number;
  readonly pingsUnansweredMax: number;
  readonly livedMs: number;
  readonly handshakeMsMax: number;
  /** A server that asks for a longer pause is asked again after this. */
  readonly retryAfterMsMax: number;
  /** Bytes of a message. */
  readonly messageBytesMax: number;
}

/** Address to connect to. */
export interface ConnectionOptions {
  /** ws: or wss:; asked for at each connection. */
  readonly url: () => string;
  readonly tuning: ConnectionTuning;
}

/** Called by the connection. */
export interface ConnectionParts {
  /** A message as it arrived, text or binary. The bytes stay as they are. */
  readonly onMessage: (message: Uint8Array, arrivedAtMs: number) => void;
  readonly onUp: () => void;
  /** The connection is lost, or could not be made; the next try comes after `retryMs`. */
  readonly onDown: (reason: string, retryMs: number) => void;
  readonly clock: Pick<Clock, 'now' | 'wall'>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** The state of a connection, for who watches it. */
export interface LinkStanding {
  readonly isUp: boolean;
  /** Times that it was lost after it had stood. */
  readonly losses: number;
  /** Reason for which it was lost last, or could not be made; `null`: neither has happened. */
  readonly reason: string | null;
}

/** Close code "try again later". */
const TRY_AGAIN_LATER = 1013;
/** Connects at once and again after every loss, until `close`. */
export class Connection {
  readonly #url: () => string;
  readonly #tuning: ConnectionTuning;
  readonly #parts: ConnectionParts;
  readonly #backOff: BackOff;
  readonly #startedMs: number;
  #link: Link | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isUp = false;
  #losses = 0;
  #reason: string | null = null;
  #arrivedAtMs: number | null = null;

  constructor(options: ConnectionOptions, parts: ConnectionParts) {
    this.#url = options.url;
    this.#tuning = options.tuning;
    this.#parts = parts;
    this.#backOff = new BackOff(this.#tuning, parts.random);
    this.#startedMs = parts.clock.now();
    this.#connect();
  }

  /** Its state now. */
  get standing(): LinkStanding {
    return { isUp: this.#isUp, losses: this.#losses, reason: this.#reason };
  }

  /** Messages may arrive now. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Time since a message arrived; since the start, when none has. */
  silentMs(nowMs: number): number {
    return Math.max(0, nowMs - (this.#arrivedAtMs ?? this.#startedMs));
  }

  /** Says something, where the connection stands. */
  send(text: string): void {
    if (this.#isUp) this.#link?.send(text);
  }

  /** Gives up the connection at hand as if it had been lost. */
  restart(reason: string): void {
    this.#link?.fail(reason);
  }

  /** Ends it for good; nothing is announced afterwards. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isUp = false;
    this.#link?.drop();
    this.#link = null;
  }

  #connect(): void {
    this.#timer = null;
    const link = new Link(this.#url(), this.#tuning, {
      onUp: () => {
        this.#isUp = true;
        this.#parts.onUp();
      },
      onMessage: (message) => this.#receive(message),
      onEnd: (end) => this.#lost(end),
      clock: this.#parts.clock,
    });
    this.#link = link;
  }

  #receive(message: Uint8Array): void {
    const nowMs = this.#parts.clock.now();
    this.#arrivedAtMs = nowMs;
    this.#parts.onMessage(message, nowMs);
  }

  #lost(end: End): void {
    this.#link = null;
    if (this.#isUp) this.#losses++;
    this.#isUp = false;
    this.#reason = end.reason;
    if (end.livedMs >= this.#tuning.livedMs) this.#backOff.reset();
    if (end.isThrottled) this.#backOff.slow();
    // The pause that the server asks for is a least; the jitter goes on top, for its followers were all told the same.
    const waitMs = this.#backOff.next();
    const retryMs = end.retryAfterMs === null ? waitMs : end.retryAfterMs + waitMs;
    this.#timer = setTimeout(() => this.#connect(), retryMs);
    this.#parts.onDown(end.reason, retryMs);
  }
}

/** The end of a connection. */
interface End {
  readonly reason: string;
  /** The server asked to be left alone. */
  readonly isThrottled: boolean;
  /** Time from being up to the end. */
  readonly livedMs: number;
  readonly retryAfterMs: number | null;
}

interface LinkParts {
  readonly onUp: () => void;
  readonly onMessage: (message: Uint8Array) => void;
  /** Called once, also when the connection was never up; not after `drop`. */
  readonly onEnd: (end: End) => void;
  readonly clock: ConnectionParts['clock'];
}

/** One connection from its handshake to its end. */
class Link {
  readonly #tuning: ConnectionTuning;
  readonly #parts: LinkParts;
  readonly #socket: WebSocket | null;
  #pings: NodeJS.Timeout | null = null;
  #unanswered = 0;
  #upMs: number | null = null;
  #over = false;

  constructor(url: string, tuning: ConnectionTuning, parts: LinkParts) {
    this.#tuning = tuning;
    this.#parts = parts;
    this.#socket = this.#open(url);
    this.#socket?.on('open', () => this.#up());
    this.#socket?.on('message', (data) => {
      const bytes = bytesOf(data);
      tookForeign(bytes.length);
      if (!this.#over) this.#parts.onMessage(bytes);
    });
    this.#socket?.on('pong', () => (this.#unanswered = 0));
    this.#socket?.on('unexpected-response', (_request, response) => this.#refused(response));
    this.#socket?.on('error', ({ message }: Error) => this.#end({ reason: message }));
    this.#socket?.on('close', (code, reason) => this.#closed(code, reason.toString('utf8')));
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  fail(reason: string): void {
    this.#end({ reason });
  }

  /** Ends it; `onEnd` is not called. */
  drop(): void {
    this.#over = true;
    this.#stopPings();
    this.#socket?.terminate();
  }

  /** `null`: the address is none, which is told in a later turn. */
  #open(url: string): WebSocket | null {
    const { messageBytesMax: maxPayload, handshakeMsMax: handshakeTimeout } = this.#tuning;
    try {
      // No permessage-deflate: feeds compress by themselves, and every offer accepted is memory and time.
      return new WebSocket(url, { perMessageDeflate: false, maxPayload, handshakeTimeout });
    } catch (error) {
      setImmediate(() => this.fail((error as Error).message));
      return null;
    }
  }

  #up(): void {
    this.#upMs = this.#parts.clock.now();
    this.#pings = setInterval(() => this.#ping(), this.#tuning.pingMs);
    this.#parts.onUp();
  }

  /**
   * A dead peer keeps a TCP connection open for minutes: only its answers prove that it is there. Counted in pings, not
   * in time: a thread that was busy for seconds sends one ping late, and its pong is still to be read.
   */
  #ping(): void {
    const { pingsUnansweredMax, pingMs } = this.#tuning;
    if (this.#unanswered >= pingsUnansweredMax) {
      return this.#end({ reason: `no pong for ${pingsUnansweredMax * pingMs} ms` });
    }
    this.#unanswered++;
    this.#socket?.ping();
  }

  #refused(response: IncomingMessage): void {
    const { statusCode, headers } = response;
    const throttled = statusCode === 429 || statusCode === 503;
    const asked = throttled ? retryAfterMs(headers['retry-after'], this.#parts.clock.wall()) : null;
    const wait = asked === null ? null : Math.min(asked, this.#tuning.retryAfterMsMax);
    this.#end({ reason: `status ${statusCode}`, isThrottled: throttled, retryAfterMs: wait });
  }

  #closed(code: number, text: string): void {
    const reason = `closed with code ${code}${text === '' ? '' : `: ${text}`}`;
    this.#end({ reason, isThrottled: code === TRY_AGAIN_LATER });
  }

  #end(end: Pick<End, 'reason'> & Partial<End>): void {
    if (this.#over) return;
    const livedMs = this.#upMs === null ? 0 : this.#parts.clock.now() - this.#upMs;
    this.drop();
    this.#parts.onEnd({ livedMs, isThrottled: false, retryAfterMs: null, ...end });
  }

  #stopPings(): void {
    if (this.#pings !== null) clearInterval(this.#pings);
    this.#pings = null;
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return new Uint8Array(Buffer.concat(data));
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
