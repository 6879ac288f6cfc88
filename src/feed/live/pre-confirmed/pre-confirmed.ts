// Brings the pre-confirmation feed and the canonical blocks together: what the tracker decides is carried out here. Runs
// on the publisher.
import type { PublishedTransaction } from '../../../state/block.js';
import type { Heads } from '../../../state/diff.js';
import { UpstreamError, type UpstreamBlock } from '../../../upstream/upstream.js';
import type { Frame } from '../../streams/flashblocks/frame.js';
import type { CanonicalBlock } from './reconcile.js';
import { Tracker, type FeedEvent, type Opening } from './tracker.js';
import { invalidity } from '../executing/block-runner.js';
import { GivenUp } from '../executing/execution-time.js';
import type { KeptBlock } from '../canonical/kept-blocks.js';
import { placeOf, type LiveChain } from '../canonical/live-chain.js';
import { PendingChain } from './pending-chain.js';

/** One call at a time. */
export class PreConfirmed {
  readonly #chain: LiveChain;
  readonly #pending: PendingChain;
  #tracker = new Tracker();

  constructor(chain: LiveChain) {
    this.#chain = chain;
    this.#pending = new PendingChain(chain);
  }

  /** Transactions of a pre-confirmed block, as far as they have been executed. */
  announced(number: number): readonly PublishedTransaction[] {
    return this.#pending.announced(number);
  }

