// Brings a stream and the canonical blocks together: what the tracker decides is carried out here. Runs on the publisher.

// Decision (2026-11, two cores): A confirmed block comes without what has been announced. Where the block is pre-
// confirmed the node is asked for the hashes of its transactions alone, a tenth of the bytes; the header's root is
// checked as ever. Price: a second question where they are others, or where the last increment has not been executed
// yet.
import type { PublishedTransaction } from '../../../state/block.js';
import type { Heads } from '../../../state/diff.js';
import { UpstreamError, type UpstreamBlock } from '../../../upstream/upstream.js';
import { ForeignMet } from '../../../evm/foreign-met.js';
import type { LiveCounts } from '../../counts.js';
import type { LiveSink } from '../../feed.js';
import type { CanonicalBlock, News, Opening, StreamNews, ToldIncrement } from '../../stream.js';
import type { KeptBlock } from '../canonical/kept-blocks.js';
import { placeOf, type LiveChain, type Untaken } from '../canonical/live-chain.js';
import type { WayOn } from '../../diffs/way.js';
import { invalidity } from '../executing/block-runner.js';
import { GivenUp, type ExecutionTime } from '../executing/execution-time.js';
import type { RuleBook } from '../rules/rule-book.js';
import type { PendingChain } from './pending-chain.js';
import { Tracker } from './tracker.js';

/** Parts that pre-confirmed and canonical blocks are brought together with. */
export interface PreConfirmedParts {
  readonly chain: LiveChain;
  readonly pending: PendingChain;
  readonly sink: Pick<LiveSink, 'newest' | 'progress'>;
  readonly counts: LiveCounts;
  readonly time: ExecutionTime;
  readonly rules: RuleBook;
}

/** One call at a time. */
export class PreConfirmed {
  readonly #parts: PreConfirmedParts;
  #tracker = new Tracker();

  constructor(parts: PreConfirmedParts) {
    this.#parts = parts;
  }

  /** Transactions of a pre-confirmed block, as far as they have been executed. */
  announced(number: number): readonly PublishedTransaction[] {
    return this.#parts.pending.announced(number);
  }

