// Follows the node's newest, safe and finalized blocks. With a WebSocket, the node announces heads; slow polling finds
// the safe and finalized blocks, and heads that were not announced. Without a WebSocket, the head is polled at about
// the interval of the chain's blocks.
import type { Clock } from '../../lib/clock.js';
import { parseHead, parseBlockRef } from '../reads/verify-block-json.js';
import { UpstreamError } from '../transport/upstream-error.js';
import { HeadSocket } from './head-socket.js';
import type { JsonRpcClient } from '../transport/json-rpc-client.js';
import { HeadChangeNotifier, type HeadListener } from './head-change-notifier.js';
import { PollInterval } from './poll-interval.js';
import { RollbackDetector, type RollbackVerdict } from './rollback-detector.js';
import type { RpcAnswer } from '../transport/parse-rpc-response.js';
import type { UpstreamStats } from '../transport/upstream-stats.js';
import type { UpstreamClientLimits } from '../transport/upstream-client-limits.js';
import type { UpstreamHead, UpstreamOptions } from '../upstream.js';

interface HeadFollowerDeps {
  readonly rpc: JsonRpcClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly stats: UpstreamStats;
}

/**
 * The three requests of a poll, which are sent as one batch. If a poll fails, it is not retried: the next poll follows.
 */
const POLL = ['latest', 'safe', 'finalized'].map((tag) => ({ method: 'eth_getBlockByNumber', params: [tag, false] }));
const HEAD_POLL = POLL.slice(0, 1);
const POLL_OPTIONS = { triesMax: 1, isProbe: true };

/** Follows the node's heads, from when the first listener is added until `close`. */
export class HeadFollower {
  readonly #options: Pick<UpstreamOptions, 'wsUrl' | 'pollMs'>;
  readonly #tuning: UpstreamClientLimits;
  readonly #deps: HeadFollowerDeps;
  readonly #known = new HeadChangeNotifier();
  readonly #lower = new RollbackDetector();
  readonly #pace: PollInterval;
  readonly #ending = new AbortController();
  #socket: HeadSocket | null = null;
  #isRunning = false;
  /** Aborted to end the pause between two polls. */
  #nudge = new AbortController();
  /** True if the WebSocket has announced a head since it connected. */
  #isPushed = false;
  /** When `safe` and `finalized` were last polled. */
  #tagsAtMs = -Infinity;

  constructor(
    options: Pick<UpstreamOptions, 'wsUrl' | 'pollMs'>,
    tuning: UpstreamClientLimits,
    deps: HeadFollowerDeps,
  ) {
    this.#options = options;
    this.#tuning = tuning;
    this.#deps = deps;
    this.#pace = new PollInterval(options.pollMs);
  }

  /** Adds a listener. The first one starts the polling. */
  watch(listener: HeadListener): () => void {
    const unwatch = this.#known.watch(listener);
    this.#start();
    return unwatch;
  }

  close(): void {
    this.#ending.abort();
    this.#nudge.abort();
    this.#socket?.close();
  }

  #start(): void {
    if (this.#isRunning || this.#ending.signal.aborted) return;
    this.#isRunning = true;
    if (this.#options.wsUrl !== null) this.#socket = this.#open(this.#options.wsUrl);
    void this.#poll();
  }

  #open(url: string): HeadSocket {
    const { clock, random, stats } = this.#deps;
    return new HeadSocket(url, this.#tuning, {
      clock,
      random,
      stats,
      onHead: (head) => {
        this.#isPushed = true;
        this.#known.setHead(head);
        this.#applyVerdict(head, this.#lower.announced(head.number));
      },
      // Polls at once, because heads may have been missed while the WebSocket was down.
      onUp: () => {
        this.#isPushed = false;
        this.#nudge.abort();
      },
    });
  }

  async #poll(): Promise<void> {
    const { clock } = this.#deps;
    while (!this.#ending.signal.aborted) {
      this.#nudge = new AbortController();
      const startMs = clock.now();
      await this.#pollNode();
      if (!this.#ending.signal.aborted) await clock.sleepUntil(startMs + this.#pauseMs(), this.#nudge.signal);
    }
  }

  #pauseMs(): number {
    const { pollMs } = this.#options;
    const { tagsMs } = this.#tuning;
    if (this.#socket?.isUp !== true) return this.#pace.pauseMs;
    return this.#lower.isLower ? Math.min(pollMs, tagsMs) : tagsMs;
  }

  async #pollNode(): Promise<void> {
    const nowMs = this.#deps.clock.now();
    // The head may be polled many times a second; the tags `safe` and `finalized` are polled less often.
    const hasTags = this.#socket?.isUp === true || nowMs - this.#tagsAtMs >= this.#tuning.tagsMs;
    if (hasTags) this.#tagsAtMs = nowMs;
    const care = { ...POLL_OPTIONS, untilMs: nowMs + this.#tuning.silenceMs };
    const [latest, safe, finalized] = await this.#deps.rpc.batch(hasTags ? POLL : HEAD_POLL, care);
    if (this.#ending.signal.aborted) return;
    const head = readOf(latest!, parseHead);
    if (head !== null && head !== undefined) this.#polled(head, nowMs);
    if (hasTags) this.#known.setTags(readOf(safe!, parseBlockRef), readOf(finalized!, parseBlockRef));
  }

  /**
   * Handles a polled head. While a WebSocket announces heads, a polled head that is not higher than the last announced
   * one is not reported, because it may be older.
   */
  #polled(head: UpstreamHead, nowMs: number): void {
    this.#pace.found(head.number, nowMs);
    const hasPushedHeads = this.#isPushed && this.#socket?.isUp === true;
    const known = this.#known.head;
    const isOlder = hasPushedHeads && known !== null && head.number <= known.number;
    if (!isOlder && this.#known.setHead(head)) this.#deps.stats.headsPolled++;
    this.#applyVerdict(head, this.#lower.found(head.number));
  }

  #applyVerdict(head: UpstreamHead, verdict: RollbackVerdict): void {
    if (verdict === 'level') this.#known.setLower(null, false);
    else if (verdict !== 'nothing') this.#known.setLower(head, verdict === 'gone back');
  }
}

/** Reads a response. `null`: the node has no such block or tag. `undefined`: the response is unusable. */
function readOf<T>(answer: RpcAnswer, read: (json: unknown) => T): T | null | undefined {
  if (!answer.ok) return answer.error.rpc === null || answer.error.kind === 'unreachable' ? undefined : null;
  if (answer.result === null) return null;
  try {
    return read(answer.result);
  } catch (error) {
    if (error instanceof UpstreamError) return undefined;
    throw error;
  }
}
