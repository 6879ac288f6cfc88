// Connections that the generator polls itself, all at once and with microsecond timeouts, through an addon: with an
// event loop a request takes up to twice the processor time, which the servers on the machine lack. Runs in the
// generator.
import { createRequire } from 'node:module';

interface Addon {
  /** Sets the output memory of `wait`: received bytes, and rows of socket, offset, length. */
  readonly use: (bytes: Uint8Array, rows: Int32Array) => number;
  /** Returns a socket, or a negative errno. */
  readonly open: (address: string, port: number) => number;
  readonly send: (socket: number, text: string) => void;
  /** Returns the number of rows, or a negative errno. */
  readonly wait: (us: number) => number;
  readonly close: (socket: number) => void;
}

/** Callbacks of a socket. */
export interface SocketEvents {
  /** `bytes` are reused after it returns. Throws if they are invalid, which closes the connection. */
  readonly taken: (bytes: Buffer) => void;
  /** The connection is lost; called once, and not after `close`. */
  readonly lost: () => void;
}

const READ_BYTES = 1024 * 1024;
const ROWS_MAX = 512;
const ROW_WORDS = 3;
const US_A_MS = 1000;

/** All polled sockets of this process. */
export class PolledSockets {
  readonly #addon: Addon;
  readonly #bytes = Buffer.alloc(READ_BYTES);
  readonly #rows = new Int32Array(ROWS_MAX * ROW_WORDS);
  readonly #events = new Map<number, SocketEvents>();

  private constructor(addon: Addon) {
    this.#addon = addon;
    addon.use(this.#bytes, this.#rows);
  }

  /** `null` if the addon is not built (`sockets/build.ts`) or the system is not Linux 5.11 or later. */
  static load(): PolledSockets | null {
    try {
      const addon = createRequire(import.meta.url)('./sockets/sockets.node') as Addon;
      const sockets = new PolledSockets(addon);
      return addon.wait(0) < 0 ? null : sockets;
    } catch {
      return null;
    }
  }

  /** Opens a connection to an IP address, and waits for that. Throws where there is none to be had. */
  open(address: string, port: number, events: SocketEvents): number {
    const socket = this.#addon.open(address, port);
    if (socket < 0) throw new Error(`${address}:${port} takes no connection (error ${-socket})`);
    this.#events.set(socket, events);
    return socket;
  }

  /** Characters are bytes. */
  send(socket: number, text: string): void {
    this.#addon.send(socket, text);
  }

  close(socket: number): void {
    if (this.#events.delete(socket)) this.#addon.close(socket);
  }

  /** Waits up to `ms` for received bytes and dispatches them. */
  wait(ms: number): void {
    const rows = this.#addon.wait(Math.ceil(ms * US_A_MS));
    for (let at = 0; at < rows * ROW_WORDS; at += ROW_WORDS)
      this.#take(this.#rows[at]!, this.#rows[at + 1]!, this.#rows[at + 2]!);
  }

  #take(socket: number, from: number, length: number): void {
    const events = this.#events.get(socket);
    if (events === undefined) return;
    if (length > 0 && taken(events, this.#bytes.subarray(from, from + length))) return;
    this.close(socket);
    events.lost();
  }
}

function taken({ taken: take }: SocketEvents, bytes: Buffer): boolean {
  try {
    take(bytes);
    return true;
  } catch {
    return false;
  }
}