  /** An increment has come and waits for its turn: one of a block that it replaces is of no use any more. */
  expect(told: ToldIncrement): void {
    const { time } = this.#parts;
    if (time.task?.kind !== 'increment' || !this.#tracker.isReplacedBy(told)) return;
    time.supersede(`the feed has begun block ${told.block} anew`);
  }

  /** A canonical block has come and waits for its turn. One that may confirm the increment at hand leaves it its use. */
  expectBlock(block: UpstreamBlock): void {
    const { time } = this.#parts;
    if (time.task?.kind !== 'increment' || !this.#tracker.isVoidedBy(canonicalOf(block))) return;
    time.supersede(`block ${block.number} is another one`);
  }

  /**
   * Takes a canonical block whose parent is kept; one that comes as a diff takes the place of what was pre-confirmed. Answers as
   * LiveChain's `take`. Rejects with UpstreamError and GivenUp.
   */
  async canonical(block: UpstreamBlock, way: WayOn): Promise<Untaken | null> {
    const events = this.#tracker.canonical(canonicalOf(block));
    const at = events.findIndex(({ kind }) => kind === 'canonical');
    const decision = events[at];
    const isPromotion = decision?.kind === 'canonical' && decision.outcome === 'promote';
    try {
      const isSame = isPromotion && way.by === 'execution' && (await this.#promote(block));
      const untaken = isSame ? null : await this.#take(block, way);
      if (untaken !== null) return untaken;
      await this.#carryOut(isSame || !isPromotion ? events.slice(at + 1) : this.#tracker.rebuild());
      return null;
    } catch (error) {
      if (error instanceof UpstreamError || error instanceof GivenUp) this.reset();
      throw error;
    }
  }

  /** The state was begun anew after this block: nothing that was pre-confirmed stands. */
  began(block: UpstreamBlock): void {
    this.#parts.pending.clear();
    this.#tracker = new Tracker();
    this.#tracker.canonical(canonicalOf(block));
  }

  /** News of the stream have their turn. Increments that cannot be executed for lack of state are dropped and told, until a block opens. */
  async take(news: StreamNews): Promise<void> {
    try {
      await this.#carryOut(this.#tracker.take(news));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const { counts, sink } = this.#parts;
      counts.upstreamFailures++;
      const dropped = 'increment' in news ? `pre-confirmed block ${news.block}` : 'pre-confirmed state';
      sink.progress(`${dropped} is dropped: ${error.message}`);
      this.reset();
    }
  }

  /** `safe` and `finalized` have changed: the newest version is published once more, and says so. */
  setTags(tags: Omit<Heads, 'latest'>): void {
    if (!this.#parts.chain.setTags(tags)) return;
    if (this.#parts.pending.isEmpty) this.#parts.chain.returnTo(this.#parts.chain.tip!);
    else this.#parts.pending.showAgain();
  }

  /** Drops what is pre-confirmed: `pending` is `latest` until a block opens on the head. */
  reset(): void {
    const { tip } = this.#parts.chain;
    if (tip === null || this.#parts.sink.newest === tip.version) this.#restart(tip);
    else this.returnTo(tip);
  }

  /** Drops it, and the newest confirmed block is this kept one from now on. Throws VersionNotKept, as LiveChain does. */
  returnTo(block: KeptBlock): void {
    this.#parts.chain.returnTo(block);
    this.#restart(block);
  }

  #restart(tip: KeptBlock | null): void {
    if (!this.#parts.pending.isEmpty) this.#parts.counts.fallbacks++;
    this.#parts.pending.clear();
    this.#tracker = new Tracker();
    if (tip !== null) this.#tracker.canonical({ ...tip, transactionHashes: [] });
  }

  async #promote(block: UpstreamBlock): Promise<boolean> {
    const reason = await this.#parts.pending.promote(block).catch(invalidity);
    if (reason === null) return true;
    this.#parts.counts.mismatches++;
    this.#parts.sink.progress(`block ${block.number} as it was pre-confirmed: ${reason}`);
    return false;
  }

  async #take(block: UpstreamBlock, way: WayOn): Promise<Untaken | null> {
    if (!this.#parts.pending.isEmpty) this.#parts.counts.fallbacks++;
    this.#parts.pending.clear();
    const { number, hash } = block;
    return this.#parts.time.during({ kind: 'block', block: number, hash }, () => this.#parts.chain.take(block, way));
  }

  /**
   * An event that does not fit, runs code that is not the EVM's, or takes too long, is reported to the tracker, whose answer takes the place of what
   * follows.
   */
  async #carryOut(events: readonly News[]): Promise<void> {
    let queue = [...events];
    for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
      const reason = await this.#act(event).catch(onlyDropped);
      if (reason === null || !('increment' in event)) continue;
      if (typeof reason === 'string') this.#parts.counts.mismatches++;
      this.#parts.sink.progress(`pre-confirmed block ${event.block}: ${messageOf(reason)}`);
      queue = this.#tracker.reject(event.block);
    }
  }

  async #act(event: News): Promise<string | null> {
    switch (event.kind) {
      case 'open':
      case 'replace':
        await this.#checkRules(event);
        return this.#during(event.block, () => this.#parts.pending.open(event).catch(invalidity));
      case 'append':
        return this.#during(event.block, () => this.#parts.pending.append(event.block, event.increment));
      case 'abandon':
        this.#parts.pending.abandon(event.block);
        return null;
      case 'gap':
        this.#parts.counts.gaps++;
        return null;
      case 'filled':
        this.#parts.counts.gapsFilled++;
        return null;
      case 'canonical':
      case 'down':
        return null;
    }
  }

  /** Rules that are not served yet begin with a confirmed block. */
  async #checkRules({ block, base: { env } }: Opening): Promise<void> {
    const { rules } = this.#parts;
    if (rules.isInForce(await rules.rulingFor(env.timestamp))) return;
    throw new GivenUp('superseded', `block ${block} waits until it is confirmed: its rules are not those before`);
  }

  #during(block: number, execute: () => Promise<string | null>): Promise<string | null> {
    return this.#parts.time.during({ kind: 'increment', block }, execute);
  }
}

/** An end of an event that says nothing of the state. */
type Dropped = GivenUp | ForeignMet;

function onlyDropped(error: unknown): Dropped {
  if (error instanceof GivenUp || error instanceof ForeignMet) return error;
  throw error;
}

function messageOf(reason: string | Dropped): string {
  return typeof reason === 'string' ? reason : reason.message;
}

function canonicalOf(block: UpstreamBlock): CanonicalBlock {
  const { number, hash, transactions } = block;
  const { parentHash } = placeOf(block).coordinates;
  return { number, hash, parentHash, transactionHashes: transactions.map((transaction) => transaction.hash) };
}
