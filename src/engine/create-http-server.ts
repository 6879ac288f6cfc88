// Builds the HTTP front end as configured.
import { isDevChain } from '../config/config.js';
import { chooseBackend } from '../http/choose-server.js';
import type { Readiness } from '../http/routes/monitoring-routes.js';
import { openLineAppender, type LineAppender } from '../lib/line-appender.js';
import { withRequestRecording } from '../http/routes/record-request-bodies.js';
import { HttpServer } from '../http/http-server.js';
import { monotonicMs } from '../lib/clock.js';
import { LIMITS } from '../limits/index.js';
import { METRICS_CONTENT_TYPE, createMetrics } from '../observe/metrics/metrics.js';
import { decideReadiness, versionsBehind } from '../observe/readiness.js';
import type { JsonRpcService } from '../rpc/json-rpc-service.js';
import type { EngineContext, BuiltComponents } from './engine-context.js';
import { collectMetricSources } from './metric-sources.js';

/** Creates the HTTP server in front of `service`. */
export async function createHttpServer(
  context: EngineContext,
  built: BuiltComponents,
  service: JsonRpcService,
): Promise<HttpServer> {
  const { log } = context.deps;
  const record = await openRequestRecording(context);
  const backend = await chooseBackend();
  context.logForm('HTTP front end', { backend: backend.text }, backend.text.startsWith('uWebSockets.js'));
  const metricsText = createMetrics(collectMetricSources(context, built, { service, http: () => http.counts() }));
  const http = new HttpServer(
    {
      ...LIMITS,
      socketsMax: context.deps.socketsMax,
      bodyBytesMax: context.config['body-max'],
      cors: context.config.cors,
      localPages: isDevChain(context.config),
      clientHeader: context.config['client-header'] ?? null,
    },
    {
      backend,
      ledger: context.ledger,
      service: record === null ? service : withRequestRecording(service, record, preciseWallMs),
      subscriptions: context.subscriptions,
      readiness: () => currentReadiness(context, built),
      metrics: async () => ({ contentType: METRICS_CONTENT_TYPE, body: await metricsText() }),
      logRequest: log.isLevelEnabled('debug') ? (entry) => log.debug(entry, 'request') : null,
      fault: (error) => log.error({ err: error }, 'the front end failed'),
      nowMs: monotonicMs,
      versionsBehind: () => versionsBehind(context.telemetry.replication, monotonicMs()),
    },
  );
  context.stops.push(async () => {
    http.stopListening();
    await http.drained(LIMITS.shutdownMsMax);
    http.close();
  });
  return http;
}

/** Opens the file to which requests are recorded; `null` if recording is not configured. */
async function openRequestRecording(context: EngineContext): Promise<LineAppender | null> {
  const { log } = context.deps;
  const file = context.config['record-requests'];
  if (file === undefined) return null;
  const {
    requestRecordBytesMax: fileBytesMax,
    recordWaitingBytesMax: waitingBytesMax,
    recordFlushMs: flushMs,
  } = LIMITS;
  const options = { fileBytesMax, waitingBytesMax, flushMs };
  const record = await openLineAppender(file, options, (reason) =>
    log.warn({ file }, `recording requests has ended: ${reason}`),
  );
  context.stops.push(async () => {
    await record.close();
    if (record.lost > 0) log.warn({ file, lost: record.lost }, 'requests were left out of their record');
  });
  return record;
}

/** Decides whether the engine is ready, and if not, why. */
export function currentReadiness({ damage, telemetry }: EngineContext, { ready, current }: BuiltComponents): Readiness {
  const nowMs = monotonicMs();
  const snapshot = current.describe(nowMs);
  const { renewed } = ready.chain;
  const { live, replication } = telemetry;
  return damage.noted(decideReadiness({ snapshot, renewed, live, replication, nowMs }));
}

/** Returns milliseconds since 1970, including fractions of a millisecond. */
function preciseWallMs(): number {
  return performance.timeOrigin + performance.now();
}
