// A WebSocket on which the node announces new heads. Subscribes to them, sends pings, and reconnects when the
// connection is lost.
import type { Clock } from '../../lib/clock.js';
import { parseHead } from '../reads/verify-block-json.js';
import { ReconnectingWebSocket } from '../transport/reconnecting-websocket.js';
import { UpstreamError } from '../transport/upstream-error.js';
import { isJsonObject, parseJson } from '../transport/parse-rpc-response.js';
import type { UpstreamStats } from '../transport/upstream-stats.js';
import type { UpstreamClientLimits } from '../transport/upstream-client-limits.js';
import type { UpstreamHead } from '../upstream.js';

export interface HeadSocketDeps {
  readonly clock: Pick<Clock, 'now' | 'wall'>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly stats: UpstreamStats;
  readonly onHead: (head: UpstreamHead) => void;
  /** Called when the subscription has started, and when the connection was lost. */
  readonly onUp: (isUp: boolean) => void;
}

const SUBSCRIBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] });
/**
 * Maintains a connection until `close` is called. Heads arrive in the node's order. Heads that are announced while the
 * connection is down are missed.
 */
export class HeadSocket {
  readonly #deps: HeadSocketDeps;
  readonly #patienceMs: number;
  readonly #connection: ReconnectingWebSocket;
  #patience: NodeJS.Timeout | null = null;
  #isUp = false;

  /** Connects at once. */
  constructor(url: string, tuning: UpstreamClientLimits, deps: HeadSocketDeps) {
    const { clock, random } = deps;
    this.#deps = deps;
    this.#patienceMs = tuning.handshakeMs;
    this.#connection = new ReconnectingWebSocket(
      {
        url: () => url,
        tuning: {
          ...tuning,
          handshakeMsMax: tuning.handshakeMs,
          retryMsMin: tuning.reconnectMs,
          retryMsMax: tuning.reconnectMsMax,
          // The connection counts as lost if a single ping is not answered.
          pingsUnansweredMax: 1,
        },
      },
      {
        onUp: () => this.#subscribe(),
        onMessage: (message) => this.#message(message),
        onDown: () => this.#lost(),
        clock,
        random,
      },
    );
  }

  /** True while the node announces heads. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Closes the connection, and does not reconnect. */
  close(): void {
    this.#calm();
    this.#connection.close();
  }

  #subscribe(): void {
    this.#deps.stats.bytesSent += SUBSCRIBE.length;
    this.#connection.send(SUBSCRIBE);
    this.#patience = setTimeout(() => this.#connection.restart('the subscription is not answered'), this.#patienceMs);
  }

  #lost(): void {
    this.#calm();
    this.#deps.stats.reconnects++;
    this.#setUp(false);
  }

  #calm(): void {
    if (this.#patience !== null) clearTimeout(this.#patience);
    this.#patience = null;
  }

  #message(message: Uint8Array): void {
    this.#deps.stats.bytesReceived += message.length;
    if (!this.#take(Buffer.from(message).toString())) this.#connection.restart('a message makes no sense');
  }

  /** Handles a message; returns false if it is malformed. */
  #take(text: string): boolean {
    const message = parseJson(text);
    if (!isJsonObject(message)) return false;
    if (message['method'] === 'eth_subscription') return this.#head(message['params']);
    if (message['id'] !== 1) return true;
    if (typeof message['result'] !== 'string') return false;
    this.#calm();
    this.#setUp(true);
    return true;
  }

  #head(params: unknown): boolean {
    if (!isJsonObject(params)) return false;
    const head = headIn(params['result']);
    if (head === null) return false;
    this.#deps.stats.headsPushed++;
    this.#deps.onHead(head);
    return true;
  }

  #setUp(isUp: boolean): void {
    this.#deps.stats.headLink = { ...this.#connection.status, isUp };
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    this.#deps.onUp(isUp);
  }
}

function headIn(json: unknown): UpstreamHead | null {
  try {
    return parseHead(json);
  } catch (error) {
    if (error instanceof UpstreamError) return null;
    throw error;
  }
}
