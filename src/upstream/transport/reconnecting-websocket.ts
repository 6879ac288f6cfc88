// A WebSocket client for a node or a pre-confirmation feed. It sends pings, reconnects when the connection is lost, and
// passes messages on.
import type { IncomingMessage } from 'node:http';
import { WebSocket, type RawData } from 'ws';
import type { Clock } from '../../lib/clock.js';
import { recordReceivedMemory } from '../../lib/memory/garbage-collection.js';
import { BackOff, parseRetryAfterMs, type BackOffOptions } from './back-off.js';

/** Times in milliseconds, and limits; src/limits explains each of them. */
export interface WebSocketTimeouts extends BackOffOptions {
  readonly pingMs: number;
  readonly pingsUnansweredMax: number;
  readonly livedMs: number;
  readonly handshakeMsMax: number;
  /**
   * Longest pause that a server can demand by `Retry-After`. If it asks for a longer one, we reconnect after this time.
   */
  readonly retryAfterMsMax: number;
  readonly messageBytesMax: number;
}

/** Which address to connect to, and with which timeouts. */
interface ReconnectingWebSocketOptions {
  /** Returns the ws: or wss: URL for the next connection. */
  readonly url: () => string;
  readonly tuning: WebSocketTimeouts;
}

/** The callbacks of the connection, its clock and its random source. */
export interface ReconnectingWebSocketDeps {
  /** Called with each message, text or binary, and its time of arrival. The bytes are not reused. */
  readonly onMessage: (message: Uint8Array, arrivedAtMs: number) => void;
  readonly onUp: () => void;
  /** Called when the connection is lost or cannot be established. The next attempt follows after `retryMs`. */
  readonly onDown: (reason: string, retryMs: number) => void;
  readonly clock: Pick<Clock, 'now' | 'wall'>;
  /** Returns a random number from 0 to below 1. */
  readonly random: () => number;
}

/** The status of a connection, for monitoring. */
export interface ConnectionStatus {
  readonly isUp: boolean;
  /** How often the connection was lost after it had been up. */
  readonly losses: number;
  /** The reason of the last loss or failed attempt; `null` if there was none. */
  readonly reason: string | null;
}

/** The WebSocket close code for "try again later". */
const TRY_AGAIN_LATER = 1013;
/** A WebSocket that connects at once, and reconnects after each loss, until `close` is called. */
export class ReconnectingWebSocket {
  readonly #url: () => string;
  readonly #tuning: WebSocketTimeouts;
  readonly #deps: ReconnectingWebSocketDeps;
  readonly #backOff: BackOff;
  readonly #startedMs: number;
  #link: Link | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isUp = false;
  #losses = 0;
  #reason: string | null = null;
  #arrivedAtMs: number | null = null;

  constructor(options: ReconnectingWebSocketOptions, deps: ReconnectingWebSocketDeps) {
    this.#url = options.url;
    this.#tuning = options.tuning;
    this.#deps = deps;
    this.#backOff = new BackOff(this.#tuning, deps.random);
    this.#startedMs = deps.clock.now();
    this.#connect();
  }

  get status(): ConnectionStatus {
    return { isUp: this.#isUp, losses: this.#losses, reason: this.#reason };
  }

  /** Returns the milliseconds since the last message, or since the start if no message has arrived yet. */
  silentMs(nowMs: number): number {
    return Math.max(0, nowMs - (this.#arrivedAtMs ?? this.#startedMs));
  }

  /** Sends a message if the connection is up. */
  send(text: string): void {
    if (this.#isUp) this.#link?.send(text);
  }

  /** Drops the current connection as if it had been lost; a new one is then established. */
  restart(reason: string): void {
    this.#link?.fail(reason);
  }

  /** Closes the connection, and does not reconnect. No callback is called afterwards. */
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
        this.#deps.onUp();
      },
      onMessage: (message) => this.#receive(message),
      onEnd: (end) => this.#lost(end),
      clock: this.#deps.clock,
    });
    this.#link = link;
  }

