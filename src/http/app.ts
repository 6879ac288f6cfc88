// An HTTP server as the front end uses it: uWebSockets.js's own interface, as far as it is used. Types; runs on main.

/** Text as uWebSockets.js takes it. ArrayBuffers are the cheapest: strings are transcoded on every call. */
export type Text = string | ArrayBuffer | Uint8Array;

/** A request; valid only inside the route handler. */
export interface Request {
  /** The first header of that name, `''` where absent. */
  getHeader(lowerCaseName: Text): string;
  /** The path, without the query. */
  getUrl(): string;
  /** Calls with every header, names in lower case, in their order. */
  forEach(visit: (name: string, value: string) => void): void;
  /** Leaves the request to the next route that matches. */
  setYield(isYielded: boolean): Request;
}

/** A response; valid until it ended or was aborted. */
export interface Response {
  /** Must come before any header. Further header lines may ride behind the status, see head.ts. */
  writeStatus(status: Text): Response;
  /** One more header line. */
  writeHeader(name: Text, value: Text): Response;
  /** Sends the body with its length; the response is not valid afterwards. */
  end(body?: Text, closeConnection?: boolean): Response;
  /** Without `lengthBytes` no length is told. To close the connection as well, a length must be given. */
  endWithoutBody(lengthBytes?: number, closeConnection?: boolean): Response;
  /** Hands over what the kernel takes now; answers whether all went without backlog and whether the response is complete. */
  tryEnd(rest: Uint8Array, totalBytes: number): [ok: boolean, done: boolean];
  /** Bytes of the body written so far. */
  getWriteOffset(): number;
  /** Called with the bytes written when the kernel takes more; answers whether all went. */
  onWritable(handler: (offset: number) => boolean): Response;
  /** Called once, when the client has left; takes the place of an earlier handler. */
  onAborted(handler: () => void): Response;
  /** The chunk's memory is taken away when the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): Response;
  /** Writes of the callback leave in one packet. */
  cork(callback: () => void): Response;
  /** Closes the connection at once; `onAborted`'s handler is called. */
  close(): Response;
  /** The connection's other end in 4 or 16 bytes; none once it is reset. */
  getRemoteAddress(): ArrayBuffer;
  /** Leaves in the kernel what the client sends, its end included. */
  pause(): void;
  /** Undoes `pause`; must come before the response ends. The connection is closed as idle later, unless it is answered or this called again. */
  resume(): void;
  /** Makes the connection a WebSocket with these user data. */
  upgrade(data: object, key: string, protocol: string, extensions: string, context: object): void;
}

/** A WebSocket connection; valid from `open` to `close`. */
export interface Socket<Data> {
  /** The data that the connection was upgraded with. */
  getUserData(): Data;
  /** 1: sent; 0: it waits in the backlog; 2: dropped, as the backlog is full. */
  send(message: Uint8Array, isBinary: boolean): number;
  /** Hands what `work` sends to the system at once, outside of events as in them. */
  cork(work: () => void): void;
  /** Bytes that wait to be taken. */
  getBufferedAmount(): number;
  /** Says goodbye; the connection is not valid afterwards. */
  end(code: number, reason: string): void;
  /** Closes the connection at once. */
  close(): void;
}

/** Behaviour of a WebSocket route; times in seconds, sizes in bytes. */
export interface SocketBehavior<Data> {
  readonly maxPayloadLength: number;
  /** 0 for none. */
  readonly maxBackpressure: number;
  readonly idleTimeout: number;
  readonly upgrade: (response: Response, request: Request, context: object) => void;
  readonly open: (socket: Socket<Data>) => void;
  readonly message: (socket: Socket<Data>, message: ArrayBuffer) => void;
  readonly drain: (socket: Socket<Data>) => void;
  readonly close: (socket: Socket<Data>) => void;
}

/** Function of a route; `request` is valid only until it returns. */
export type Handler = (response: Response, request: Request) => void;

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
  /** Calls with a token of the listening socket, or with false where it cannot listen. */
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
  /** Counts of the guard, where one stands in front. */
  readonly counts: () => GuardCounts;
  /**
   * One element: while a request is in its handler, the number of its client, one for each that `clientOf` tells apart;
   * `null`: clients are known by their addresses alone.
   */
  readonly servedClient: Uint32Array | null;
  /** In words, for the log at start. */
  readonly text: string;
  /**
   * An app whose connections are closed when nothing has come on them for `idleSMax` seconds. uWebSockets.js is kept to
   * `connectionIdleSMax` by its guard, whatever this says.
   */
  createApp(idleSMax: number): App;
  /** The port of a listening socket. */
  portOf(token: object): number;
  /** Refuses new connections; those that are open go on. */
  closeListening(token: object): void;
}
