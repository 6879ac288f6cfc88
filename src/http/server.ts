// The HTTP front end: all routes on one port, from listening to the last response. Runs on main.

// Decision (2026-11, two cores): One thread answers clients, though the table would allow more. A nonce took 1.05 to
// 1.10 times the processor time on two threads over one table, as in two processes with a table each, and raw
// uWebSockets.js 1.01 to 1.11; on two cores more cannot be seen. The obstacle is what main keeps in its heap besides
// the table. Filters, client budgets, the pool's queue and its cost estimates are there: a client whose next connection
// is accepted by another thread would find no filter, and have a second budget. Estimates, fills and transactions go
// through main; a message between threads takes 3.6 to 15 us (`pool.bench`), a whole nonce 10. Every thread would
// decode and keep its own blocks, receipts and logs, and know of new ones a little earlier or later than the others. A
// thread that ends with an app of uWebSockets.js open aborts the process (seen with Node 20), without a log line or an
// orderly stop. It would take a second composition root, a message for each call from main to publisher and pool, one
// owner of filters and budgets, and metrics in shared memory. Connections should then come from one acceptor that
// distributes them round-robin (`addChildAppDescriptor`): it costs the same as a port that threads share, keeps the
// port from a second program that is started by mistake, and distributes the connections of one proxy evenly, where a
// shared port gave up to all 8 to one thread. Price of one thread: HTTP takes one core at the most, some 100,000 nonces
// a second; for more there are replicas, each with a table of its own.
import type { Ledger } from '../clients/ledger.js';
import type { RpcService } from '../rpc/answer/answer.js';
import { Clients } from './client.js';
import { Cors } from './routes/cors.js';
import type { App, Backend } from './app.js';
import { listen } from './backend.js';
import { InFlight } from './in-flight.js';
import { listenIpc, removeIpc } from './ipc.js';
import { answerHeads, type HeadParts } from './answers/headers.js';
import { routeHealth } from './routes/health.js';
import type { HealthOptions, HealthParts } from './routes/health.js';
import { PostRoute } from './routes/post.js';
import type { PostOptions } from './routes/post.js';
import { logged, type RequestEntry } from './routes/request-log.js';
import { REFUSALS } from './answers/refusals.js';
import { Responder, page, textPage } from './answers/responder.js';
import { SocketRoute } from './routes/socket.js';
import type { SocketOptions, SubscriberEvents } from './routes/socket.js';
import { Counters } from './counters.js';
import type { HttpCounts } from './counters.js';
import { Unsent } from './answers/unsent.js';
import type { UnsentOptions } from './answers/unsent.js';

/** Bounds of the front end; sizes in bytes, the reasons in `src/limits`. */
export interface HttpOptions extends PostOptions, SocketOptions, UnsentOptions, HealthOptions {
  readonly connectionIdleSMax: number;
  /** Origins of web pages that may send requests (`https://host:port`, `*` for any); empty: none. */
  readonly cors: readonly string[];
  /** Pages served by this machine may open WebSockets. */
  readonly localPages: boolean;
  /** The header in which the operator's proxy names the client; `null` without a proxy. */
  readonly clientHeader: string | null;
}

/** What the front end is built on. */
export interface HttpParts {
  readonly backend: Backend;
  /** The per-client accounts. */
  readonly ledger: Ledger;
  readonly service: RpcService;
  readonly subscriptions: SubscriberEvents;
  readonly readiness: HealthParts['readiness'];
  readonly metrics: HealthParts['metrics'];
  /** Logs each request; `null`: requests are not logged, at no cost. */
  readonly logRequest: ((entry: RequestEntry) => void) | null;
  /** Called with each exception that reaches the front end: that is a bug. */
  readonly fault: (error: unknown) => void;
  /** The monotonic clock. */
  readonly nowMs: () => number;
  /** See `HeadParts`. */
  readonly versionsBehind: HeadParts['versionsBehind'];
}

/** The port that it listens on, or one line for the operator on why it does not. */
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
  readonly #unsent: Unsent;
  readonly #responder: Responder;
  readonly #sockets: SocketRoute;
  readonly #listening: object[] = [];
  #ipcPath: string | null = null;

  constructor(options: HttpOptions, parts: HttpParts) {
    const cors = new Cors(options.cors, options.localPages);
    this.#backend = parts.backend;
    this.#app = parts.backend.createApp(options.connectionIdleSMax);
    this.#unsent = new Unsent(options, parts);
    const [counters, inFlight, unsent] = [this.#counters, this.#inFlight, this.#unsent];
    const heads = answerHeads(options.connectionIdleSMax, cors.always, parts);
    const responder = new Responder({ heads, counters, inFlight, unsent });
    const clients = new Clients(options.clientHeader, parts.backend.servedClient);
    const { logRequest } = parts;
    const service =
      logRequest === null
        ? parts.service
        : logged(parts.service, { write: logRequest, nowMs: () => performance.now() });
    const common = { ...parts, service, responder, clients, cors, inFlight, counters, unsent };
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

  /** Listens on a Unix socket as well. Returns one line for the operator if it cannot, else `null`. */
  async listenIpc(path: string): Promise<string | null> {
    const listening = await listenIpc(this.#app, path);
    if (!listening.ok) return listening.reason;
    this.#listening.push(listening.token);
    this.#ipcPath = path;
    return null;
  }

  /** Stops accepting connections; open ones are closed with their next response. */
  stopListening(): void {
    this.#responder.closeConnections();
    for (const token of this.#listening.splice(0)) this.#backend.closeListening(token);
    if (this.#ipcPath !== null) removeIpc(this.#ipcPath);
    this.#ipcPath = null;
  }

  /** Resolves to true once every accepted request is answered, or to false after `timeoutMs`. */
  drained(timeoutMs: number): Promise<boolean> {
    return this.#inFlight.empty(timeoutMs);
  }

  /** Closes every connection; WebSocket clients get a close frame first. */
  close(): void {
    this.stopListening();
    this.#sockets.closeAll();
    this.#app.close();
  }

  /** All counts, for metrics. */
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
