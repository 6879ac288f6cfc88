// The HTTP server that is used if no binary of uWebSockets.js loads: the same interface over node:http and ws.

// Plain node:http and ws are used if no binary of uWebSockets.js or no request guard loads: on macOS and musl, without
// a C++ compiler, and in worker threads. The interface is the same, so that routes work with both servers unchanged,
// and the tests in `test/http` run on both. See DECISIONS.md.
import { ServerResponse, createServer } from 'node:http';
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { AddressInfo, ListenOptions, Socket as Connection } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { HttpApp, HttpBackend, RouteHandler, HttpResponse, WebSocketBehavior } from '../server-interface.js';
import { NodeRequest } from './node-request.js';
import { NodeResponse } from './node-response.js';
import type { WebSocketUpgrade } from './node-response.js';
import { NodeWebSocket, closedWebSocket } from './node-websocket-connection.js';

/** Maximum bytes of a request head, and maximum number of its header fields. The HTTP guard has the same limits. */
const HEAD_BYTES_MAX = 32 * 1024;
const FIELDS_MAX = 150;
/**
 * Path to which a request with more than FIELDS_MAX header fields is rewritten, so that it is refused; see
 * ../http-server.ts.
 */
const CROWDED_PATH = '/!431';

/**
 * Returns the server's time-outs, as in uWebSockets.js: headers may take as long as a connection may be idle between
 * two requests.
 */
function serverOptions(idleMs: number): ServerOptions {
  return {
    maxHeaderSize: HEAD_BYTES_MAX,
    headersTimeout: idleMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: idleMs / 10,
    // A request body has a time limit of its own; see body-reader.ts.
    requestTimeout: 0,
  };
}

/** A WebSocket handshake that has arrived, with the bytes after it. */
interface Upgrade {
  readonly incoming: IncomingMessage;
  readonly connection: Connection;
  readonly behind: Buffer;
}

/** A route of the app. `serve` returns whether it accepted the request. */
interface Route {
  readonly method: string | null;
  readonly path: string;
  readonly isSocket: boolean;
  readonly serve: (response: HttpResponse, request: NodeRequest, upgrade: Upgrade | null) => boolean;
}

/** The app over node:http. Routes are tried in the order in which they were added. */
class NodeApp implements HttpApp {
  readonly #idleMs: number;
  readonly #routes: Route[] = [];
  readonly #servers = new Set<Server>();
  readonly #sockets = new Set<WebSocket>();
  readonly get = this.#adder('GET');
  readonly post = this.#adder('POST');
  readonly options = this.#adder('OPTIONS');
  readonly head = this.#adder('HEAD');
  readonly any = this.#adder(null);

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  ws<Data>(path: string, behavior: WebSocketBehavior<Data>): HttpApp {
    const { maxPayloadLength: maxPayload } = behavior;
    const acceptor = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload });
    this.#routes.push({
      method: 'GET',
      path,
      isSocket: true,
      serve: (response, request, upgrade) => {
        const accept = (data: object): void => this.#accept(acceptor, behavior, upgrade!, data as Data);
        request.isYielded = false;
        behavior.upgrade(response, request, { accept } satisfies WebSocketUpgrade);
        return !request.isYielded;
      },
    });
    return this;
  }

  /**
   * Listens on a TCP port. `_options` are those of uSockets; Node.js does not need them, because it never shares a port
   * by default.
   */
  listen(host: string, port: number, _options: number, callback: (token: object | false) => void): HttpApp {
    return this.#listen({ host, port, exclusive: true }, callback);
  }

  listen_unix(callback: (token: object | false) => void, path: string): HttpApp {
    return this.#listen({ path }, callback);
  }

  #listen(place: ListenOptions, callback: (token: object | false) => void): HttpApp {
    const server = createServer(serverOptions(this.#idleMs), (incoming, outgoing) => this.#request(incoming, outgoing));
    // 0 means no limit. Node.js would silently drop the fields above a limit; requests with more than FIELDS_MAX fields
    // are refused in `#route` instead.
    server.maxHeadersCount = 0;
    // A client that has closed its sending side still gets its responses; see NodeResponse.resume.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('upgrade', (incoming, stream, behind) => this.#upgrade(server, incoming, stream as Connection, behind));
    const refused = (): void => callback(false);
    server.once('error', refused);
    server.listen(place, () => {
      server.off('error', refused);
      this.#servers.add(server);
      callback(server);
    });
    return this;
  }

  /** Closes all connections at once, see HttpApp. They are reset without sending the bytes that are buffered. */
  close(): HttpApp {
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
    for (const socket of this.#sockets) socket.terminate();
    return this;
  }

  /** Returns the function that adds a route for `method`, or for every method if it is `null`. */
  #adder(method: string | null) {
    return (path: string, handler: RouteHandler): HttpApp => {
      const serve = (response: HttpResponse, request: NodeRequest): boolean => {
        handler(response, request);
        return true;
      };
      this.#routes.push({ method, path, isSocket: false, serve });
      return this;
    };
  }

  #request(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // After the end of a response has been written, a client that reads nothing is disconnected after this time.
    outgoing.once('prefinish', () => outgoing.setTimeout(this.#idleMs));
    this.#route(new NodeResponse(incoming, outgoing), new NodeRequest(incoming), null);
  }

  #route(response: NodeResponse, request: NodeRequest, upgrade: Upgrade | null): void {
    const { method } = request;
    const path = request.fields > FIELDS_MAX ? CROWDED_PATH : request.getUrl();
    for (const route of this.#routes) {
      const isMeant = (route.method ?? method) === method && (route.path === '/*' || route.path === path);
      if (isMeant && (!route.isSocket || upgrade !== null) && route.serve(response, request, upgrade)) return;
    }
  }

  /**
   * Passes a WebSocket handshake to the routes. A request to upgrade to another protocol is served as an ordinary
   * request.
   */
  #upgrade(server: Server, incoming: IncomingMessage, connection: Connection, behind: Buffer): void {
    connection.on('error', () => undefined);
    if (!isHandshake(incoming)) return serveAnew(server, incoming, connection, behind);
    const refusal = refusalOf(incoming);
    if (refusal !== null)
      return void connection.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    const outgoing = new ServerResponse(incoming);
    outgoing.shouldKeepAlive = false;
    outgoing.assignSocket(connection);
    outgoing.once('finish', () => connection.destroySoon());
    connection.once('close', () => outgoing.emit('close'));
    const response = new NodeResponse(incoming, outgoing);
    this.#route(response, new NodeRequest(incoming), { incoming, connection, behind });
  }

  /**
   * Accepts a handshake. If it is malformed, the ws package refuses it; then `behavior.close` is called, because
   * `behavior.upgrade` has already accepted it.
   */
  #accept<Data>(acceptor: WebSocketServer, behavior: WebSocketBehavior<Data>, upgrade: Upgrade, data: Data): void {
    let isAccepted = false;
    acceptor.handleUpgrade(upgrade.incoming, upgrade.connection, upgrade.behind, (webSocket) => {
      isAccepted = true;
      this.#sockets.add(webSocket);
      webSocket.once('close', () => this.#sockets.delete(webSocket));
      behavior.open(new NodeWebSocket(webSocket, behavior, data));
    });
    if (!isAccepted) behavior.close(closedWebSocket(data));
  }
}

