// GET pages for people and monitors: /, /livez, /readyz, /metrics. Runs on main.
import type { App, Response } from './door.js';
import { page, textPage } from './responder.js';
import type { Page, Responder } from './responder.js';

/** Whether requests may be sent here, and why (not). */
export interface Readiness {
  readonly ready: boolean;
  readonly reason: string;
}

export interface HealthParts {
  readonly responder: Responder;
  readonly readiness: () => Readiness;
  /** The metrics as text, at scrape time. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly body: string }>;
  readonly fault: (error: unknown) => void;
}

const GREETING = textPage(200, 'prestate: JSON-RPC 2.0 by POST or WebSocket at this path');
const ALIVE = textPage(200, 'ok');
const NO_METRICS = textPage(500, 'metrics failed');

/** Adds the pages to `app`. */
export function routeHealth(app: App, parts: HealthParts): void {
  const { responder } = parts;
  const serve = (path: string, make: () => Page): void => {
    app.get(path, (response) => responder.page(response, make()));
    app.head(path, (response) => responder.head(response, make()));
  };
  serve('/', () => GREETING);
  serve('/livez', () => ALIVE);
  serve('/readyz', () => readinessPage(parts.readiness()));
  app.get('/metrics', (response) => scrape(response, parts));
}

function readinessPage(readiness: Readiness): Page {
  const { ready, reason } = readiness;
  return page(ready ? 200 : 503, JSON.stringify({ ready, reason }), [['Content-Type', 'application/json']]);
}

function scrape(response: Response, parts: HealthParts): void {
  let isAborted = false;
  response.onAborted(() => (isAborted = true));
  const send = (result: Page): void => {
    if (!isAborted) response.cork(() => parts.responder.page(response, result));
  };
  parts.metrics().then(
    ({ contentType, body }) => send(page(200, body, [['Content-Type', contentType]])),
    (error: unknown) => {
      parts.fault(error);
      send(NO_METRICS);
    },
  );
}
