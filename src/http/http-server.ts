// The HTTP front end: adds all routes to one server, starts to listen, and closes after the last response.

// One thread answers all clients, although several threads could read the shared state table. See DECISIONS.md.
import type { HttpLimits } from '../limits/http.js';
import type { RpcService } from '../rpc/answer/request-response-types.js';
import { ClientIdentifier } from './client-identifier.js';
import { Cors } from './routes/cors.js';
import type { HttpApp, HttpBackend } from './server-interface.js';
import { listenTcp, type ListenOutcome } from './choose-server.js';
import { InFlightCounter } from './in-flight-counter.js';
import { listenIpc, removeIpc } from './ipc-socket-file.js';
import { createResponseHeads, type ResponseHeadDeps } from './answers/response-heads.js';
import { addMonitoringRoutes, type MonitoringRouteDeps } from './routes/monitoring-routes.js';
import { PostRoute } from './routes/post-route.js';
import { withRequestLog, type RequestLogEntry } from './routes/log-each-request.js';
import { Responder, createStaticResponse, createTextResponse, type StaticResponse } from './answers/responder.js';
import { WebSocketRoute, type SubscriberEvents } from './routes/websocket-route.js';
import { HttpCounters, type HttpCounts } from './http-counters.js';
import { WriteBacklogLimiter, type WriteBacklogDeps } from './answers/write-backlog.js';

/**
 * Responses to malformed requests, each of which closes its connection. The guard in the addon rewrites such a request
 * to the internal path `/!STATUS`; see http-guard/request-framer.h.
 */
const MALFORMED_REQUEST_RESPONSES: readonly StaticResponse[] = [
  createTextResponse(400, 'not a request of HTTP/1.1'),
  createTextResponse(417, 'Expect must be 100-continue'),
  createTextResponse(426, 'WebSockets are spoken in version 13 (RFC 6455)', [
    ['Upgrade', 'websocket'],
    ['Sec-WebSocket-Version', '13'],
  ]),
  createTextResponse(431, 'headers over 32 KiB, or more than 150 of them'),
  createTextResponse(501, 'unknown method'),
  createTextResponse(503, 'too many bytes at once', [['Retry-After', '1']]),
  createTextResponse(505, 'HTTP/1.1 and HTTP/1.0 are spoken here'),
];

/** Limits and settings of the front end. */
export interface HttpServerOptions extends HttpLimits {
  /** Origins of web pages that may send requests (`https://host:port`, or `*` for any). Empty: no origin. */
  readonly cors: readonly string[];
  /** True if web pages that are served by this machine may open WebSockets. */
  readonly localPages: boolean;
  /** The header by which the operator's proxy names the client; `null` without a proxy. */
  readonly clientHeader: string | null;
}

export interface HttpServerDeps extends Omit<MonitoringRouteDeps, 'responder'>, ResponseHeadDeps, WriteBacklogDeps {
  readonly backend: HttpBackend;
  readonly service: RpcService;
  readonly subscriptions: SubscriberEvents;
  /** Logs each request; `null` if requests are not logged. */
  readonly logRequest: ((entry: RequestLogEntry) => void) | null;
}

const NOT_FOUND = createTextResponse(404, 'not found');

/** The HTTP server with all its routes. After `stopListening` it cannot listen again. */
export class HttpServer {
  readonly #backend: HttpBackend;
  readonly #app: HttpApp;
  readonly #counters = new HttpCounters();
  readonly #inFlight = new InFlightCounter();
  readonly #unsent: WriteBacklogLimiter;
  readonly #responder: Responder;
  readonly #sockets: WebSocketRoute;
  readonly #listening: object[] = [];
  #ipcPath: string | null = null;

