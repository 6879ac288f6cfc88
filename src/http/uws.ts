// The one importer of uWebSockets.js, so that the official package can be dropped in. Runs on main.
import { createServer } from 'node:net';
import uWS from 'uWebSockets.js';

/** Text as uWebSockets.js takes it. ArrayBuffers are the cheapest: strings are transcoded on every call. */
export type Text = string | ArrayBuffer | Uint8Array;

/** A request; valid only inside the route handler. */
export interface Request {
  /** The header's value, `''` where absent. */
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
  writeStatus(status: Text): Response;
  writeHeader(name: Text, value: Text): Response;
  end(body?: Text, closeConnection?: boolean): Response;
  endWithoutBody(lengthBytes?: number, closeConnection?: boolean): Response;
  /** Hands over what the kernel takes now; answers whether all went without backlog and whether the response is complete. */
  tryEnd(rest: Uint8Array, totalBytes: number): [ok: boolean, done: boolean];
  /** Bytes of the body written so far. */
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): Response;
  onAborted(handler: () => void): Response;
  /** The chunk's memory is taken away when the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): Response;
  cork(callback: () => void): Response;
  close(): Response;
  /** 4 or 16 bytes; none once the connection is reset. The JavaScript build throws. */
  getRemoteAddress(): ArrayBuffer;
  /** Stops all events of the connection. The JavaScript build throws. */
  pause(): void;
  /** Undoes `pause`; must come before the response ends. */
  resume(): void;
  upgrade(data: object, key: string, protocol: string, extensions: string, context: object): void;
}

/** A WebSocket connection; valid from `open` to `close`. */
export interface Socket<Data> {
  getUserData(): Data;
  send(message: Uint8Array, isBinary: boolean): number;
  getBufferedAmount(): number;
  end(code: number, reason: string): void;
  close(): void;
}

/** What a WebSocket route does; times in seconds, sizes in bytes. */
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

export type Handler = (response: Response, request: Request) => void;

/** The application object: routes by method and path. */
export interface App {
  get(path: string, handler: Handler): App;
  post(path: string, handler: Handler): App;
  options(path: string, handler: Handler): App;
  head(path: string, handler: Handler): App;
  any(path: string, handler: Handler): App;
  ws<Data>(path: string, behavior: SocketBehavior<Data>): App;
  /** Closes every listening socket and connection at once; the JavaScript build has none. */
  close?(): App;
  listen(host: string, port: number, options: number, callback: (token: object | false) => void): App;
}

/** A listening socket and its port, or why there is none. */
export type Listening =
  | { readonly token: object; readonly port: number }
  | { readonly token: null; readonly reason: string };

/** What the build has and its typings leave out. */
declare module 'uWebSockets.js' {
  interface TemplatedApp {
    listen(host: string, port: number, options: number, callback: (token: object | false) => void): TemplatedApp;
    close?(): TemplatedApp;
  }
}

/** Which build was loaded: the native one, or the package's JavaScript on a Node.js its binaries do not know. */
export const build: 'native' | 'javascript' = uWS.App.toString().includes('[native code]') ? 'native' : 'javascript';

/** The build in words for the log at start. */
export const buildText =
  build === 'native'
    ? 'uWebSockets.js: native'
    : 'uWebSockets.js: JavaScript fallback on node:http (slow; no WebSocket; large answers are buffered whole)';

/** uSockets shares a port between processes unless told not to: two services would then split the requests. */
const LISTEN_EXCLUSIVE_PORT = 1;

export function createApp(): App {
  return uWS.App();
}

/** Listens on `host` and `port` (0: any free port), exclusively. */
export function listen(app: App, host: string, port: number): Promise<Listening> {
  return new Promise((resolve) => {
    app.listen(host, port, LISTEN_EXCLUSIVE_PORT, (token) => {
      if (token === false) resolve(refusal(host, port));
      else resolve({ token, port: uWS.us_socket_local_port(token) });
    });
  });
}

export function closeListening(token: object): void {
  uWS.us_listen_socket_close(token);
}

/** uSockets does not say why it could not listen; Node.js is asked the same question and does. */
function refusal(host: string, port: number): Promise<Listening> {
  return new Promise((resolve) => {
    const say = (reason: string): void =>
      resolve({ token: null, reason: `cannot listen on ${host}:${port}: ${reason}` });
    const probe = createServer();
    probe.once('error', (error) => say(error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => say('refused by the system')));
  });
}

/**
 * A header's name in its cheapest form. The native build takes an ArrayBuffer as it is, a string it transcodes: 70 ns
 * against 180 ns for a `getHeader`. Measure again with a build that reads one-byte strings directly.
 */
export function headerName(text: string): Text {
  return build === 'native' ? bytesOf(text) : text;
}

/** Headers made ready to be written in as few calls as the build allows. */
export type HeaderBlock = readonly (readonly [name: Text, value: Text])[];

/** A status line with its headers, ready to be written. */
export interface Head {
  readonly status: Text;
  readonly headers: HeaderBlock;
}

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Makes a block of headers. The native build copies a value to the wire unread, so further header lines ride in the
 * first one's value. Price: whoever makes a block answers for its text; nothing of a request may ever enter one.
 */
export function headerBlock(headers: Headers): HeaderBlock {
  const [first, ...others] = headers;
  if (first === undefined || build !== 'native') return headers;
  return [[bytesOf(first[0]), bytesOf(first[1] + lines(others))]];
}

/**
 * Makes a head. By the same means the native build takes all of it as the status line: one call of 20 ns, where a
 * status and four headers are 730 ns of some 1700 for a whole pipelined request. Same price as for a block.
 */
export function responseHead(statusLine: string, headers: Headers): Head {
  if (build !== 'native') return { status: statusLine, headers };
  return { status: bytesOf(statusLine + lines(headers)), headers: [] };
}

/** Must come before any other header of the response. */
export function writeHead(response: Response, head: Head): void {
  response.writeStatus(head.status);
  for (const [name, value] of head.headers) response.writeHeader(name, value);
}

export function writeBlock(response: Response, block: HeaderBlock): void {
  for (const [name, value] of block) response.writeHeader(name, value);
}

/** Ends a response that has no body: 204, or the answer to HEAD. */
export function endEmpty(response: Response, closeConnection: boolean): void {
  if (build !== 'native') response.end('', closeConnection);
  else if (closeConnection) response.endWithoutBody(undefined, true);
  else response.endWithoutBody();
}

/** The address of the connection's other end in 4 or 16 bytes; none where the build or the system does not tell. */
export function remoteAddress(response: Response): ArrayBuffer {
  return build === 'native' ? response.getRemoteAddress() : new ArrayBuffer(0);
}

/** Leaves in the kernel what the client sends, its end included; nothing can be written either. */
export function pauseReading(response: Response): void {
  if (build === 'native') response.pause();
}

/** Reads a paused connection again. uWebSockets.js closes it after ten seconds without an answer, or another call of this. */
export function resumeReading(response: Response): void {
  if (build === 'native') response.resume();
}

function lines(headers: Headers): string {
  return headers.map(([name, value]) => `\r\n${name}: ${value}`).join('');
}

/** An ArrayBuffer of exactly the text's bytes; the text is ASCII. */
function bytesOf(text: string): ArrayBuffer {
  const bytes = new ArrayBuffer(text.length);
  Buffer.from(bytes).write(text, 'latin1');
  return bytes;
}
