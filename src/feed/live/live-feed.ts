// The feed of a live chain: heads of an upstream node, one piece of news after the other, and the questions of main about
// state that is not held. Runs on the publisher.
import type { Rules } from '../../evm/rules.js';
import { LIMITS } from '../../limits.js';
import { UpstreamError, type HeadNews, type Upstream, type UpstreamHead } from '../../upstream/upstream.js';
import type { FromPublisher, LiveStatus, ToPublisher } from '../messages.js';
import { newCounts } from './counts.js';
import { Filler } from './filler.js';
import { Follower, isUpstreamFailure } from './follower.js';
import { LiveChain } from './live-chain.js';
import { LiveTable } from './live-table.js';

export interface LiveFeedParts {
  readonly upstream: Upstream;
  readonly rules: Rules;
  readonly post: (message: FromPublisher) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const STATUS_MS = 500;

/** Runs from `start` to `stop`. */
export class LiveFeed {
  readonly #parts: LiveFeedParts;
  readonly #counts = newCounts();
  readonly #filler: Filler;
  readonly #chain: LiveChain;
  readonly #follower: Follower;
  /** Settles when all news so far has been dealt with; a rejection is a bug and ends the thread. */
  #turn: Promise<void> = Promise.resolve();
  /** The newest head that has not been followed. */
  #wanted: UpstreamHead | null = null;
  #upstreamHead = 0;
  #headAtMs: number;
  #retry: NodeJS.Timeout | null = null;
  #status: NodeJS.Timeout | null = null;
  #unwatch: (() => void) | null = null;

  constructor(parts: LiveFeedParts) {
    const { upstream, rules, post } = parts;
    const counts = this.#counts;
    const table = new LiveTable(post);
    this.#parts = parts;
    this.#headAtMs = parts.now();
    this.#filler = new Filler({ table, upstream, counts });
    const note = (text: string): void => post({ kind: 'progress', text });
    this.#chain = new LiveChain({ table, filler: this.#filler, counts, rules, post, note });
    this.#follower = new Follower({
      chain: this.#chain,
      upstream,
      take: (block) => this.#chain.execute(block),
      onStart: () => undefined,
    });
  }

  start(): void {
    this.#unwatch = this.#parts.upstream.watchHeads((news) => this.#receive(news));
    this.#status = setInterval(() => this.#parts.post({ kind: 'live', status: this.#describe() }), STATUS_MS);
  }

  /** What is being executed is finished or broken off by the upstream's end. */
  async stop(): Promise<void> {
    this.#unwatch?.();
    if (this.#retry !== null) clearTimeout(this.#retry);
    if (this.#status !== null) clearInterval(this.#status);
    this.#wanted = null;
    await this.#parts.upstream.close();
    await this.#turn;
  }

  /** Answers `fill` and `request`. */
  async ask(message: Extract<ToPublisher, { kind: 'fill' | 'request' }>): Promise<void> {
    const { upstream, post } = this.#parts;
    const { id } = message;
    try {
      if (message.kind === 'fill') {
        await this.#filler.fill(message.wants);
        post({ kind: 'filled', id });
      } else {
        const result = await upstream.request(message.method, message.params);
        post({ kind: 'response', id, result: JSON.stringify(result ?? null) });
      }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (message.kind === 'fill') post({ kind: 'unfilled', id, message: error.message });
      else post({ kind: 'refusal', id, message: error.message, rpc: error.rpc });
    }
  }

  #receive(news: HeadNews): void {
    if (news.kind === 'tags') {
      this.#chain.setTags({ safe: news.safe?.number ?? null, finalized: news.finalized?.number ?? null });
      return;
    }
    this.#upstreamHead = news.head.number;
    this.#headAtMs = this.#parts.now();
    this.#wanted = news.head;
    this.#enqueue(() => this.#follow());
  }

  /** Heads that came while one was being followed are passed over: the newest leads through them. */
  async #follow(): Promise<void> {
    const head = this.#wanted;
    if (head === null) return;
    this.#wanted = null;
    try {
      await this.#follower.follow(head);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (!isUpstreamFailure(error)) return;
      this.#counts.upstreamFailures++;
      this.#chain.parts.note(`block ${head.number} cannot be followed yet: ${error.message}`);
      this.#wanted ??= head;
      this.#retry ??= setTimeout(() => this.#tryAgain(), LIMITS.followRetryMs);
    }
  }

  #tryAgain(): void {
    this.#retry = null;
    this.#enqueue(() => this.#follow());
  }

  #enqueue(task: () => Promise<void>): void {
    this.#turn = this.#turn.then(task);
  }

  #describe(): LiveStatus {
    return {
      counts: { ...this.#counts },
      upstream: { ...this.#parts.upstream.stats },
      upstreamHead: this.#upstreamHead,
      head: this.#chain.tip?.number ?? 0,
      headAtMs: this.#headAtMs,
      feedAtMs: null,
      atMs: this.#parts.now(),
    };
  }
}
