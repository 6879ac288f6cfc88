// A WebSocket that publishes a dev chain's increments as shreds, as a RISE node does for its subscribers.
import { WebSocketServer, type WebSocket } from 'ws';
import type { FeedSink } from '../../src/feed/feed.js';
import { SHREDS_FORMAT } from '../../src/feed/streams/shreds-decoder.js';
import { DevShreds, notification } from './dev-shreds.js';

const SUBSCRIPTION = '0x1';

export class ShredServer {
  readonly #server: WebSocketServer;
  readonly #subscribers = new Set<WebSocket>();
  /** Those of the current block. */
  #shreds = new DevShreds();

  /** Listens on the loopback interface. */
  constructor(port: number) {
    this.#server = new WebSocketServer({ host: '127.0.0.1', port });
    this.#server.on('connection', (socket) => {
      socket.on('error', () => socket.terminate());
      socket.on('message', (data) => this.#subscribe(socket, (data as Buffer).toString()));
      socket.on('close', () => this.#subscribers.delete(socket));
    });
  }

  /** A sink that forwards everything to `sink` and publishes it. */
  over(sink: FeedSink): FeedSink {
    return {
      publish: (diff, announcement) => {
        if (diff.coordinates.index === 0) this.#shreds = new DevShreds();
        const text = notification(SUBSCRIPTION, this.#shreds.shred(diff, announcement.transactions, sink.view()));
        sink.publish(diff, announcement);
        for (const socket of this.#subscribers) socket.send(text);
      },
      complete: (diff, block) => sink.complete(diff, block),
      goBack: (place) => sink.goBack(place),
      view: () => sink.view(),
      progress: (text, share) => sink.progress(text, share),
    };
  }

  close(): void {
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
  }

  #subscribe(socket: WebSocket, request: string): void {
    if (request !== SHREDS_FORMAT.greeting) return socket.terminate();
    const { id } = JSON.parse(request) as { readonly id: number };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: SUBSCRIPTION }));
    this.#subscribers.add(socket);
  }
}
