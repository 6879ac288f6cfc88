// A WebSocket connection of the package ws, with the interface of uWebSockets.js.
import type { RawData, WebSocket } from 'ws';
import type { WebSocketConnection, WebSocketBehavior } from '../server-interface.js';

/** A message larger than this is sent in fragments, so that the progress of a slow reader is visible. */
const FRAGMENT_BYTES = 64 * 1024;

/** A fragment of a WebSocket message that waits to be sent. */
interface Fragment {
  readonly bytes: Uint8Array;
  readonly isBinary: boolean;
  readonly isLast: boolean;
}

/**
 * A connection that counts the bytes that wait to be sent, and closes when it is idle. uWebSockets.js does both by
 * itself, the ws package does not.
 */
export class NodeWebSocket<Data> implements WebSocketConnection<Data> {
  readonly #webSocket: WebSocket;
  readonly #behavior: WebSocketBehavior<Data>;
  readonly #data: Data;
  readonly #waiting: Fragment[] = [];
  readonly #checks: NodeJS.Timeout;
  #waitingBytes = 0;
  #isSending = false;
  #isOpen = true;
  /** True if anything has arrived from the client since the last check. */
  #isAlive = true;

  constructor(webSocket: WebSocket, behavior: WebSocketBehavior<Data>, data: Data) {
    this.#webSocket = webSocket;
    this.#behavior = behavior;
    this.#data = data;
    // The interval is half of the idle time, so that a ping can be answered during the other half.
    this.#checks = setInterval(() => this.#check(), behavior.idleTimeout * 500).unref();
    for (const sign of ['ping', 'pong'] as const) webSocket.on(sign, () => (this.#isAlive = true));
    webSocket.on('message', (message) => this.#message(message));
    webSocket.on('close', () => this.#close());
    // The client has sent an invalid frame, or a message that is too large. The connection is closed without a closing
    // handshake, because the client may never answer one.
    webSocket.on('error', () => this.close());
  }

  getUserData(): Data {
    return this.#data;
  }

  /** Only calls `work`. Messages are not combined, because each is passed to ws by itself anyway. */
  cork(work: () => void): void {
    work();
  }

  /** Sends a message. Returns 1 if all of it was sent, 0 if a part of it still waits to be sent. */
  send(message: Uint8Array, isBinary: boolean): number {
    const copy = Uint8Array.from(message);
    for (let at = 0; at === 0 || at < copy.length; at += FRAGMENT_BYTES) {
      const end = at + FRAGMENT_BYTES;
      this.#waiting.push({ bytes: copy.subarray(at, end), isBinary, isLast: end >= copy.length });
    }
    this.#waitingBytes += copy.length;
    this.#sendNext();
    return this.#waitingBytes === 0 ? 1 : 0;
  }

  getBufferedAmount(): number {
    return this.#waitingBytes;
  }

  end(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
    this.#close();
  }

  close(): void {
    this.#webSocket.terminate();
    this.#close();
  }

  /**
   * Sends the next fragment, unless the previous one is still being sent. If all fragments were passed to Node.js at
   * once, it would join them and report only when all of them were sent.
   */
  #sendNext(): void {
    const fragment = this.#isSending ? undefined : this.#waiting.shift();
    if (fragment === undefined) return;
    this.#isSending = true;
    this.#webSocket.send(fragment.bytes, { binary: fragment.isBinary, fin: fragment.isLast }, (error) => {
      this.#isSending = false;
      if (error) return;
      this.#waitingBytes -= fragment.bytes.length;
      this.#sendNext();
      if (this.#isOpen) this.#behavior.drain(this);
    });
  }

  #message(message: RawData): void {
    this.#isAlive = true;
    if (this.#isOpen) this.#behavior.message(this, Uint8Array.from(message as Buffer).buffer);
  }

  #check(): void {
    if (!this.#isAlive) return this.close();
    this.#isAlive = false;
    this.#webSocket.ping();
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#checks);
    this.#waiting.length = 0;
    this.#behavior.close(this);
  }
}

function nothing(): void {}

/** Returns a connection object without function, for a connection that was closed before it was open. */
export function closedWebSocket<Data>(data: Data): WebSocketConnection<Data> {
  return {
    getUserData: () => data,
    send: () => 0,
    cork: nothing,
    getBufferedAmount: () => 0,
    end: nothing,
    close: nothing,
  };
}
