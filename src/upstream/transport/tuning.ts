// The times and bounds of the upstream client as values, so that tests can have shorter ones. Runs on the publisher.
import { LIMITS } from '../../limits/index.js';

/** Each is described at its limit. */
export interface UpstreamTuning {
  readonly batchMax: number;
  readonly requestBatchMax: number;
  readonly connectionsMax: number;
  readonly waitingMax: number;
  readonly timeoutMs: number;
  readonly traceTimeoutMs: number;
  readonly silenceMs: number;
  readonly triesMax: number;
  readonly retryMs: number;
  readonly retryAfterMsMax: number;
  readonly answerBytesMax: number;
  readonly messageBytesMax: number;
  readonly pingMs: number;
  readonly handshakeMs: number;
  readonly reconnectMs: number;
  readonly reconnectMsMax: number;
  readonly livedMs: number;
  readonly tagsMs: number;
}

/** The tuning of the program: the values of limits.ts. */
export const TUNING: UpstreamTuning = {
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