/** True for a WebSocket handshake (RFC 6455, section 4.1). */
function isHandshake({ method, headers }: IncomingMessage): boolean {
  const isWish = method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
  return isWish && headers['sec-websocket-key'] !== undefined;
}

/**
 * Returns the status and header fields with which a handshake is refused that the ws package would accept but the HTTP
 * guard would not. Returns `null` if the HTTP guard would accept it, too.
 */
function refusalOf({ headers }: IncomingMessage): string | null {
  const { 'content-length': length = '0', 'transfer-encoding': coding, 'sec-websocket-version': version } = headers;
  if (length !== '0' || coding !== undefined) return '400 Bad Request';
  return version === '13' ? null : '426 Upgrade Required\r\nSec-WebSocket-Version: 13';
}

/**
 * Lets the server read a request again as if it had just arrived, without the headers that request another protocol.
 */
function serveAnew(server: Server, incoming: IncomingMessage, connection: Connection, behind: Buffer): void {
  const { method, url, rawHeaders, headers } = incoming;
  const lines = [`${method} ${url} HTTP/${incoming.httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!/^(upgrade|connection)$/i.test(rawHeaders[i]!)) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  if (/close/i.test(headers.connection ?? '')) lines.push('Connection: close');
  connection.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), behind]));
  server.emit('connection', connection);
}

const NO_GUARD = { fullTurns: 0, acceptPauses: 0, bufferBytes: 0, bufferRefusals: 0 };

/** Description of this server for the log at the start. */
export const NODE_BACKEND_DESCRIPTION =
  'node:http: slower, no fair turns between connections that pipeline, no bare JSON on --ipc';

/**
 * The server over node:http. It supports everything that this program needs of uWebSockets.js, at a fraction of its
 * speed.
 */
export const nodeBackend: HttpBackend = {
  counts: () => NO_GUARD,
  served: null,
  text: NODE_BACKEND_DESCRIPTION,
  createApp: (idleSMax) => new NodeApp(idleSMax * 1000),
  portOf: (token) => ((token as Server).address() as AddressInfo).port,
  // Server.close of node:http would also close idle connections, although a client may just be sending a request on one
  // of them. Server.close of node:net only stops accepting connections.
  closeListening: (token) => void NetServer.prototype.close.call(token),
};
