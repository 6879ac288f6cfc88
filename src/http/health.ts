// GET pages for people and monitors: /, /livez, /readyz, /metrics. Runs on main.
import { headerBlock } from './door.js';
import type { App, Response } from './door.js';
import { textPage } from './responder.js';
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

const JSON_TYPE = headerBlock([['Content-Type', 'application/json']]);
const GREETING = textPage(200, 'prestate: JSON-RPC 2.0 by POST or WebSocket at this path');
const ALIVE = textPage(200, 'ok');
const NO_METRICS = textPage(500, 'metrics failed');

/** Adds the pages to `app`. */
export function routeHealth(app: App, parts: HealthParts): void {
  const { responder } = parts;
  const serve = (path: string, page: () => Page): void => {
    app.get(path, (response) => responder.page(response, page()));
    app.head(path, (response) => responder.head(response, page()));
  };
  serve('/', () => GREETING);
  serve('/livez', () => ALIVE);
  serve('/readyz', () => readinessPage(parts.readiness()));
  app.get('/metrics', (response) => scrape(response, parts));
}

function readinessPage(readiness: Readiness): Page {
  const { ready, reason } = readiness;
  return { status: ready ? 200 : 503, headers: JSON_TYPE, body: JSON.stringify({ ready, reason }) };
}

function scrape(response: Response, parts: HealthParts): void {
  let isAborted = false;
  response.onAborted(() => (isAborted = true));
  const send = (page: Page): void => {
    if (!isAborted) response.cork(() => parts.responder.page(response, page));
  };
  parts.metrics().then(
    ({ contentType, body }) => send({ status: 200, headers: headerBlock([['Content-Type', contentType]]), body }),
    (error: unknown) => {
      parts.fault(error);
      send(NO_METRICS);
    },
  );
}
