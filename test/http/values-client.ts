// A client of the Unix socket that speaks bare JSON, for tests that choose every byte.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { until } from '../support/patience.js';

/** A client that stores what it sent and received, line by line. */
export class ValuesClient {
  readonly socket: Socket;
  isEnded = false;
  #received = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (this.#received += text));
    for (const event of ['error', 'end', 'close']) socket.on(event, () => (this.isEnded = true));
  }

  static open(path: string): Promise<ValuesClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ path, allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new ValuesClient(socket)));
    });
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The first `count` lines, once they have arrived, or fewer if the connection has ended. */
  async lines(count: number): Promise<readonly string[]> {
    await until(() => this.#all().length >= count || this.isEnded);
    return this.#all();
  }

  /** Everything received until the connection ends. */
  async ended(): Promise<string> {
    await until(() => this.isEnded);
    return this.#received;
  }

  close(): void {
    this.socket.destroy();
  }

  #all(): string[] {
    return this.#received.split('\n').slice(0, -1);
  }
}
