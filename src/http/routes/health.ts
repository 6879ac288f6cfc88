// The routes of GET pages for people and monitors: /, /livez, /readyz, /metrics.
import type { App, HttpRequest, HttpResponse } from '../app.js';
import { headerName } from '../encoded-heads.js';
import { DeferredResponse } from '../deferred-response.js';
import { page, textPage } from '../answers/responder.js';
import type { Page, Responder } from '../answers/responder.js';
import { prefersHtml, STATUS_PAGE } from '../status/page.js';

/** Whether the service is ready for requests, and why. */
export interface Readiness {
  readonly ready: boolean;
  readonly reason: string;
}

/** See `LIMITS.answerPatienceMs`. It is used for `/metrics`, which is rendered asynchronously. */
export interface HealthOptions {
  readonly answerPatienceMs: number;
}

export interface HealthDeps {
  readonly responder: Responder;
  readonly readiness: () => Readiness;
  /** Renders the metrics when they are scraped. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly body: string }>;
  readonly fault: (error: unknown) => void;
}

const ACCEPT = headerName('accept');
const GREETING = textPage(200, 'prestate: JSON-RPC 2.0 by POST or WebSocket at this path', [['Vary', 'Accept']]);
const ALIVE = textPage(200, 'ok');
const NO_METRICS = textPage(500, 'metrics failed');

export function routeHealth(app: App, options: HealthOptions, deps: HealthDeps): void {
  const { responder } = deps;
  const serve = (path: string, make: (request: HttpRequest) => Page): void => {
    app.get(path, (response, request) => responder.page(response, make(request)));
    app.head(path, (response, request) => responder.head(response, make(request)));
  };
  serve('/', (request) => (prefersHtml(request.getHeader(ACCEPT)) ? STATUS_PAGE : GREETING));
  serve('/livez', () => ALIVE);
  serve('/readyz', () => readinessPage(deps.readiness()));
  app.get('/metrics', (response) => scrape(response, options, deps));
}

function readinessPage(readiness: Readiness): Page {
  const { ready, reason } = readiness;
  return page(ready ? 200 : 503, JSON.stringify({ ready, reason }), [['Content-Type', 'application/json']]);
}

function scrape(response: HttpResponse, { answerPatienceMs }: HealthOptions, deps: HealthDeps): void {
  const later = new DeferredResponse(response, answerPatienceMs, () => undefined);
  const send = (result: Page): boolean => later.send(() => deps.responder.page(response, result));
  deps.metrics().then(
    ({ contentType, body }) => send(page(200, body, [['Content-Type', contentType]])),
    (error: unknown) => {
      deps.fault(error);
      send(NO_METRICS);
    },
  );
}
