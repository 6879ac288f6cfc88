// The routes of GET pages for people and monitors: /, /livez, /readyz, /metrics.
import type { HttpApp, HttpRequest, HttpResponse } from '../server-interface.js';
import { encodeLatin1 } from '../encoded-heads.js';
import { DeferredResponse } from '../deferred-response.js';
import { createJsonResponse, createStaticResponse, createTextResponse } from '../answers/responder.js';
import type { StaticResponse, Responder } from '../answers/responder.js';
import { prefersHtml, STATUS_PAGE } from '../status/status-page.js';

/** Whether the service is ready for requests, and the reason. */
export interface Readiness {
  readonly ready: boolean;
  readonly reason: string;
}

export interface MonitoringRouteDeps {
  readonly responder: Responder;
  readonly readiness: () => Readiness;
  /** Renders the metrics. Called for each request of `/metrics`. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly body: string }>;
  /** Called with each exception that reaches the HTTP server, because such an exception is a bug. */
  readonly fault: (error: unknown) => void;
}

const ACCEPT = encodeLatin1('accept');
const GREETING = createTextResponse(200, 'prestate: JSON-RPC 2.0 by POST or WebSocket at this path', [
  ['Vary', 'Accept'],
]);
const ALIVE = createTextResponse(200, 'ok');
const NO_METRICS = createTextResponse(500, 'metrics failed');

/** Adds the routes. `answerPatienceMs`: how long the connection is not read while `/metrics` is rendered. */
export function addMonitoringRoutes(app: HttpApp, answerPatienceMs: number, deps: MonitoringRouteDeps): void {
  const { responder } = deps;
  const serve = (path: string, make: (request: HttpRequest) => StaticResponse): void => {
    app.get(path, (response, request) => responder.page(response, make(request)));
    app.head(path, (response, request) => responder.head(response, make(request)));
  };
  serve('/', (request) => (prefersHtml(request.getHeader(ACCEPT)) ? STATUS_PAGE : GREETING));
  serve('/livez', () => ALIVE);
  serve('/readyz', () => readinessPage(deps.readiness()));
  app.get('/metrics', (response) => scrape(response, answerPatienceMs, deps));
}

function readinessPage({ ready, reason }: Readiness): StaticResponse {
  return createJsonResponse(ready ? 200 : 503, JSON.stringify({ ready, reason }));
}

function scrape(response: HttpResponse, answerPatienceMs: number, deps: MonitoringRouteDeps): void {
  const later = new DeferredResponse(response, answerPatienceMs, () => undefined);
  const send = (result: StaticResponse): boolean => later.send(() => deps.responder.page(response, result));
  deps.metrics().then(
    ({ contentType, body }) => send(createStaticResponse(200, body, [['Content-Type', contentType]])),
    (error: unknown) => {
      deps.fault(error);
      send(NO_METRICS);
    },
  );
}
