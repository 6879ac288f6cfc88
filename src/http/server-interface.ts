// The HTTP server as the front end uses it: the part of uWebSockets.js's interface that is needed. Types only; used on
// main.

/** Text in the forms that uWebSockets.js takes. ArrayBuffers are fastest: strings are converted at every call. */
export type WritableText = string | ArrayBuffer | Uint8Array;

/** A request, which is only valid within the route handler. */
export interface HttpRequest {
  /** The first header with this name; `''` if there is none. */
  getHeader(lowerCaseName: WritableText): string;
  /** The path, without the query. */
  getUrl(): string;
  /** Calls `visit` with every header in order, with names in lower case. */
  forEach(visit: (name: string, value: string) => void): void;
  /** Leaves the request to the next route that matches. */
  setYield(isYielded: boolean): HttpRequest;
}

/** A response, which is valid until it has ended or was aborted. */
export interface HttpResponse {
  /** Must be called before any header is written. The text may contain further header lines; see encoded-heads.ts. */
  writeStatus(status: WritableText): HttpResponse;
  /** Writes one more header line. */
  writeHeader(name: WritableText, value: WritableText): HttpResponse;
  /** Sends the body with its length. The response is not valid afterwards. */
  end(body?: WritableText, closeConnection?: boolean): HttpResponse;
  /** Without `lengthBytes`, no Content-Length is sent. Closing the connection requires a length. */
  endWithoutBody(lengthBytes?: number, closeConnection?: boolean): HttpResponse;
  /** Writes what the kernel accepts now. Returns whether there is no backlog, and whether the response is complete. */
  tryEnd(rest: Uint8Array, totalBytes: number): [ok: boolean, done: boolean];
  /** Bytes of the body that are written so far. */
  getWriteOffset(): number;
  /** Sets a handler, called with the write offset when the kernel accepts more; it returns whether all is written. */
  onWritable(handler: (offset: number) => boolean): HttpResponse;
  /** Sets a handler that is called once when the client has disconnected, in place of an earlier one. */
  onAborted(handler: () => void): HttpResponse;
  /** Sets the handler of body data. The chunk's memory is invalid when the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): HttpResponse;
  /** Combines what the callback writes into one packet. */
  cork(callback: () => void): HttpResponse;
  /** Closes the connection at once and calls the handler of `onAborted`. */
  close(): HttpResponse;
  /** The peer's address in 4 or 16 bytes; empty if the connection is reset. */
  getRemoteAddress(): ArrayBuffer;
  /** Stops reading: what the client sends stays in the kernel's buffer, even a FIN. */
  pause(): void;
  /** Resumes reading, before the response ends. Restarts the idle time-out, too: repeated, it keeps a connection. */
  resume(): void;
  /** Upgrades the connection to a WebSocket with this user data. */
  upgrade(data: object, key: string, protocol: string, extensions: string, context: object): void;
}

/** A WebSocket connection, which is valid from `open` to `close`. */
export interface WebSocketConnection<Data> {
  /** The data with which the connection was upgraded. */
  getUserData(): Data;
  /** Returns 1 if the message was sent, 0 if it is in the backlog, 2 if it was dropped because that is full. */
  send(message: Uint8Array, isBinary: boolean): number;
  /** Sends what `work` writes in one go, both within and outside of event handlers. */
  cork(work: () => void): void;
  /** Bytes in the backlog. */
  getBufferedAmount(): number;
  /** Sends a close frame. The connection is not valid afterwards. */
  end(code: number, reason: string): void;
  /** Closes the connection at once. */
  close(): void;
}

/** Options and handlers of a WebSocket route, with times in seconds and sizes in bytes. */
export interface WebSocketBehavior<Data> {
  readonly maxPayloadLength: number;
  /** Most bytes in the backlog; 0 for no limit. */
  readonly maxBackpressure: number;
  readonly idleTimeout: number;
  readonly upgrade: (response: HttpResponse, request: HttpRequest, context: object) => void;
  readonly open: (socket: WebSocketConnection<Data>) => void;
  readonly message: (socket: WebSocketConnection<Data>, message: ArrayBuffer) => void;
  readonly drain: (socket: WebSocketConnection<Data>) => void;
  readonly close: (socket: WebSocketConnection<Data>) => void;
}

/** Handler of a route. `request` is only valid until it returns. */
export type RouteHandler = (response: HttpResponse, request: HttpRequest) => void;

/** The application object: routes by method and path. */
export interface HttpApp {
  get(path: string, handler: RouteHandler): HttpApp;
  post(path: string, handler: RouteHandler): HttpApp;
  options(path: string, handler: RouteHandler): HttpApp;
  head(path: string, handler: RouteHandler): HttpApp;
  any(path: string, handler: RouteHandler): HttpApp;
  ws<Data>(path: string, behavior: WebSocketBehavior<Data>): HttpApp;
  /** Closes every listening socket and connection at once. */
  close(): HttpApp;
  /** Calls back with a token of the listening socket, or with false if it cannot listen. */
  listen(host: string, port: number, options: number, callback: (token: object | false) => void): HttpApp;
  /** Like `listen`, on a Unix socket. */
  listen_unix(callback: (token: object | false) => void, path: string): HttpApp;
}

/** Counts of the guard in front of uWebSockets.js; see HttpGuardCounts. */
interface GuardCounts {
  readonly fullTurns: number;
  readonly acceptPauses: number;
  readonly bufferBytes: number;
  readonly bufferRefusals: number;
}

/** An HTTP server on which the front end is built. */
export interface HttpBackend {
  /** Counters of the guard, if there is one. */
  readonly counts: () => GuardCounts;
  /**
   * An array with one element: the client's number while a request is in its handler. It is the same for addresses that
   * `clientNameOf` maps to one client. `null` if clients are only known by address.
   */
  readonly servedClient: Uint32Array | null;
  /** A description for the log at start. */
  readonly text: string;
  /** Creates an app that closes connections idle for `idleSMax`; with the guard, for `connectionIdleSMax`. */
  createApp(idleSMax: number): HttpApp;
  portOf(token: object): number;
  /** Stops accepting connections. Open ones stay. */
  closeListening(token: object): void;
}
