// A WebSocket client that subscribes to a running program and stores the messages it receives.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from '../support/patience.js';
import type { RpcAnswer, Server } from '../support/server.js';

export type Json = Readonly<Record<string, unknown>>;

/** A client that subscribes and then only receives. */
export class Listener {
  readonly #socket: WebSocket;
  readonly #reported = new Map<string, Json[]>();
  readonly #answers = new Map<number, RpcAnswer>();
  #id = 0;
  closed: readonly [code: number, reason: string] | null = null;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(data.toString()));
    socket.on('close', (code, reason) => (this.closed = [code, reason.toString()]));
  }

  /** `origin` is sent as the page's origin; `undefined`: not a page. */
  static async open({ url }: Server, origin?: string): Promise<Listener> {
    const socket = new WebSocket(url.replace('http', 'ws'), { origin });
    await once(socket, 'open');
    return new Listener(socket);
  }

  async query(method: string, ...params: unknown[]): Promise<RpcAnswer> {
    const id = (this.#id += 1);
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return eventually(() => {
      const answer = this.#answers.get(id);
      if (answer === undefined && this.closed !== null)
        throw new Error(`the connection was closed: ${this.closed.join(' ')}`);
      return Promise.resolve(answer);
    });
  }

  async subscribe(...params: unknown[]): Promise<string> {
    const { result, error } = await this.query('eth_subscribe', ...params);
    assert.ok(typeof result === 'string', JSON.stringify(error));
    return result;
  }

  reported(id: string): readonly Json[] {
    return this.#reported.get(id) ?? [];
  }

  /** Waits until this many messages have arrived. */
  async until(id: string, count: number): Promise<readonly Json[]> {
    return eventually(() => Promise.resolve(this.reported(id).length >= count ? this.reported(id) : undefined));
  }

  close(): void {
    this.#socket.terminate();
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as RpcAnswer & { params?: { subscription: string; result: Json } };
    if (message.params === undefined) {
      this.#answers.set(message.id as number, message);
      return;
    }
    const { subscription, result } = message.params;
    this.#reported.set(subscription, [...this.reported(subscription), result]);
  }
}
