// The HTTP front end: all routes on one port, from listening to the last response.

// One thread answers clients, though the table would allow several. See DECISIONS.md.
import type { UsageLedger } from '../fairness/usage-ledger.js';
import type { RpcService } from '../rpc/answer/rpc-service-types.js';
import { Clients } from './client.js';
import { Cors } from './routes/cors.js';
import type { App, Backend } from './app.js';
import { listen } from './choose-server.js';
import { InFlight } from './in-flight.js';
import { listenIpc, removeIpc } from './ipc.js';
import { answerHeads, type HeadDeps } from './answers/headers.js';
import { routeHealth } from './routes/health.js';
import type { HealthOptions, HealthDeps } from './routes/health.js';
import { PostRoute } from './routes/post.js';
import type { PostOptions } from './routes/post.js';
import { logged, type RequestEntry } from './routes/request-log.js';
import { REFUSALS } from './answers/refusals.js';
import { Responder, page, textPage } from './answers/responder.js';
import { SocketRoute } from './routes/socket.js';
import type { SocketOptions, SubscriberEvents } from './routes/socket.js';
import { Counters } from './counters.js';
import type { HttpCounts } from './counters.js';
import { WriteBacklog } from './answers/write-backlog.js';
import type { WriteBacklogOptions } from './answers/write-backlog.js';

/** Limits of the front end, with sizes in bytes; `src/limits` has the reasons. */
export interface HttpOptions extends PostOptions, SocketOptions, WriteBacklogOptions, HealthOptions {
  readonly connectionIdleSMax: number;
  /** Origins of web pages that may send requests (`https://host:port`, or `*` for any); none if empty. */
  readonly cors: readonly string[];
  /** True if pages that are served by this machine may open WebSockets. */
  readonly localPages: boolean;
  /** The header by which the operator's proxy names the client; `null` without a proxy. */
  readonly clientHeader: string | null;
}

export interface HttpDeps {
  readonly backend: Backend;
  /** The per-client accounts. */
  readonly ledger: UsageLedger;
  readonly service: RpcService;
  readonly subscriptions: SubscriberEvents;
  readonly readiness: HealthDeps['readiness'];
  readonly metrics: HealthDeps['metrics'];
  /** Logs each request; `null` if requests are not logged, which then costs nothing. */
  readonly logRequest: ((entry: RequestEntry) => void) | null;
  /** Called with each exception that reaches the front end. That is a bug. */
  readonly fault: (error: unknown) => void;
  /** The monotonic clock. */
  readonly nowMs: () => number;
  readonly versionsBehind: HeadDeps['versionsBehind'];
}

/** The port on which it listens, or one line that tells the operator why it does not. */
export type ListenOutcome =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly reason: string };

const NOT_FOUND = textPage(404, 'not found');

/** The front end. After `stopListening` it cannot listen again. */
export class HttpServer {
  readonly #backend: Backend;
  readonly #app: App;
  readonly #counters = new Counters();
  readonly #inFlight = new InFlight();
  readonly #unsent: WriteBacklog;
  readonly #responder: Responder;
  readonly #sockets: SocketRoute;
  readonly #listening: object[] = [];
  #ipcPath: string | null = null;

  constructor(options: HttpOptions, deps: HttpDeps) {
    const cors = new Cors(options.cors, options.localPages);
    this.#backend = deps.backend;
    this.#app = deps.backend.createApp(options.connectionIdleSMax);
    this.#unsent = new WriteBacklog(options, deps);
    const [counters, inFlight, unsent] = [this.#counters, this.#inFlight, this.#unsent];
    const heads = answerHeads(options.connectionIdleSMax, cors.always, deps);
    const responder = new Responder({ heads, counters, inFlight, unsent });
    const clients = new Clients(options.clientHeader, deps.backend.servedClient);
    const { logRequest } = deps;
    const service =
      logRequest === null ? deps.service : logged(deps.service, { write: logRequest, nowMs: () => performance.now() });
    const common = { ...deps, service, responder, clients, cors, inFlight, counters, unsent };
    this.#responder = responder;
    this.#sockets = new SocketRoute(options, common);
    this.#route(new PostRoute(options, common), cors);
    routeHealth(this.#app, options, common);
    this.#routeRest();
  }

  /** Listens; port 0 means any free port. */
  async listen(host: string, port: number): Promise<ListenOutcome> {
    const listening = await listen(this.#backend, this.#app, host, port);
    if (listening.token === null) return { ok: false, reason: listening.reason };
    this.#listening.push(listening.token);
    return { ok: true, port: listening.port };
  }

  /** Also listens on a Unix socket. If that fails, returns one line for the operator, otherwise `null`. */
  async listenIpc(path: string): Promise<string | null> {
    const listening = await listenIpc(this.#app, path);
    if (!listening.ok) return listening.reason;
    this.#listening.push(listening.token);
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

  /** Resolves to true when every accepted request is answered, or to false after `timeoutMs`. */
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

  /** uWebSockets.js matches exact methods before `any`, and WebSockets before GET. */
  #route(post: PostRoute, cors: Cors): void {
    const app = this.#app;
    const preflight = page(204, '', [['Allow', 'POST, GET, HEAD, OPTIONS']]);
    app.ws('/', this.#sockets.largeBehavior());
    app.ws('/*', this.#sockets.smallBehavior());
    app.post('/', (response, request) => post.handle(response, request));
    app.options('/', (response, request) => this.#responder.head(response, preflight, cors.preflight(request)));
  }

  #routeRest(): void {
    const app = this.#app;
    for (const [path, refusal] of REFUSALS)
      app.get(path, (response) => this.#responder.page(response, refusal, null, true));
    this.#notAllowed('/', 'POST, GET, HEAD, OPTIONS');
    for (const path of ['/livez', '/readyz']) this.#notAllowed(path, 'GET, HEAD');
    this.#notAllowed('/metrics', 'GET');
    app.any('/*', (response) => this.#responder.page(response, NOT_FOUND));
  }

  #notAllowed(path: string, methods: string): void {
    const refusal = textPage(405, 'method not allowed', [['Allow', methods]]);
    this.#app.any(path, (response) => this.#responder.page(response, refusal));
  }
}
