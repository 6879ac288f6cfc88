// Finds the reasons for which a live chain's responses may be stale. `/readyz` shows them, and an executor reports them
// to its replicas. Pure.
import { LIMITS } from '../limits/index.js';
import { executionTaskName, type CurrentExecution, type LiveStatus } from './live-status.js';

/** The part of a live chain's status that is needed to find out whether responses may be stale. */
export type StalenessInput = Omit<LiveStatus, 'counts' | 'upstream' | 'feeds' | 'newestMs'>;

/**
 * Yields all reasons for which responses may be stale, as lines for the operator. Blocks are judged by their time of
 * arrival, because replayed chains and test chains have old timestamps. `ageMs` is the age of the `pending` state;
 * `nowMs` is the time by the monotonic clock.
 */
export function* stalenessReasons(live: StalenessInput, ageMs: number, nowMs: number): Generator<string> {
  yield* upstreamReasons(live, nowMs);
  yield* feedReasons(live, ageMs, nowMs);
  yield* ownReasons(live, nowMs);
}

function* upstreamReasons(
  { upstreamSilentSinceMs, upstreamHead, headAtMs }: StalenessInput,
  nowMs: number,
): Generator<string> {
  const silentMs = nowMs - (upstreamSilentSinceMs ?? nowMs);
  if (silentMs >= LIMITS.upstreamSilenceMsMax) yield `the upstream has not answered for ${silentMs} ms`;
  const headMs = nowMs - headAtMs;
  if (headMs <= LIMITS.headSilenceMsMax) return;
  yield upstreamHead === 0
    ? `the upstream has announced no head for ${headMs} ms`
    : `the upstream's last head came ${headMs} ms ago`;
}

/**
 * Yields reasons concerning the pre-confirmation feed: no messages arrive, messages arrive but `pending` is not
 * renewed, or the feed is too far ahead of the confirmed blocks.
 */
function* feedReasons({ feedAtMs, feedBlock, head }: StalenessInput, ageMs: number, nowMs: number): Generator<string> {
  if (feedAtMs === null) return;
  const feedMs = nowMs - feedAtMs;
  if (feedMs > LIMITS.feedSilenceMsMax)
    yield feedBlock === null
      ? `no increment of the feed has come for ${feedMs} ms`
      : `the feed's last message came ${feedMs} ms ago`;
  else if (feedBlock !== null && ageMs > LIMITS.pendingAgeMsMax)
    yield `pending was last renewed ${ageMs} ms ago, while the feed goes on`;
  const ahead = (feedBlock ?? head) - head;
  if (ahead > LIMITS.feedDepthBlocksMax) yield `the feed is ${ahead} blocks ahead of block ${head}`;
}

function* ownReasons(
  { upstreamHead, head, blockMs, lowerHead, executing, atMs }: StalenessInput,
  nowMs: number,
): Generator<string> {
  if (upstreamHead === 0 && head > 0) yield 'the upstream has not announced its head yet';
  if (lowerHead !== null) yield `the upstream's newest block is ${lowerHead}, below block ${head}`;
  const behind = upstreamHead - head;
  const behindMs = behind * (blockMs ?? Infinity);
  if (behind > LIMITS.headLagBlocksMax && behindMs > LIMITS.headLagMsMax)
    yield `block ${head} is ${behind} blocks behind the upstream`;
  const statusAgeMs = nowMs - atMs;
  if (executing !== null) yield* executionReasons(executing, statusAgeMs);
  if (statusAgeMs > LIMITS.liveStatusMsMax) yield `the publisher was last heard of ${statusAgeMs} ms ago`;
}

/**
 * Yields a reason if an execution takes too long. The publisher cannot report while it executes, so the execution is
 * assumed to have continued since the last report.
 */
function* executionReasons(executing: CurrentExecution, statusAgeMs: number): Generator<string> {
  const ms = Math.round(executing.executedMs + statusAgeMs);
  if (ms <= (executing.kind === 'block' ? LIMITS.blockMs : LIMITS.incrementMs)) return;
  yield `${executionTaskName(executing)} has been executed for ${ms} ms`;
}
