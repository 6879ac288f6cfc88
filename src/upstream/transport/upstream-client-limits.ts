// Timeouts and limits of the upstream client as values, so that tests can use shorter ones.
import { LIMITS } from '../../limits/index.js';

/** The values that the program uses. src/limits explains each of them. */
export const UPSTREAM_CLIENT_LIMITS = {
  batchMax: LIMITS.upstreamBatchMax,
  requestBatchMax: LIMITS.upstreamRequestBatchMax,
  connectionsMax: LIMITS.upstreamConnectionsMax,
  waitingMax: LIMITS.upstreamWaitingMax,
  timeoutMs: LIMITS.upstreamTimeoutMsMax,
  traceTimeoutMs: LIMITS.upstreamTraceTimeoutMsMax,
  silenceMs: LIMITS.upstreamSilenceMsMax,
  triesMax: LIMITS.upstreamTriesMax,
  retryMs: LIMITS.upstreamRetryMs,
  retryAfterMsMax: LIMITS.upstreamRetryAfterMsMax,
  answerBytesMax: LIMITS.upstreamAnswerBytesMax,
  messageBytesMax: LIMITS.upstreamMessageBytesMax,
  pingMs: LIMITS.upstreamPingMs,
  handshakeMs: LIMITS.upstreamHandshakeMsMax,
  reconnectMs: LIMITS.upstreamReconnectMs,
  reconnectMsMax: LIMITS.upstreamReconnectMsMax,
  livedMs: LIMITS.upstreamLivedMs,
  tagsMs: LIMITS.upstreamTagsMs,
};

export type UpstreamClientLimits = { readonly [Name in keyof typeof UPSTREAM_CLIENT_LIMITS]: number };
