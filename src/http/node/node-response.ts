// A response of node:http with the interface of uWebSockets.js.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse, TextOrBytes } from '../server-interface.js';
import { addressBytes } from './address-bytes.js';
import { copyResponseBody, decodeLatin1 } from './text-conversion.js';

/** Bytes that are passed to Node.js at a time. Node.js holds a copy until the operating system has accepted them. */
const PIECE_BYTES = 64 * 1024;

/** Upgrades the connection of a response to a WebSocket. */
export interface WebSocketUpgrade {
  accept(data: object): void;
}

/** One response. Its head is not sent before the length of the body is known. */
export class NodeResponse implements HttpResponse {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #statusLine = '200 OK';
  readonly #headers: (readonly [name: string, value: string])[] = [];
  #writtenBytes = 0;
  #isBegun = false;
  #isOver = false;
  #aborted = (): void => undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    outgoing.once('close', () => this.#abort());
    // The error is ignored: if the client does not get a response, the `close` event reports that.
    outgoing.on('error', () => undefined);
  }

  writeStatus(status: TextOrBytes): HttpResponse {
    const [statusLine = '', ...lines] = decodeLatin1(status).split('\r\n');
    this.#statusLine = statusLine;
    for (const line of lines) this.#addLine(line);
    return this;
  }

  writeHeader(name: TextOrBytes, value: TextOrBytes): HttpResponse {
    const [first = '', ...lines] = decodeLatin1(value).split('\r\n');
    this.#headers.push([decodeLatin1(name), first]);
    for (const line of lines) this.#addLine(line);
    return this;
  }

  end(body: TextOrBytes = '', closeConnection = false): HttpResponse {
    const bytes = copyResponseBody(body);
    this.#begin(bytes.length, closeConnection);
    this.#finish(bytes);
    return this;
  }

  endWithoutBody(lengthBytes?: number, closeConnection = false): HttpResponse {
    this.#begin(lengthBytes ?? null, closeConnection);
    this.#finish(null);
    return this;
  }

  tryEnd(rest: Uint8Array, totalBytes: number): [ok: boolean, done: boolean] {
    if (!this.#isBegun) this.#begin(totalBytes, false);
    let at = 0;
    while (at < rest.length && !this.#outgoing.writableNeedDrain) {
      const piece = copyResponseBody(rest.subarray(at, at + PIECE_BYTES));
      this.#outgoing.write(piece);
      at += piece.length;
    }
    this.#writtenBytes += at;
    const isDone = this.#writtenBytes === totalBytes;
    if (isDone) this.#finish(null);
    return [at === rest.length, isDone];
  }

  getWriteOffset(): number {
    return this.#writtenBytes;
  }

  onWritable(handler: (offset: number) => boolean): HttpResponse {
    const write = (): void => {
      if (!this.#isOver) handler(this.#writtenBytes);
      if (this.#isOver) this.#outgoing.off('drain', write);
    };
    this.#outgoing.on('drain', write);
    return this;
  }

  onAborted(handler: () => void): HttpResponse {
    this.#aborted = handler;
    return this;
  }

  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): HttpResponse {
    const lengthBytes = Number(this.#incoming.headers['content-length'] ?? Infinity);
    let receivedBytes = 0;
    let isComplete = false;
    const take = (chunk: Uint8Array, isLast: boolean): void => {
      if (this.#isOver || isComplete) return;
      isComplete = isLast;
      handler(Uint8Array.from(chunk).buffer, isLast);
    };
    this.#incoming.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      take(chunk, receivedBytes === lengthBytes);
    });
    this.#incoming.once('end', () => take(new Uint8Array(0), true));
    return this;
  }

  /** Calls `callback`, see HttpResponse. node:http combines writes by itself. */
  cork(callback: () => void): HttpResponse {
    callback();
    return this;
  }

  close(): HttpResponse {
    this.#incoming.socket.destroy();
    this.#abort();
    return this;
  }

  getRemoteAddress(): ArrayBuffer {
    return addressBytes(this.#incoming.socket.remoteAddress);
  }

  /**
   * Does nothing, see HttpResponse. node:http answers pipelined requests in order, even for a client that closed its
   * sending side.
   */
  pause(): void {}

  /**
   * Closes the connection if the client has closed its sending side while the response is not ready. Reading is not
   * resumed, because `pause` does not stop it.
   */
  resume(): void {
    setImmediate(() => {
      if (!this.#isBegun && !this.#isOver && this.#incoming.socket.readableEnded) this.close();
    });
  }

  /** Upgrades the connection, see HttpResponse. The ws package reads the header fields of the handshake itself. */
  upgrade(data: object, _key: string, _protocol: string, _extensions: string, context: WebSocketUpgrade): void {
    this.#isOver = true;
    this.#outgoing.detachSocket(this.#incoming.socket);
    context.accept(data);
  }

  #addLine(line: string): void {
    const colon = line.indexOf(': ');
    this.#headers.push([line.slice(0, colon), line.slice(colon + 2)]);
  }

  #begin(lengthBytes: number | null, closeConnection: boolean): void {
    const outgoing = this.#outgoing;
    this.#isBegun = true;
    const space = this.#statusLine.indexOf(' ');
    outgoing.statusCode = Number(this.#statusLine.slice(0, space));
    outgoing.statusMessage = this.#statusLine.slice(space + 1);
    for (const [name, value] of this.#headers) outgoing.appendHeader(name, value);
    if (lengthBytes !== null) outgoing.setHeader('Content-Length', lengthBytes);
    if (closeConnection) outgoing.setHeader('Connection', 'close');
  }

  #finish(body: Buffer | null): void {
    this.#isOver = true;
    this.#outgoing.end(body ?? undefined);
  }

  #abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#aborted();
  }
}
