// Heads of the upstream node on their way into the chain: their blocks are fetched beside what is being executed, and
// followed one after the other. Runs on the publisher.
import { LIMITS } from '../../limits.js';
import { UpstreamError, type HeadEvent, type Upstream } from '../../upstream/upstream.js';
import type { UpstreamBlock, UpstreamHead } from '../../upstream/upstream.js';
import type { Follower } from './follower.js';
import type { LiveChain } from './live-chain.js';
import type { Turns } from './turns.js';

/** What the queue works with. */
export interface HeadQueueParts {
  readonly chain: LiveChain;
  readonly follower: Follower;
  readonly upstream: Pick<Upstream, 'block'>;
  readonly turns: Turns;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/** Takes heads until it is closed. */
export class HeadQueue {
  readonly #parts: HeadQueueParts;
  #newest: { readonly number: number; readonly atMs: number };
  /** Counts the heads that were heard of; of those that have been followed, the newest. */
  #heard = 0;
  #followed = 0;
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(parts: HeadQueueParts) {
    this.#parts = parts;
    this.#newest = { number: 0, atMs: parts.now() };
  }

  /** The newest head that was announced, and when; number 0 and the time of the start before the first one. */
  get newest(): { readonly number: number; readonly atMs: number } {
    return this.#newest;
  }

  /** Takes what the upstream node announces. */
  add(event: HeadEvent): void {
    const { chain, now } = this.#parts;
    if (event.kind === 'tags') {
      chain.setTags({ safe: event.safe?.number ?? null, finalized: event.finalized?.number ?? null });
      return;
    }
    this.#newest = { number: event.head.number, atMs: now() };
    void this.#fetch(event.head, ++this.#heard);
  }

  /** Follows nothing more. */
  close(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    this.#isClosed = true;
  }

  /** Blocks are fetched beside what is being executed, so that increments need not wait for the network. */
  async #fetch(head: UpstreamHead, order: number): Promise<void> {
    const { upstream, chain, turns } = this.#parts;
    try {
      const block = await upstream.block(head.hash);
      if (block === null) return;
      chain.parts.senders.expectBlock(block.transactions);
      turns.add(() => this.#follow(head, block, order));
    } catch (error) {
      this.#failed(error, head, order);
    }
  }

  /** A head that was overtaken on its way is passed over: the newer one leads through it. */
  async #follow(head: UpstreamHead, block: UpstreamBlock, order: number): Promise<void> {
    if (order < this.#followed || this.#isClosed) return;
    this.#followed = order;
    try {
      await this.#parts.follower.follow(block);
    } catch (error) {
      this.#failed(error, head, order);
    }
  }

  #failed(error: unknown, head: UpstreamHead, order: number): void {
    if (!(error instanceof UpstreamError)) throw error;
    if (error.kind === 'closed' || this.#isClosed) return;
    const { counts, sink } = this.#parts.chain.parts;
    counts.upstreamFailures++;
    sink.progress(`block ${head.number} cannot be followed yet: ${error.message}`);
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#fetch(head, order), LIMITS.followRetryMs);
  }
}
