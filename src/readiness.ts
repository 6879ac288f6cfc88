// Whether requests may be sent here, and why not: what `/readyz` says. Pure. Runs on main.
import type { Executing, LiveStatus } from './feed/live/status.js';
import type { Readiness } from './http/health.js';
import { LIMITS } from './limits.js';
import type { SnapshotState } from './rpc/current-view.js';

/** A live chain, but for what is only counted. */
type Live = Omit<LiveStatus, 'counts' | 'upstream' | 'newestMs'>;

/** What readiness is judged by. */
export interface ReadinessState {
  readonly snapshot: Pick<SnapshotState, 'block' | 'ageMs'>;
  /** Whether versions keep coming: a static chain is not stale because it is old. */
  readonly renewed: boolean;
  /** `null` for a chain that is not a live one. */
  readonly live: Live | null;
  /** The monotonic clock. */
  readonly nowMs: number;
}

/** A view that should be renewed and is not must not look healthy. */
export function readiness({ snapshot, renewed, live, nowMs }: ReadinessState): Readiness {
  if (live !== null) return liveReadiness(live, snapshot.ageMs, nowMs);
  if (renewed && snapshot.ageMs > LIMITS.snapshotAgeMsMax) {
    return { ready: false, reason: `pending was last renewed ${snapshot.ageMs} ms ago` };
  }
  return { ready: true, reason: `at block ${snapshot.block}` };
}

/** Judged by arrival: headers of replayed and test chains carry old times. */
function liveReadiness(live: Live, ageMs: number, nowMs: number): Readiness {
  const { head, warmth, notice } = live;
  const reasons = [...upstreamReasons(live, nowMs), ...feedReasons(live, ageMs, nowMs), ...ownReasons(live, nowMs)];
  if (reasons.length > 0) return { ready: false, reason: reasons.join('; ') };
  const notes = [`at block ${head}`, ...warmthNote(warmth), ...(notice === null ? [] : [notice])];
  return { ready: true, reason: notes.join('; ') };
}

/** Answers are right before everything is held again, but some wait for the node. */
function* warmthNote(warmth: number): Generator<string> {
  if (warmth < 1) yield `${Math.floor(warmth * 100)} % warm`;
}

function* upstreamReasons({ upstreamSilentSinceMs, headAtMs }: Live, nowMs: number): Generator<string> {
  const silentMs = nowMs - (upstreamSilentSinceMs ?? nowMs);
  if (silentMs >= LIMITS.upstreamSilenceMsMax) yield `the upstream has not answered for ${silentMs} ms`;
  const headMs = nowMs - headAtMs;
  if (headMs > LIMITS.headSilenceMsMax) yield `the upstream's last head came ${headMs} ms ago`;
}

/** A feed that runs renews `pending`, and does not run away from the confirmed blocks. */
function* feedReasons({ feedAtMs, feedBlock, head }: Live, ageMs: number, nowMs: number): Generator<string> {
  if (feedAtMs === null) return;
  const feedMs = nowMs - feedAtMs;
  if (feedMs > LIMITS.feedSilenceMsMax) yield `the feed's last message came ${feedMs} ms ago`;
  else if (ageMs > LIMITS.pendingAgeMsMax) yield `pending was last renewed ${ageMs} ms ago, while the feed goes on`;
  const ahead = (feedBlock ?? head) - head;
  if (ahead > LIMITS.feedDepthBlocksMax) yield `the feed is ${ahead} blocks ahead of block ${head}`;
}

function* ownReasons({ upstreamHead, head, executing, atMs }: Live, nowMs: number): Generator<string> {
  const behind = upstreamHead - head;
  if (behind > LIMITS.headLagBlocksMax) yield `block ${head} is ${behind} blocks behind the upstream`;
  const toldMs = nowMs - atMs;
  if (executing !== null) yield* executionReasons(executing, toldMs);
  if (toldMs > LIMITS.liveStatusMsMax) yield `the publisher was last heard of ${toldMs} ms ago`;
}

/** A publisher that executes may be too busy to report: since it last did, it is taken to have gone on. */
function* executionReasons({ kind, block, executedMs }: Executing, toldMs: number): Generator<string> {
  const ms = Math.round(executedMs + toldMs);
  const isBlock = kind === 'block';
  if (ms <= (isBlock ? LIMITS.blockMs : LIMITS.incrementMs)) return;
  yield `${isBlock ? `block ${block}` : `an increment of block ${block}`} has been executed for ${ms} ms`;
}
