// A WebSocket that tells of new heads: subscribed, kept alive by pings, connected again when it is lost.
// Runs on the publisher.
import type { IncomingMessage } from 'node:http';
import { WebSocket, type RawData } from 'ws';
import type { Clock } from '../../lib/clock.js';
import { pauseMs, retryAfterMs } from '../transport/back-off.js';
import { headOf } from '../reads/block-json.js';
import { UpstreamError } from '../transport/error.js';
import { isObject } from '../transport/rpc-answer.js';
import type { UpstreamStats } from '../transport/stats.js';
import type { UpstreamTuning } from '../transport/tuning.js';
import type { UpstreamHead } from '../upstream.js';

/** The clock and chance for pauses, and what the socket calls. */
export interface HeadSocketParts {
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly stats: UpstreamStats;
  readonly onHead: (head: UpstreamHead) => void;
  /** The subscription has begun, or the connection was lost. */
  readonly onUp: (isUp: boolean) => void;
}

/** How a connection ended. */
interface Ending {
  /** From the answer to the subscription on; 0 when there was none. */
  readonly livedMs: number;
  /** Pause that the node has asked for. */
  readonly askedMs: number;
}

const SUBSCRIBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] });
/** RFC 6455 registry: try again later. */
const TRY_AGAIN_LATER = 1013;
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

/**
 * One connection at a time, from the construction until `close`. Heads come in the node's order, with gaps where it
 * was lost.
 */
export class HeadSocket {
  readonly #url: string;
  readonly #tuning: UpstreamTuning;
  readonly #parts: HeadSocketParts;
  readonly #ending = new AbortController();
  #socket: WebSocket | null = null;
  #isUp = false;
  /** Of the connection at hand: a ping has not been answered yet. */
  #isAwaited = false;
  #upSinceMs: number | null = null;
  #askedMs = 0;

  /** Connects at once. */
  constructor(url: string, tuning: UpstreamTuning, parts: HeadSocketParts) {
    this.#url = url;
    this.#tuning = tuning;
    this.#parts = parts;
    void this.#run();
  }

  /** Whether heads are being announced. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Ends the connection for good. */
  close(): void {
    this.#ending.abort();
    this.#socket?.terminate();
  }

  async #run(): Promise<void> {
    const { clock, random, stats } = this.#parts;
    const { reconnectMs, reconnectMsMax, livedMs } = this.#tuning;
    const { signal } = this.#ending;
    for (let failures = 0; !signal.aborted; failures++) {
      const ending = await this.#connection();
      if (signal.aborted) return;
      stats.reconnects++;
      if (ending.livedMs >= livedMs) failures = 0;
      const pause = pauseMs(failures, reconnectMs, reconnectMsMax, random());
      await clock.sleepUntil(clock.now() + Math.max(pause, ending.askedMs), signal);
    }
  }

  /** One connection, from handshake to end. */
  #connection(): Promise<Ending> {
    const { handshakeMs, messageBytesMax, pingMs } = this.#tuning;
    const socket = this.#connect({ handshakeTimeout: handshakeMs, maxPayload: messageBytesMax });
    if (socket === null) return Promise.resolve({ livedMs: 0, askedMs: 0 });
    this.#socket = socket;
    this.#upSinceMs = null;
    this.#isAwaited = false;
    this.#askedMs = 0;
    const pings = setInterval(() => this.#ping(socket), pingMs);
    const patience = setTimeout(() => this.#upSinceMs === null && socket.terminate(), 2 * handshakeMs);
    socket.on('open', () => this.#send(socket));
    socket.on('pong', () => (this.#isAwaited = false));
    socket.on('message', (data) => this.#message(socket, data));
    socket.on('unexpected-response', (_, response) => this.#refused(socket, response));
    // What went wrong shows in the close that follows.
    socket.on('error', () => undefined);
    return new Promise((resolve) => {
      socket.on('close', (code) => {
        clearInterval(pings);
        clearTimeout(patience);
        resolve(this.#closed(code));
      });
    });
  }

  /** `null`: the address is none. */
  #connect(options: { readonly handshakeTimeout: number; readonly maxPayload: number }): WebSocket | null {
    try {
      return new WebSocket(this.#url, { ...options, perMessageDeflate: false });
    } catch {
      return null;
    }
  }

  #send(socket: WebSocket): void {
    this.#parts.stats.bytesSent += SUBSCRIBE.length;
    socket.send(SUBSCRIBE);
  }

  #ping(socket: WebSocket): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (this.#isAwaited) return socket.terminate();
    this.#isAwaited = true;
    socket.ping();
  }

  #refused(socket: WebSocket, { statusCode, headers }: IncomingMessage): void {
    const { clock } = this.#parts;
    if (statusCode === TOO_MANY_REQUESTS || statusCode === UNAVAILABLE)
      this.#askedMs = Math.min(retryAfterMs(headers['retry-after'], clock.wall()) ?? 0, this.#tuning.retryAfterMsMax);
    socket.terminate();
  }

  #closed(code: number): Ending {
    const { clock } = this.#parts;
    const livedMs = this.#upSinceMs === null ? 0 : clock.now() - this.#upSinceMs;
    this.#socket = null;
    this.#setUp(false);
    if (code !== TRY_AGAIN_LATER) return { livedMs, askedMs: this.#askedMs };
    // However long it lived: an overloaded node is not helped by those who come back at once.
    return { livedMs: 0, askedMs: this.#tuning.overloadMs };
  }

  #message(socket: WebSocket, data: RawData): void {
    const text = (data as Buffer).toString();
    this.#parts.stats.bytesReceived += text.length;
    if (!this.#take(text)) socket.terminate();
  }

  /** Whether the message makes sense. */
  #take(text: string): boolean {
    const message = parse(text);
    if (!isObject(message)) return false;
    if (message['method'] === 'eth_subscription') return this.#head(message['params']);
    if (message['id'] !== 1) return true;
    if (typeof message['result'] !== 'string') return false;
    this.#upSinceMs = this.#parts.clock.now();
    this.#setUp(true);
    return true;
  }

  #head(params: unknown): boolean {
    if (!isObject(params)) return false;
    const head = headIn(params['result']);
    if (head === null) return false;
    this.#parts.stats.headsPushed++;
    this.#parts.onHead(head);
    return true;
  }

  #setUp(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    this.#parts.onUp(isUp);
  }
}

function headIn(json: unknown): UpstreamHead | null {
  try {
    return headOf(json);
  } catch (error) {
    if (error instanceof UpstreamError) return null;
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
