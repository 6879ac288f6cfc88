// The interface between the routes and the HTTP server: the part of uWebSockets.js's interface that the routes use.
// Types only; used on the main thread.
import type { HttpGuardCounts } from '../native/addon-types.js';
import type { GuardParsedRequest } from './guard-parsed-request.js';

/** Text in the forms that uWebSockets.js accepts. ArrayBuffers are fastest: strings are converted at every call. */
export type TextOrBytes = string | ArrayBuffer | Uint8Array;

/** A request, which is valid only until the route's handler returns. */
export interface HttpRequest {
  /** Returns the value of the first header with this name; `''` if there is none. */
  getHeader(lowerCaseName: TextOrBytes): string;
  /** Returns the path, without the query. */
  getUrl(): string;
  /** Calls `visit` with every header in order. Names are in lower case. */
  forEach(visit: (name: string, value: string) => void): void;
  /** With `true`, leaves the request to the next route that matches. */
  setYield(isYielded: boolean): HttpRequest;
}

/** A response, which is valid until it has ended or was aborted. */
export interface HttpResponse {
  /**
   * Writes the status line. Must be called before any header is written. The text may contain further header lines; see
   * encoded-heads.ts.
   */
  writeStatus(status: TextOrBytes): HttpResponse;
  /** Writes a header line. */
  writeHeader(name: TextOrBytes, value: TextOrBytes): HttpResponse;
  /** Sends the body with its length. The response must not be used afterwards. */
  end(body?: TextOrBytes, closeConnection?: boolean): HttpResponse;
  /**
   * Ends a response without a body. Without `lengthBytes`, no Content-Length is sent. `closeConnection` requires a
   * length.
   */
  endWithoutBody(lengthBytes?: number, closeConnection?: boolean): HttpResponse;
  /**
   * Writes as much of `rest` as the socket accepts; `totalBytes` is the length of the whole body. `ok`: all of `rest`
   * was accepted; `done`: the response is complete.
   */
  tryEnd(rest: Uint8Array, totalBytes: number): [ok: boolean, done: boolean];
  /** Returns the number of body bytes that were written so far. */
  getWriteOffset(): number;
  /**
   * Sets a handler that is called with the write offset when the socket accepts more bytes. The handler returns true if
   * it has written everything.
   */
  onWritable(handler: (offset: number) => boolean): HttpResponse;
  /** Sets a handler that is called once when the client has disconnected. It replaces an earlier handler. */
  onAborted(handler: () => void): HttpResponse;
  /**
   * Sets the handler that receives the body, in chunks. A chunk's memory must not be used after the handler returns.
   */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): HttpResponse;
  /** Combines everything that the callback writes into one packet. */
  cork(callback: () => void): HttpResponse;
  /** Closes the connection at once and calls the handler of `onAborted`. */
  close(): HttpResponse;
  /** Returns the client's address in 4 or 16 bytes; empty if the connection is reset. */
  getRemoteAddress(): ArrayBuffer;
  /** Stops reading: what the client sends stays in the operating system's buffer, even a FIN. */
  pause(): void;
  /**
   * Resumes reading. Must be called before the response is ended. Each call also restarts the idle time-out, so that
   * repeated calls keep a connection open.
   */
  resume(): void;
  /** Upgrades the connection to a WebSocket. `data` is what `getUserData` returns for it. */
  upgrade(data: object, key: string, protocol: string, extensions: string, context: object): void;
}

/** A WebSocket connection, which is valid from its `open` to its `close` event. */
export interface WebSocketConnection<Data> {
  /** Returns the data with which the connection was upgraded. */
  getUserData(): Data;
  /**
   * Sends a message. Returns 1 if it was sent, 0 if it is buffered until the client reads, 2 if it was dropped because
   * the buffer is full.
   */
  send(message: Uint8Array, isBinary: boolean): number;
  /**
   * Calls `work`, and combines everything that it sends into one packet. Can be called inside and outside of event
   * handlers.
   */
  cork(work: () => void): void;
  /** Returns the number of bytes that are buffered until the client reads. */
  getBufferedAmount(): number;
  /** Sends a close frame. The connection must not be used afterwards. */
  end(code: number, reason: string): void;
  /** Closes the connection at once. */
  close(): void;
}

/** Options and handlers of a WebSocket route, with times in seconds and sizes in bytes. */
export interface WebSocketBehavior<Data> {
  readonly maxPayloadLength: number;
  /** Maximum bytes that are buffered until the client reads; 0 for no limit. */
  readonly maxBackpressure: number;
  readonly idleTimeout: number;
  readonly upgrade: (response: HttpResponse, request: HttpRequest, context: object) => void;
  readonly open: (socket: WebSocketConnection<Data>) => void;
  readonly message: (socket: WebSocketConnection<Data>, message: ArrayBuffer) => void;
  readonly drain: (socket: WebSocketConnection<Data>) => void;
  readonly close: (socket: WebSocketConnection<Data>) => void;
}

/** The handler of a route. `request` is valid only until it returns. */
export type RouteHandler = (response: HttpResponse, request: HttpRequest) => void;

/** The application object of uWebSockets.js, to which routes are added by method and path. */
export interface HttpApp {
  get(path: string, handler: RouteHandler): HttpApp;
  post(path: string, handler: RouteHandler): HttpApp;
  options(path: string, handler: RouteHandler): HttpApp;
  head(path: string, handler: RouteHandler): HttpApp;
  any(path: string, handler: RouteHandler): HttpApp;
  ws<Data>(path: string, behavior: WebSocketBehavior<Data>): HttpApp;
  /** Closes every listening socket and connection at once. */
  close(): HttpApp;
  /** Listens on a TCP port. Calls back with a token of the listening socket, or with false if it cannot listen. */
  listen(host: string, port: number, options: number, callback: (token: object | false) => void): HttpApp;
  /** Listens on a Unix socket. Calls back like `listen`. */
  listen_unix(callback: (token: object | false) => void, path: string): HttpApp;
}

/** Counters of the HTTP guard, which runs in front of uWebSockets.js (src/native/http-guard). */
export type GuardCounts = Omit<HttpGuardCounts, 'readBytesMax'>;

/** An implementation of the HTTP server: uWebSockets.js or node:http. */
export interface HttpBackend {
  /** Returns the counters of the guard; zeros if there is no guard. */
  readonly counts: () => GuardCounts;
  /** What the guard knows of the request whose handler is running; `null` if there is no guard. */
  readonly served: GuardParsedRequest | null;
  /** Description of this server for the log at the start. */
  readonly text: string;
  /**
   * Creates an app that closes connections after `idleSMax` seconds without activity. uWebSockets.js ignores this
   * value: the HTTP guard closes idle connections after `LIMITS.connectionIdleSMax`.
   */
  createApp(idleSMax: number): HttpApp;
  portOf(token: object): number;
  /** Stops accepting connections. Open connections stay open. */
  closeListening(token: object): void;
}
