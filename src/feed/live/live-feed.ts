// The feed of a live chain: heads of an upstream node and frames of a pre-confirmation feed, one event after the other.
// Runs on the publisher.
import type { ChainDescription } from '../../chain/spec.js';
import type { TransactionExecutorParts } from '../../execution/block/transaction-executor.js';
import type { Histogram } from '../../lib/histogram.js';
import { mergedWants, NO_WANTS, type Wants } from '../../state/recording-view.js';
import type { RecoverSenders } from '../../transaction/sender.js';
import type { Upstream } from '../../upstream/upstream.js';
import type { Feed, FillPurpose, LiveSink, UpstreamAccess } from '../feed.js';
import type { LiveStatus } from '../status.js';
import { AccessLists } from './cold/access-lists.js';
import { newCounts } from '../counts.js';
import type { Events, EventsListener } from './events.js';
import { ExecutionTime, type ExecutionTimeParts } from './executing/execution-time.js';
import { Filler } from './cold/filler.js';
import { Follower, type FollowerParts } from './canonical/follower.js';
import { FrameQueue } from './pre-confirmed/frame-queue.js';
import { HeadQueue, type HeadQueueParts } from './canonical/head-queue.js';
import type { KeptBlocks } from './canonical/kept-blocks.js';
import { LiveChain } from './canonical/live-chain.js';
import { PreConfirmed } from './pre-confirmed/pre-confirmed.js';
import { ReadPatterns } from './cold/read-patterns.js';
import type { RuleBook } from './rules/rule-book.js';
import { Senders } from './executing/senders.js';
import { Turns } from './turns.js';
import type { RecentKeys } from './warm/recent-keys.js';
import { Warmer } from './warm/warmer.js';

/** What a live chain is followed with. */
export interface LiveFeedParts {
  /** The feed closes it. */
  readonly upstream: Upstream;
  readonly rules: RuleBook;
  /** How transactions are executed; on the reference engine where it is not given. */
  readonly executor?: TransactionExecutorParts;
  /** Begins to listen: to the network, or to a record. */
  readonly listen: (listener: EventsListener) => Events;
  /** Recovers senders on other threads. */
  readonly recover: RecoverSenders;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Counts the times from a frame until readers see its state. */
  readonly visible: Histogram;
  /** How execution is timed, where that is not by the machine's clock. */
  readonly timing?: Omit<ExecutionTimeParts, 'counts' | 'onChange'>;
  /** Keys whose values are held again after a beginning; without it nothing is. */
  readonly recent?: RecentKeys;
  /** Blocks below the head with which a state begins, which are executed up to it; 0 where it is not given. */
  readonly beginBelow?: number;
  /** What else is closed at the end, in order. */
  readonly closing?: readonly (() => Promise<void>)[];
}

/** What works on one sink. */
interface Line {
  readonly chain: LiveChain;
  readonly follower: Follower;
  readonly heads: HeadQueue;
  readonly frames: FrameQueue;
  readonly events: Events;
  readonly warmer: Warmer | null;
}

/** Time between two reports of how the chain fares. */
const STATUS_MS = 500;

/** Runs once. */
export class LiveFeed implements Feed<LiveSink> {
  /** The node, once the feed runs. */
  readonly upstream: UpstreamAccess;
  readonly #parts: LiveFeedParts;
  readonly #turns = new Turns();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #line: Line | null = null;
  #inherited: KeptBlocks | null = null;

  constructor(parts: LiveFeedParts) {
    this.#parts = parts;
    this.upstream = {
      fill: (wants, purpose) => this.#fill(wants, purpose),
      request: (method, params, untilMs) => parts.upstream.request(method, params, untilMs),
    };
  }

  /** The chain that the rules are of. */
  get chain(): ChainDescription {
    return this.#parts.rules.chain;
  }

  /** Before `run`: what the sink has is the beginning, with these as its newest blocks. `null`: it is not. */
  resume({ kept }: { readonly kept: KeptBlocks | null }): void {
    this.#inherited = kept;
    this.#parts.rules.suspect();
  }

  /** Follows the upstream node's head until `stop`. The archive's head plays no part: there is none. */
  run(sink: LiveSink): Promise<void> {
    this.#running = this.#follow(sink);
    return this.#running;
  }

  /** What is being executed is finished, unless it takes too long; or the upstream's end breaks it off. */
  stop(): Promise<void> {
    this.#line?.chain.parts.time.supersede('the feed is stopped');
    this.#stopping.abort();
    return this.#running;
  }