  /** A frame has come and waits for its turn: an increment of a block that it replaces is of no use any more. */
  expect(frame: Frame): void {
    const { time } = this.#chain.parts;
    if (time.task?.kind !== 'increment' || !this.#tracker.isReplacedBy(frame)) return;
    time.supersede(`the feed has begun block ${frame.blockNumber} anew`);
  }

  /** The same of a canonical block. One that may confirm the increment at hand leaves it its use. */
  expectBlock(block: UpstreamBlock): void {
    const { time } = this.#chain.parts;
    if (time.task?.kind !== 'increment' || !this.#tracker.isVoidedBy(canonicalOf(block))) return;
    time.supersede(`block ${block.number} is another one`);
  }

  /** Takes a canonical block whose parent is kept. Answers why it does not fit. Rejects with UpstreamError and GivenUp. */
  async canonical(block: UpstreamBlock): Promise<string | null> {
    const events = this.#tracker.canonical(canonicalOf(block));
    const at = events.findIndex(({ kind }) => kind === 'canonical');
    const decision = events[at];
    const isPromotion = decision?.kind === 'canonical' && decision.outcome === 'promote';
    try {
      const isSame = isPromotion && (await this.#promote(block));
      const reason = isSame ? null : await this.#execute(block);
      if (reason !== null) return reason;
      await this.#carryOut(isSame || !isPromotion ? events.slice(at + 1) : this.#tracker.rebuild());
      return null;
    } catch (error) {
      if (error instanceof UpstreamError || error instanceof GivenUp) this.reset();
      throw error;
    }
  }

  /** The state was begun anew after this block: nothing that was pre-confirmed stands. */
  began(block: UpstreamBlock): void {
    this.#pending.clear();
    this.#tracker = new Tracker();
    this.#tracker.canonical(canonicalOf(block));
  }

  /** A frame has its turn. What cannot be executed for lack of state is dropped and told, until the next block opens. */
  async frame(frame: Frame): Promise<void> {
    try {
      await this.#carryOut(this.#tracker.frame(frame));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const { counts, sink } = this.#chain.parts;
      counts.upstreamFailures++;
      sink.progress(`pre-confirmed block ${frame.blockNumber} is dropped: ${error.message}`);
      this.reset();
    }
  }

  /** Frames may have been lost. */
  interrupted(): void {
    this.#tracker.interrupted();
  }

  /** What `safe` and `finalized` mean has changed: the newest version is published once more, and says so. */
  setTags(tags: Omit<Heads, 'latest'>): void {
    if (!this.#chain.setTags(tags)) return;
    if (this.#pending.isEmpty) this.#chain.returnTo(this.#chain.tip!);
    else this.#pending.showAgain();
  }

  /** Drops what is pre-confirmed: `pending` is `latest` until a block opens on the head. */
  reset(): void {
    const { tip } = this.#chain;
    if (tip === null || this.#chain.parts.sink.newest === tip.version) this.#restart(tip);
    else this.returnTo(tip);
  }

  /** The same where the newest confirmed block is this kept one from now on. Throws VersionNotKept, as LiveChain does. */
  returnTo(block: KeptBlock): void {
    this.#chain.returnTo(block);
    this.#restart(block);
  }

  #restart(tip: KeptBlock | null): void {
    if (!this.#pending.isEmpty) this.#chain.parts.counts.fallbacks++;
    this.#pending.clear();
    this.#tracker = new Tracker();
    if (tip !== null) this.#tracker.canonical({ ...tip, transactionHashes: [] });
  }

  async #promote(block: UpstreamBlock): Promise<boolean> {
    const reason = await this.#pending.promote(block).catch(invalidity);
    if (reason === null) return true;
    this.#chain.parts.counts.mismatches++;
    this.#chain.parts.sink.progress(`block ${block.number} as it was pre-confirmed: ${reason}`);
    return false;
  }

  async #execute(block: UpstreamBlock): Promise<string | null> {
    if (!this.#pending.isEmpty) this.#chain.parts.counts.fallbacks++;
    this.#pending.clear();
    const { number, hash } = block;
    return this.#chain.parts.time.during({ kind: 'block', block: number, hash }, () => this.#chain.execute(block));
  }

  /**
   * An event that does not fit, or takes too long, is reported to the tracker, whose answer takes the place of what
   * follows.
   */
  async #carryOut(events: readonly FeedEvent[]): Promise<void> {
    let queue = [...events];
    for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
      const reason = await this.#act(event).catch(onlyGivenUp);
      if (reason === null || event.kind === 'canonical') continue;
      if (!(reason instanceof GivenUp)) this.#chain.parts.counts.mismatches++;
      this.#chain.parts.sink.progress(`pre-confirmed block ${event.block}: ${messageOf(reason)}`);
      queue = this.#tracker.reject(event.block);
    }
  }

  async #act(event: FeedEvent): Promise<string | null> {
    switch (event.kind) {
      case 'open':
      case 'replace':
        await this.#checkRules(event);
        return this.#during(event.block, () => this.#pending.open(event).catch(invalidity));
      case 'append':
        return this.#during(event.block, () => this.#pending.append(event.block, event.increment));
      case 'abandon':
        this.#pending.abandon(event.block);
        return null;
      case 'gap':
        this.#chain.parts.counts.gaps++;
        return null;
      case 'canonical':
        return null;
    }
  }

  /** Rules that are not served yet begin with a confirmed block. */
  async #checkRules({ block, base }: Opening): Promise<void> {
    const { rules } = this.#chain.parts;
    if (rules.isInForce(await rules.rulingFor(base.timestamp))) return;
    throw new GivenUp('superseded', `block ${block} waits until it is confirmed: its rules are not those before`);
  }

  #during(block: number, execute: () => Promise<string | null>): Promise<string | null> {
    return this.#chain.parts.time.during({ kind: 'increment', block }, execute);
  }
}

function onlyGivenUp(error: unknown): GivenUp {
  if (error instanceof GivenUp) return error;
  throw error;
}

function messageOf(reason: string | GivenUp): string {
  return typeof reason === 'string' ? reason : reason.message;
}

function canonicalOf(block: UpstreamBlock): CanonicalBlock {
  const { number, hash, transactions } = block;
  const { parentHash } = placeOf(block).coordinates;
  return { number, hash, parentHash, transactionHashes: transactions.map((transaction) => transaction.hash) };
}