  constructor(options: HttpServerOptions, deps: HttpServerDeps) {
    const cors = new Cors(options.cors, options.localPages);
    this.#backend = deps.backend;
    this.#app = deps.backend.createApp(options.connectionIdleSMax);
    this.#unsent = new WriteBacklogLimiter(options, deps);
    const [counters, inFlight, unsent] = [this.#counters, this.#inFlight, this.#unsent];
    const heads = createResponseHeads(options.connectionIdleSMax, cors.always, deps);
    const responder = new Responder({ heads, counters, inFlight, unsent });
    const clients = new ClientIdentifier(options.clientHeader, deps.backend.served);
    const { logRequest } = deps;
    const service = logRequest === null ? deps.service : withRequestLog(deps.service, logRequest);
    const { served } = deps.backend;
    const common = { ...deps, served, service, responder, clients, cors, inFlight, counters, unsent };
    this.#responder = responder;
    this.#sockets = new WebSocketRoute(options, common);
    this.#route(new PostRoute(options, common), cors);
    addMonitoringRoutes(this.#app, options.answerPatienceMs, common);
    this.#routeRest();
  }

  /** Listens on `host` and `port`; port 0 means any free port. */
  async listen(host: string, port: number): Promise<ListenOutcome> {
    const listening = await listenTcp(this.#backend, this.#app, host, port);
    if (listening.ok) this.#listening.push(listening.token);
    return listening;
  }

  /** Also listens on a Unix socket. If that fails, returns one line for the operator, otherwise `null`. */
  async listenIpc(path: string): Promise<string | null> {
    const listening = await listenIpc(this.#app, path);
    if (typeof listening === 'string') return listening;
    this.#listening.push(listening);
    this.#ipcPath = path;
    return null;
  }

  /** Stops accepting connections. Open ones are closed with their next response. */
  stopListening(): void {
    this.#responder.closeConnections();
    for (const token of this.#listening.splice(0)) this.#backend.closeListening(token);
    if (this.#ipcPath !== null) removeIpc(this.#ipcPath);
    this.#ipcPath = null;
  }

  /** Waits until every accepted request is answered. Resolves to true then, or to false after `timeoutMs`. */
  drained(timeoutMs: number): Promise<boolean> {
    return this.#inFlight.empty(timeoutMs);
  }

  /** Closes every connection. WebSocket clients get a close frame first. */
  close(): void {
    this.stopListening();
    this.#sockets.closeAll();
    this.#app.close();
  }

  counts(): HttpCounts {
    return {
      ...this.#counters.passed(),
      slowReaders: this.#unsent.dropped,
      socketsOpen: this.#sockets.openCount,
      inFlight: this.#inFlight.count,
      unsentBytes: this.#unsent.bytes,
      ...this.#backend.counts(),
    };
  }

  /**
   * Adds the routes for WebSockets, POST and OPTIONS. uWebSockets.js tries WebSocket routes before GET routes, and
   * routes for one method before routes for any method.
   */
  #route(post: PostRoute, cors: Cors): void {
    const app = this.#app;
    const preflight = createStaticResponse(204, '', [['Allow', 'POST, GET, HEAD, OPTIONS']]);
    app.ws('/', this.#sockets.largeBehavior());
    app.ws('/*', this.#sockets.smallBehavior());
    app.post('/', (response, request) => post.handle(response, request));
    app.options('/', (response, request) => this.#responder.head(response, preflight, cors.preflight(request)));
  }

  #routeRest(): void {
    const app = this.#app;
    for (const refusal of MALFORMED_REQUEST_RESPONSES)
      app.get(`/!${refusal.status}`, (response) => this.#responder.page(response, refusal, null, true));
    this.#notAllowed('/', 'POST, GET, HEAD, OPTIONS');
    for (const path of ['/livez', '/readyz']) this.#notAllowed(path, 'GET, HEAD');
    this.#notAllowed('/metrics', 'GET');
    app.any('/*', (response) => this.#responder.page(response, NOT_FOUND));
  }

  #notAllowed(path: string, methods: string): void {
    const refusal = createTextResponse(405, 'method not allowed', [['Allow', methods]]);
    this.#app.any(path, (response) => this.#responder.page(response, refusal));
  }
}
