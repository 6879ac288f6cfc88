// The dev chain's own WebSocket: sends its increments to its followers, as a Flashblocks server does.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { WebSocketServer, type WebSocket } from 'ws';
import { LIMITS } from '../../limits/index.js';
import { StartError } from '../../lib/start-error.js';
import type { StateDiff } from '../../state/diff.js';
import { DevFrames } from './flashblock-message.js';
import type { Announcement, Feed, FeedSink } from '../feed.js';
import { DEV_EXTRA_DATA } from './chain.js';

/** Options that the dev chain's feed is started with. */
export interface DevFeedOptions {
  /** 0: any free port. */
  readonly port: number;
  /** As text or as binary messages with brotli. */
  readonly encoding: 'text' | 'brotli';
  /** Of the headers of the chain's blocks. */
  readonly extraData: Uint8Array;
}

const HOST = '127.0.0.1';
/** Followers send nothing. */
const RECEIVED_BYTES_MAX = 1024;
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;
/** At 5 the time is a tenth of the default's (1 ms for 30 kB) and the result 5 % larger. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Listens on the loopback interface. Rejects with StartError if the port is not available. */
export async function listenDevFeed(options: DevFeedOptions): Promise<DevFeed> {
  const server = new WebSocketServer({
    host: HOST,
    port: options.port,
    perMessageDeflate: false,
    maxPayload: RECEIVED_BYTES_MAX,
  });
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`the dev chain's feed cannot listen on port ${options.port}: ${reason}`, 1);
  }
  return new DevFeed(options, server);
}

/** The dev chain `feed` with a WebSocket at `port` (0: any free port), where others follow its increments. */
export async function withFollowers(feed: Feed, port: number): Promise<Feed> {
  const server = await listenDevFeed({ port, encoding: 'brotli', extraData: DEV_EXTRA_DATA });
  return {
    chain: feed.chain,
    devFeedPort: server.port,
    submit: (raw) => feed.submit!(raw),
    ...(feed.snapshots === undefined ? {} : { snapshots: feed.snapshots }),
    waiting: (hash) => feed.waiting!(hash),
    waitingAt: (from, nonce) => feed.waitingAt!(from, nonce),
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

/** Sits between the dev chain and its sink: announces to the followers what has been published. */
export class DevFeed {
  readonly #options: DevFeedOptions;
  readonly #server: WebSocketServer;
  /** Of the current block. */
  #frames: DevFrames | null = null;
  #dropped = 0;

  constructor(options: DevFeedOptions, server: WebSocketServer) {
    this.#options = options;
    this.#server = server;
    server.on('connection', (socket) => this.#join(socket));
  }

  /** The port that it listens on. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Followers that are connected, and those that were dropped because they read too slowly. */
  get counters(): { readonly followers: number; readonly dropped: number } {
    return { followers: this.#server.clients.size, dropped: this.#dropped };
  }

  /** A sink for the dev chain that passes everything on to `sink` first and then notifies the followers. */
  over(sink: FeedSink): FeedSink {
    return {
      publish: (diff, announcement) => {
        const announce = this.#announcer(diff, announcement);
        sink.publish(diff, announcement);
        announce?.();
      },
      // The protocol has no end marker: a follower learns of a complete block from the chain's RPC.
      complete: (diff, block) => sink.complete(diff, block),
      // Nor has it a message for a reverted block: the next one starts at its number.
      goBack: (position) => sink.goBack(position),
      view: () => sink.view(),
      progress: (text, share) => sink.progress(text, share),
    };
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    for (const socket of this.#server.clients) socket.close(GOING_AWAY, 'the chain has stopped');
    const closed = promisify((done: (error?: Error) => void) => this.#server.close(done))();
    // Those that do not respond to the close.
    for (const socket of this.#server.clients) setImmediate(() => socket.terminate());
    await closed;
  }

  /** A follower that joins in the middle of a block receives the rest of it and can start with the next one. */
  #join(socket: WebSocket): void {
    // `close` reports that it ended; an error without a listener would end the thread.
    socket.on('error', () => socket.terminate());
    if (this.#server.clients.size > LIMITS.devFeedClientsMax) socket.close(TRY_AGAIN_LATER, 'too many followers');
  }

  /** Sends an increment to the followers once it is published; `null`: there are no followers. */
  #announcer(diff: StateDiff, { transactions, gasUsed }: Announcement): (() => void) | null {
    const isNew = diff.coordinates.index === 0 || this.#frames === null;
    const frames = (this.#frames = isNew ? new DevFrames(this.#options.extraData) : this.#frames!);
    // Without followers nothing is encoded; the next message includes what was skipped.
    if (this.#server.clients.size === 0) {
      frames.add(transactions);
      return null;
    }
    const text = frames.message(diff, transactions, gasUsed);
    if (this.#options.encoding === 'text') return () => this.#send(Buffer.from(text), false);
    return () => this.#send(brotliCompressSync(text, BROTLI), true);
  }

  #send(message: Uint8Array, binary: boolean): void {
    for (const socket of this.#server.clients) this.#sendTo(socket, message, binary);
  }

  #sendTo(socket: WebSocket, message: Uint8Array, binary: boolean): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount + message.length > LIMITS.devFeedBacklogBytesMax) {
      this.#dropped++;
      socket.terminate();
    } else socket.send(message, { binary });
  }
}
