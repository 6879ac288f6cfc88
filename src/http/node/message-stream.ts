// A connection of node:http, of which the parser is given one message at a time: the portable form of
// http-guard/guard.h. Runs on main.
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Turns } from '../../clients/turns.js';
import { LIMITS } from '../../limits/index.js';
import { Lines } from './lines.js';
import { Messages } from './messages.js';

/** Bytes that wait here before no more are read. */
const WAITING_BYTES_MAX = 32 * 1024;

/** The connections on which something has come; clients in turn, all within a budget of time in a turn of the event loop. */
class Arrivals {
  readonly #waiting = new Turns<() => void>();
  #isDue = false;

  add(client: string, hear: () => void): void {
    this.#waiting.add(client, hear);
    if (!this.#isDue) this.#schedule();
  }

  #turn(): void {
    const endMs = performance.now() + LIMITS.turnMsMax;
    this.#isDue = false;
    for (const client of this.#waiting.clients) {
      this.#waiting.take(client)();
      if (performance.now() > endMs) break;
    }
    if (!this.#isDue && this.#waiting.size > 0) this.#schedule();
  }

  #schedule(): void {
    this.#isDue = true;
    setImmediate(() => this.#turn());
  }
}

const arrivals = new Arrivals();

/** One connection. Whatever node:http and ws ask of a socket beyond a stream is handed on. */
export class MessageStream extends Duplex {
  readonly #socket: Socket;
  readonly #messages: Messages;
  readonly #lines: Lines;
  #rest: Buffer = Buffer.alloc(0);
  #isWanted = false;
  #isWaiting = false;
  /** The rest is the beginning of a message. */
  #needsMore = true;
  #hasEnded = false;
  /** The message at hand has been handed over, its answer sent. */
  #isWhole = true;
  #isAnswered = true;
  #isUpgraded = false;

  /** `isLocal`: on a Unix socket, where bare JSON is spoken, too. */
  constructor(socket: Socket, isLocal: boolean) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    this.#messages = new Messages(isLocal);
    this.#lines = new Lines({ pinged: () => this.#pinged(), closed: () => this.#closed() });
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#wait();
    });
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', () => this.destroy());
    socket.on('close', () => this.destroy());
  }

  /** The other end, as net.Socket has it. */
  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  /** See net.Socket. */
  setTimeout(ms: number, listener?: () => void): this {
    this.#socket.setTimeout(ms);
    if (listener !== undefined) this.once('timeout', listener);
    return this;
  }

  /** See net.Socket. */
  setNoDelay(isOn: boolean): this {
    this.#socket.setNoDelay(isOn);
    return this;
  }

  /** See net.Socket: it ends, and is destroyed once all is written. */
  destroySoon(): void {
    if (this.writableFinished) return void this.destroy();
    this.once('finish', () => this.destroy());
    if (!this.writableEnded) this.end();
  }

  /** The answer to the message at hand is sent: the next one may come. */
  answered(): void {
    this.#isAnswered = true;
    this.#wait();
  }

  /** While an answer is being made nothing is read; here the end of the connection is looked for. */
  look(): void {
    if (this.#hasEnded) this.push(null);
  }

  /** The rest of the connection is WebSocket frames. */
  upgrade(): void {
    this.#isUpgraded = true;
    this.#messages.upgrade();
    this.#wait();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#wait();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(bytes, done);
  }

  override _writev(pieces: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#send(Buffer.concat(pieces.map(({ chunk }) => chunk)), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #send(bytes: Buffer, done: (error?: Error | null) => void): void {
    this.#socket.write(this.#messages.isBare ? Buffer.concat(this.#lines.take(bytes)) : bytes, done);
  }

  #pinged(): void {
    this.#messages.pinged();
    this.#needsMore = false;
    this.#wait();
  }

  /** Nothing more is heard: the connection is at its end. */
  #closed(): void {
    this.#messages.end();
    this.#rest = Buffer.alloc(0);
    this.#needsMore = true;
    this.#hasEnded = true;
    this.#wait();
  }

  #take(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#needsMore = false;
    if (this.#rest.length >= WAITING_BYTES_MAX) this.#socket.pause();
    this.#wait();
  }

  /** Waits for the next turn, where there is something to say in it. */
  #wait(): void {
    const isFree = this.#isUpgraded || !this.#isWhole || this.#isAnswered;
    const hasMore = !this.#needsMore || this.#hasEnded;
    if (this.#isWaiting || this.destroyed || !this.#isWanted || !isFree || !hasMore) return;
    this.#isWaiting = true;
    arrivals.add(this.#socket.remoteAddress ?? '', () => this.#hear());
  }

  #hear(): void {
    this.#isWaiting = false;
    if (this.destroyed) return;
    if (this.#needsMore) return this.#end();
    const { taken, made, isWhole } = this.#messages.step(this.#rest);
    this.#rest = this.#rest.subarray(taken);
    this.#needsMore = made.length === 0 || this.#rest.length === 0;
    if (this.#rest.length < WAITING_BYTES_MAX) this.#socket.resume();
    if (made.length > 0) this.#hand(Buffer.concat(made), isWhole);
    this.#wait();
  }

  #end(): void {
    if (!this.#hasEnded) return;
    const last = this.#messages.end();
    this.#hasEnded = last === null;
    if (last === null) this.push(null);
    else this.#hand(last, true);
  }

  #hand(bytes: Buffer, isWhole: boolean): void {
    if (this.#isWhole) this.#isAnswered = false;
    this.#isWhole = isWhole;
    this.#isWanted = false;
    this.push(bytes);
  }
}