  #receive(message: Uint8Array): void {
    const nowMs = this.#deps.clock.now();
    this.#arrivedAtMs = nowMs;
    this.#deps.onMessage(message, nowMs);
  }

  #lost(end: End): void {
    this.#link = null;
    if (this.#isUp) this.#losses++;
    this.#isUp = false;
    this.#reason = end.reason;
    if (end.livedMs >= this.#tuning.livedMs) this.#backOff.reset();
    if (end.isThrottled) this.#backOff.slow();
    // If the server has requested a pause, a random pause is added, because the server may have requested the same one
    // of all its clients.
    const waitMs = this.#backOff.next();
    const retryMs = end.retryAfterMs === null ? waitMs : end.retryAfterMs + waitMs;
    this.#timer = setTimeout(() => this.#connect(), retryMs);
    this.#deps.onDown(end.reason, retryMs);
  }
}

/** Why a connection has ended, and how long it lasted. */
interface End {
  readonly reason: string;
  /** True if the server has throttled us. */
  readonly isThrottled: boolean;
  /** Milliseconds for which the connection was up. */
  readonly livedMs: number;
  readonly retryAfterMs: number | null;
}

interface LinkDeps {
  readonly onUp: () => void;
  readonly onMessage: (message: Uint8Array) => void;
  /** Called once when the connection ends, even if it was never up. Not called after `drop`. */
  readonly onEnd: (end: End) => void;
  readonly clock: ReconnectingWebSocketDeps['clock'];
}

/** One connection from its handshake to its end. */
class Link {
  readonly #tuning: WebSocketTimeouts;
  readonly #deps: LinkDeps;
  readonly #socket: WebSocket | null;
  #pings: NodeJS.Timeout | null = null;
  #unanswered = 0;
  #upMs: number | null = null;
  #over = false;

  constructor(url: string, tuning: WebSocketTimeouts, deps: LinkDeps) {
    this.#tuning = tuning;
    this.#deps = deps;
    this.#socket = this.#open(url);
    this.#socket?.on('open', () => this.#up());
    this.#socket?.on('message', (data) => {
      const bytes = messageBytes(data);
      recordReceivedMemory(bytes.length);
      if (!this.#over) this.#deps.onMessage(bytes);
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

  /** Drops the connection without calling `onEnd`. */
  drop(): void {
    this.#over = true;
    this.#stopPings();
    this.#socket?.terminate();
  }

  /** Opens the socket. Returns `null` for an invalid URL, which is reported in a later event-loop tick. */
  #open(url: string): WebSocket | null {
    const { messageBytesMax: maxPayload, handshakeMsMax: handshakeTimeout } = this.#tuning;
    try {
      // Compression (permessage-deflate) is off: feeds compress their messages themselves, and offering it costs memory
      // and time.
      return new WebSocket(url, { perMessageDeflate: false, maxPayload, handshakeTimeout });
    } catch (error) {
      setImmediate(() => this.fail((error as Error).message));
      return null;
    }
  }

  #up(): void {
    this.#upMs = this.#deps.clock.now();
    this.#pings = setInterval(() => this.#ping(), this.#tuning.pingMs);
    this.#deps.onUp();
  }

  /**
   * Sends a ping. A TCP connection to a dead peer stays open for minutes, so only pongs prove that the peer is alive.
   * Unanswered pings are counted instead of measuring the time since the last pong: after this thread was busy for
   * seconds, a pong may have arrived that it has not read yet.
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
    const retryAfter = throttled ? parseRetryAfterMs(headers['retry-after'], this.#deps.clock.wall()) : null;
    const wait = retryAfter === null ? null : Math.min(retryAfter, this.#tuning.retryAfterMsMax);
    this.#end({ reason: `status ${statusCode}`, isThrottled: throttled, retryAfterMs: wait });
  }

  #closed(code: number, text: string): void {
    const reason = `closed with code ${code}${text === '' ? '' : `: ${text}`}`;
    this.#end({ reason, isThrottled: code === TRY_AGAIN_LATER });
  }

  #end(end: Pick<End, 'reason'> & Partial<End>): void {
    if (this.#over) return;
    const livedMs = this.#upMs === null ? 0 : this.#deps.clock.now() - this.#upMs;
    this.drop();
    this.#deps.onEnd({ livedMs, isThrottled: false, retryAfterMs: null, ...end });
  }

  #stopPings(): void {
    if (this.#pings !== null) clearInterval(this.#pings);
    this.#pings = null;
  }
}

function messageBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return new Uint8Array(Buffer.concat(data));
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
