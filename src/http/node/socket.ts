// A WebSocket connection of the package ws, in the form of uWebSockets.js's.
import type { RawData, WebSocket } from 'ws';
import type { Socket, SocketBehavior } from '../app.js';

/** A message larger than this goes out in fragments, so that a slow reader's progress is seen. */
const FRAGMENT_BYTES = 64 * 1024;

/** A part of a message that waits to be taken. */
interface Fragment {
  readonly bytes: Uint8Array;
  readonly isBinary: boolean;
  readonly isLast: boolean;
}

/** Bounds what waits to be sent, and ends idle connections, as uWebSockets.js does by itself. */
export class NodeSocket<Data> implements Socket<Data> {
  readonly #webSocket: WebSocket;
  readonly #behavior: SocketBehavior<Data>;
  readonly #data: Data;
  readonly #waiting: Fragment[] = [];
  readonly #checks: NodeJS.Timeout;
  #waitingBytes = 0;
  #isSending = false;
  #isOpen = true;
  /** Something came since the last look. */
  #isAlive = true;

  constructor(webSocket: WebSocket, behavior: SocketBehavior<Data>, data: Data) {
    this.#webSocket = webSocket;
    this.#behavior = behavior;
    this.#data = data;
    // Half of the idle time, so that a ping has the other half to be answered.
    this.#checks = setInterval(() => this.#check(), behavior.idleTimeout * 500).unref();
    for (const sign of ['ping', 'pong'] as const) webSocket.on(sign, () => (this.#isAlive = true));
    webSocket.on('message', (message) => this.#message(message));
    webSocket.on('close', () => this.#close());
    // A frame or message that is not allowed: the client may be one that never answers a closing handshake.
    webSocket.on('error', () => this.close());
  }

  /** See Socket. */
  getUserData(): Data {
    return this.#data;
  }

  /** Nothing is to be gained: each message is handed over by itself. */
  cork(work: () => void): void {
    work();
  }

  /** 1 where all went, 0 where something waits. */
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

  /** See Socket. */
  getBufferedAmount(): number {
    return this.#waitingBytes;
  }

  /** See Socket. */
  end(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
    this.#close();
  }

  /** See Socket. */
  close(): void {
    this.#webSocket.terminate();
    this.#close();
  }

  /** One fragment at a time: Node.js would join what it is given while another waits, and tell of it as one. */
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

/** A connection that came to an end before it was open. */
export function closedSocket<Data>(data: Data): Socket<Data> {
  return {
    getUserData: () => data,
    send: () => 0,
    cork: nothing,
    getBufferedAmount: () => 0,
    end: nothing,
    close: nothing,
  };
}
