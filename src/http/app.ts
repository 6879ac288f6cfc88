// An HTTP server as the front end uses it: uWebSockets.js's own interface, as far as it is used. Types; runs on main.

/**
 * Text in the forms that uWebSockets.js accepts. ArrayBuffers are the cheapest: strings are transcoded on every call.
 */
export type Text = string | ArrayBuffer | Uint8Array;

/** A request; valid only inside the route handler. */
export interface HttpRequest {
  /** The first header of that name, `''` where absent. */
  getHeader(lowerCaseName: Text): string;
  /** The path, without the query. */
  getUrl(): string;
  /** Calls with every header, names in lower case, in their order. */
  forEach(visit: (name: string, value: string) => void): void;
  /** Leaves the request to the next route that matches. */
  setYield(isYielded: boolean): HttpRequest;
}

/** A response; valid until it ended or was aborted. */
export interface HttpResponse {
  /** Must come before any header. The text may contain further header lines, see head.ts. */
  writeStatus(status: Text): HttpResponse;
  /** One more header line. */
  writeHeader(name: Text, value: Text): HttpResponse;
  /** Sends the body with its length; the response is not valid afterwards. */
  end(body?: Text, closeConnection?: boolean): HttpResponse;
  /** Without `lengthBytes` no Content-Length is sent. To close the connection as well, a length must be given. */
  endWithoutBody(lengthBytes?: number, closeConnection?: boolean): HttpResponse;
  /**
   * Writes what the kernel accepts now. Returns whether everything was written without backlog and whether the response
   * is complete.
   */
  tryEnd(rest: Uint8Array, totalBytes: number): [ok: boolean, done: boolean];
  /** Bytes of the body written so far. */
  getWriteOffset(): number;
  /** Called with the write offset when the kernel accepts more; the handler returns whether everything was written. */
  onWritable(handler: (offset: number) => boolean): HttpResponse;
  /** Called once, when the client has left; replaces an earlier handler. */
  onAborted(handler: () => void): HttpResponse;
  /** The chunk's memory is invalid once the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): HttpResponse;
  /** Writes made in the callback leave in one packet. */
  cork(callback: () => void): HttpResponse;
  /** Closes the connection at once; `onAborted`'s handler is called. */
  close(): HttpResponse;
  /** The peer's address in 4 or 16 bytes; empty once the connection is reset. */
  getRemoteAddress(): ArrayBuffer;
  /** Stops reading: what the client sends, FIN included, stays in the kernel's buffer. */
  pause(): void;
  /**
   * Resumes reading; must come before the response ends. Also restarts the idle timeout, so call it again to keep a
   * waiting connection open.
   */
  resume(): void;
  /** Upgrades the connection to a WebSocket with these user data. */
  upgrade(data: object, key: string, protocol: string, extensions: string, context: object): void;
}

/** A WebSocket connection; valid from `open` to `close`. */
export interface Socket<Data> {
  /** The data that the connection was upgraded with. */
  getUserData(): Data;
  /** 1: sent; 0: buffered in the backlog; 2: dropped, because the backlog is full. */
  send(message: Uint8Array, isBinary: boolean): number;
  /** Flushes what `work` sends at once, both inside and outside of event handlers. */
  cork(work: () => void): void;
  /** Bytes in the backlog. */
  getBufferedAmount(): number;
  /** Sends a close frame; the connection is invalid afterwards. */
  end(code: number, reason: string): void;
  /** Closes the connection at once. */
  close(): void;
}

/** Options and handlers of a WebSocket route; times in seconds, sizes in bytes. */
export interface SocketBehavior<Data> {
  readonly maxPayloadLength: number;
  /** 0: unlimited. */
  readonly maxBackpressure: number;
  readonly idleTimeout: number;
  readonly upgrade: (response: HttpResponse, request: HttpRequest, context: object) => void;
  readonly open: (socket: Socket<Data>) => void;
  readonly message: (socket: Socket<Data>, message: ArrayBuffer) => void;
  readonly drain: (socket: Socket<Data>) => void;
  readonly close: (socket: Socket<Data>) => void;
}

/** Handler of a route; `request` is valid only until it returns. */
export type Handler = (response: HttpResponse, request: HttpRequest) => void;

/** The application object: routes by method and path. */
export interface App {
  get(path: string, handler: Handler): App;
  post(path: string, handler: Handler): App;
  options(path: string, handler: Handler): App;
  head(path: string, handler: Handler): App;
  any(path: string, handler: Handler): App;
  ws<Data>(path: string, behavior: SocketBehavior<Data>): App;
  /** Closes every listening socket and connection at once. */
  close(): App;
  /** Calls back with a token of the listening socket, or with false if it cannot listen. */
  listen(host: string, port: number, options: number, callback: (token: object | false) => void): App;
  /** Like `listen`, on a Unix socket. */
  listen_unix(callback: (token: object | false) => void, path: string): App;
}

/** Counts of the guard in front of uWebSockets.js; see HttpGuardCounts. */
export interface GuardCounts {
  readonly fullTurns: number;
  readonly acceptPauses: number;
  readonly bufferBytes: number;
  readonly bufferRefusals: number;
}

/** An HTTP server to build the front end on. */
export interface Backend {
  /** Counts of the guard, where there is one. */
  readonly counts: () => GuardCounts;
  /**
   * One element: the client number while a request is in its handler, the same for addresses that `clientOf` maps to
   * one client; `null`: clients are known by their addresses alone.
   */
  readonly servedClient: Uint32Array | null;
  /** A description for the log at start. */
  readonly text: string;
  /**
   * Creates an app that closes connections without traffic for `idleSMax` seconds. With uWebSockets.js the guard
   * applies
   * `connectionIdleSMax` instead.
   */
  createApp(idleSMax: number): App;
  /** The port of a listening socket. */
  portOf(token: object): number;
  /** Stops accepting connections; open ones stay. */
  closeListening(token: object): void;
}
