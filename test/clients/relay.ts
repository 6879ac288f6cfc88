// A relay between a client and the program that records the methods answered with "method not found".
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket, WebSocketServer } from 'ws';
import { Server, type RpcAnswer } from '../support/server.js';

interface Question {
  readonly id: unknown;
  readonly method: string;
}

const METHOD_NOT_FOUND = -32601;

/** Forwards from addresses of its own to a program, which it starts and stops. */
export class Relay {
  readonly server: Server;
  readonly url: string;
  readonly socketUrl: string;
  /** Calls of each body or message, in order of arrival. */
  readonly batches: number[] = [];
  readonly #unknown = new Set<string>();
  readonly #http: HttpServer;
  readonly #sockets: WebSocketServer;

  private constructor(server: Server, http: HttpServer, sockets: WebSocketServer) {
    this.server = server;
    this.#http = http;
    this.#sockets = sockets;
    const { port } = http.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    this.socketUrl = `ws://127.0.0.1:${port}`;
  }

  /** A relay to a dev chain without traffic. */
  static async start(): Promise<Relay> {
    const server = await Server.start('--dev-traffic', '0');
    const http = createServer((request, response) => void relay.#post(request, response));
    const sockets = new WebSocketServer({ server: http });
    sockets.on('connection', (client) => relay.#connect(client, new WebSocket(server.url.replace('http', 'ws'))));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const relay = new Relay(server, http, sockets);
    return relay;
  }

  /** Methods answered with -32601, in alphabetical order. */
  get unknown(): string[] {
    return [...this.#unknown].sort();
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, 'close');
    await this.server.stop();
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const answer = await this.server.post(body);
    this.#note(this.#read(body), answer.text);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
  }

  /** Connects both sides: what the client sends before the program is connected is buffered. */
  #connect(client: WebSocket, program: WebSocket): void {
    const requested: Question[] = [];
    client.pause();
    program.on('open', () => client.resume());
    client.on('message', (data: Buffer) => {
      requested.push(...this.#read(data.toString()));
      program.send(data.toString());
    });
    program.on('message', (data: Buffer) => {
      this.#note(requested, data.toString());
      client.send(data.toString());
    });
    client.on('close', () => program.close());
    program.on('close', () => client.close());
  }

  #read(body: string): Question[] {
    const questions = [JSON.parse(body) as Question | Question[]].flat();
    this.batches.push(questions.length);
    return questions;
  }

  #note(questions: readonly Question[], answer: string): void {
    for (const { id, error } of [JSON.parse(answer) as RpcAnswer | RpcAnswer[]].flat()) {
      if (error?.code !== METHOD_NOT_FOUND) continue;
      this.#unknown.add(questions.findLast((question) => question.id === id)?.method ?? 'a notification');
    }
  }
}