  /** How it fares now; only while it runs. */
  get status(): LiveStatus {
    const { upstream, now } = this.#parts;
    const { chain, follower, heads, frames, events, warmer } = this.#following;
    const atMs = now();
    const silentMs = events.feedSilentMs(atMs);
    return {
      counts: { ...chain.parts.counts },
      upstream: { ...upstream.stats },
      upstreamHead: heads.newest.number,
      head: chain.tip?.number ?? 0,
      lowerHead: heads.lower,
      upstreamSilentSinceMs: upstream.silentSinceMs,
      feedBlock: frames.newestBlock,
      headAtMs: heads.newest.atMs,
      feedAtMs: silentMs === null ? null : atMs - silentMs,
      executing: chain.parts.time.executing,
      newestMs: chain.parts.time.newestMs,
      doubt: follower.doubt,
      notice: follower.notice,
      warmth: warmer?.warmth ?? 1,
      atMs,
    };
  }

  get #following(): Line {
    if (this.#line === null) throw new Error('the feed does not run');
    return this.#line;
  }

  async #follow(sink: LiveSink): Promise<void> {
    const { upstream, closing = [] } = this.#parts;
    const { heads, events, warmer } = (this.#line = this.#begin(sink));
    sink.report(this.status);
    const reports = setInterval(() => sink.report(this.status), STATUS_MS);
    await aborted(this.#stopping.signal);
    clearInterval(reports);
    events.close();
    heads.close();
    warmer?.close();
    await upstream.close();
    await this.#turns.settled();
    // One after the other.
    for (const close of closing) await close();
  }

  #begin(sink: LiveSink): Line {
    const { upstream, now, listen, recent, visible, beginBelow = 0 } = this.#parts;
    const turns = this.#turns;
    const chain = this.#chainOn(sink);
    const preConfirmed = new PreConfirmed(chain);
    if (this.#inherited !== null) {
      chain.resume(this.#inherited);
      // What was pre-confirmed elsewhere is told again by the feed, or confirmed.
      preConfirmed.reset();
    }
    const take: FollowerParts['take'] = (block) => preConfirmed.canonical(block);
    const { filler } = chain.parts;
    const warmer = recent === undefined ? null : new Warmer({ recent, filler, sink });
    const onStart: FollowerParts['onStart'] = (block) => {
      preConfirmed.began(block);
      warmer?.begin();
    };
    const returnTo: FollowerParts['returnTo'] = (block) => preConfirmed.returnTo(block);
    const report = (): void => sink.report(this.status);
    const follower = new Follower({ chain, upstream, take, returnTo, onStart, report, beginBelow });
    const announced: HeadQueueParts['announced'] = (number) => preConfirmed.announced(number);
    const onBlock: HeadQueueParts['onBlock'] = (block) => preConfirmed.expectBlock(block);
    const onTags: HeadQueueParts['onTags'] = (tags) => preConfirmed.setTags(tags);
    const heads = new HeadQueue({ chain, follower, upstream, turns, announced, onTags, onMoved: report, onBlock, now });
    const frames = new FrameQueue({ chain, preConfirmed, turns, visible });
    const events = listen({
      onHead: (event) => heads.add(event),
      onFrame: (frame, arrivedMs) => frames.add(frame, arrivedMs),
      onBreak: (kind, reason) => frames.interrupted(kind, reason),
    });
    return { chain, follower, heads, frames, events, warmer };
  }

  #chainOn(sink: LiveSink): LiveChain {
    const { upstream, rules, recover, executor, timing, recent = null } = this.#parts;
    const counts = newCounts();
    const time = new ExecutionTime({ ...timing, counts, onChange: () => sink.report(this.status) });
    const filler = new Filler({ sink, upstream, lists: new AccessLists(upstream), counts, recent });
    const how = executor === undefined ? {} : { executor };
    const patterns = new ReadPatterns();
    const senders = new Senders(recover);
    return new LiveChain({ sink, filler, patterns, senders, counts, time, rules, recent, ...how });
  }

  /** Guesses and the node's list are fetched too: hints, as both are made for the confirmed state. */
  async #fill(wants: Wants, purpose?: FillPurpose): Promise<void> {
    const { filler, patterns, sink } = this.#following.chain.parts;
    const { inputs = null, asked } = purpose ?? {};
    const listing = asked === undefined ? NO_WANTS : filler.listedOfCall(asked);
    const guess = inputs === null ? NO_WANTS : patterns.guess(inputs, wants, sink.view());
    const naming = [...(inputs === null ? [] : [inputs.to]), ...wants.slots.map(({ address }) => address)];
    const named = patterns.named(naming, sink.view());
    // The first key that an execution finds missing is needed, the others may not be: where none has come, that one is refused.
    if (!(await filler.hold(NO_WANTS, mergedWants([wants, guess, named])))) await filler.hold(wants);
    if (inputs !== null) patterns.learn(inputs, wants, sink.view());
    await filler.hold(NO_WANTS, await listing);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
