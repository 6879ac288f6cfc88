// The dev chain's own WebSocket server. It sends the chain's increments to followers as a Flashblocks server would.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { WebSocketServer, type WebSocket } from 'ws';
import { LIMITS } from '../../limits/index.js';
import { StartError } from '../../lib/start-error.js';
import type { StateDiff } from '../../state/state-diff.js';
import { FlashblockEncoder } from './flashblock-encoder.js';
import type { VersionAnnouncement, Feed, FeedSink } from '../feed.js';
import { DEV_EXTRA_DATA } from './dev-chain.js';
import { errorMessage } from '../../lib/error-message.js';

const HOST = '127.0.0.1';
/** Longest message accepted from a follower. Followers have no reason to send anything. */
const RECEIVED_BYTES_MAX = 1024;
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;
/** Brotli quality 5 takes a tenth of the default quality's time (1 ms for 30 kB), and the result is 5 % larger. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * Starts the server on the loopback interface; with port 0 on any free port. Rejects with StartError if the port is not
 * available.
 */
export async function listenDevFeedServer(port: number): Promise<DevFeedServer> {
  const server = new WebSocketServer({ host: HOST, port, perMessageDeflate: false, maxPayload: RECEIVED_BYTES_MAX });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(`the dev chain's feed cannot listen on port ${port}: ${errorMessage(error)}`, 1);
  }
  return new DevFeedServer(server);
}

/**
 * Wraps the dev chain `feed` with a WebSocket server at `port` (0 for any free port), where followers receive the
 * chain's increments.
 */
export async function serveFeed(feed: Feed, port: number): Promise<Feed> {
  const server = await listenDevFeedServer(port);
  return {
    chain: feed.chain,
    devFeedPort: server.port,
    submit: (raw) => feed.submit!(raw),
    ...(feed.snapshots === undefined ? {} : { snapshots: feed.snapshots }),
    waiting: (named) => feed.waiting!(named),
    async run(sink, head) {
      sink.progress(`the dev chain's feed is at ws://127.0.0.1:${server.port}`);
      await feed.run(server.over(sink), head);
    },
    async stop() {
      await feed.stop();
      await server.close();
    },
  };
}

/** Passes everything from the dev chain on to its sink, and sends each published increment to the followers. */
export class DevFeedServer {
  readonly #server: WebSocketServer;
  /** Encodes the messages of the current block; `null` before the first increment. */
  #frames: FlashblockEncoder | null = null;
  #dropped = 0;

  constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket) => this.#join(socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The number of followers connected now, and of those that were disconnected because they read too slowly. */
  get counters(): { readonly followers: number; readonly dropped: number } {
    return { followers: this.#server.clients.size, dropped: this.#dropped };
  }

  /** Returns a sink for the dev chain that passes everything on to `sink`, and then sends it to the followers. */
  over(sink: FeedSink): FeedSink {
    return {
      publish: (diff, announcement) => {
        const announce = this.#announcer(diff, announcement);
        sink.publish(diff, announcement);
        announce?.();
      },
      // The Flashblocks protocol has no message for the end of a block: a follower learns of it from the chain's RPC.
      complete: (diff, block) => sink.complete(diff, block),
      // The protocol has no message for a reverted block: the next block simply starts at its number.
      goBack: (position) => sink.goBack(position),
      view: () => sink.view(),
      progress: (text, share) => sink.progress(text, share),
    };
  }

  /** Closes all connections and the server. */
  async close(): Promise<void> {
    for (const socket of this.#server.clients) socket.close(GOING_AWAY, 'the chain has stopped');
    const closed = promisify((done: (error?: Error) => void) => this.#server.close(done))();
    // A follower may never answer the close frame. In the next tick, all sockets that are still open are terminated.
    for (const socket of this.#server.clients) setImmediate(() => socket.terminate());
    await closed;
  }

  /**
   * Adds a follower. A follower that joins in the middle of a block receives the remaining increments of that block,
   * but can only follow the chain from the next block on.
   */
  #join(socket: WebSocket): void {
    // Without a listener for `error`, a socket's error would end the thread. The server itself removes the socket when
    // it closes.
    socket.on('error', () => socket.terminate());
    if (this.#server.clients.size > LIMITS.devFeedClientsMax) socket.close(TRY_AGAIN_LATER, 'too many followers');
  }

  /**
   * Returns the function that sends an increment to the followers once it is published; `null` if there are no
   * followers.
   */
  #announcer(diff: StateDiff, { transactions, gasUsed }: VersionAnnouncement): (() => void) | null {
    const isNew = diff.coordinates.index === 0 || this.#frames === null;
    const frames = (this.#frames = isNew ? new FlashblockEncoder(DEV_EXTRA_DATA) : this.#frames!);
    // Without followers nothing is encoded. The next message's totals include the transactions that were skipped.
    if (this.#server.clients.size === 0) {
      frames.add(transactions);
      return null;
    }
    const text = frames.message(diff, transactions, gasUsed);
    return () => this.#send(brotliCompressSync(text, BROTLI));
  }

  #send(message: Uint8Array): void {
    for (const socket of this.#server.clients) this.#sendTo(socket, message);
  }

  #sendTo(socket: WebSocket, message: Uint8Array): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount + message.length > LIMITS.devFeedBacklogBytesMax) {
      this.#dropped++;
      socket.terminate();
    } else socket.send(message);
  }
}
