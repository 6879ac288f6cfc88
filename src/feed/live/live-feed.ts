// The feed of a live chain: heads of an upstream node, one event after the other, and the questions of main about
// state that is not held. Runs on the publisher.
import type { TransactionExecutorParts } from '../../execution/block/transaction-executor.js';
import type { Rules } from '../../evm/ethereumjs/fork-rules.js';
import type { RecoverSenders } from '../../transaction/sender.js';
import { LIMITS } from '../../limits.js';
import {
  UpstreamError,
  type HeadEvent,
  type Upstream,
  type UpstreamBlock,
  type UpstreamHead,
} from '../../upstream/upstream.js';
import type { Wants } from '../../state/recording-view.js';
import type { Frame } from '../flashblocks/frame.js';
import type { LiveMessage, LiveQuestion } from './messages.js';
import type { LiveStatus } from './status.js';
import { AccessLists } from './access-lists.js';
import { newCounts } from './counts.js';
import { Filler } from './filler.js';
import { Follower } from './follower.js';
import { LiveChain } from './live-chain.js';
import { LiveTable } from './live-table.js';
import type { Events, EventsListener } from './events.js';
import { PreConfirmed } from './pre-confirmed.js';
import { Senders } from './senders.js';

export interface LiveFeedParts {
  readonly upstream: Upstream;
  readonly rules: Rules;
  /** How transactions are executed; on the reference engine where it is not given. */
  readonly executor?: TransactionExecutorParts;
  /** Begins to listen: to the network, or to a record. */
  readonly listen: (listener: EventsListener) => Events;
  readonly post: (message: LiveMessage) => void;
  /** Recovers senders on other threads. */
  readonly recover: RecoverSenders;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

const STATUS_MS = 500;

/** Runs from `start` to `stop`. */
export class LiveFeed {
  readonly #parts: LiveFeedParts;
  readonly #counts = newCounts();
  readonly #filler: Filler;
  readonly #senders: Senders;
  readonly #chain: LiveChain;
  readonly #follower: Follower;
  readonly #preConfirmed: PreConfirmed;
  #events: Events | null = null;
  /** Settles when all events so far have been dealt with; a rejection is a bug and ends the thread. */
  #turn: Promise<void> = Promise.resolve();
  /** Counts the heads that were heard of; of those that have been followed, the newest. */
  #heard = 0;
  #followed = 0;
  #upstreamHead = 0;
  #feedBlock: number | null = null;
  #headAtMs: number;
  #retry: NodeJS.Timeout | null = null;
  #status: NodeJS.Timeout | null = null;
  #isStopping = false;

  constructor(parts: LiveFeedParts) {
    const { upstream, rules, post, recover, executor } = parts;
    const counts = this.#counts;
    const table = new LiveTable(post);
    this.#parts = parts;
    this.#headAtMs = parts.now();
    this.#filler = new Filler({ table, upstream, lists: new AccessLists(upstream), counts });
    const note = (text: string): void => post({ kind: 'progress', text });
    this.#senders = new Senders(recover);
    const how = executor === undefined ? {} : { executor };
    const held = { table, filler: this.#filler, senders: this.#senders };
    this.#chain = new LiveChain({ ...held, counts, rules, post, note, ...how });
    this.#preConfirmed = new PreConfirmed(this.#chain);
    this.#follower = new Follower({
      chain: this.#chain,
      upstream,
      take: (block) => this.#preConfirmed.canonical(block),
      onStart: (block) => this.#preConfirmed.began(block),
      now: parts.now,
    });
  }

  /** The canonical chain first: what is pre-confirmed needs it to stand on. */
  start(): void {
    this.#status = setInterval(() => this.#parts.post({ kind: 'live', status: this.status }), STATUS_MS);
    this.#events = this.#parts.listen({
      onHead: (event) => this.#receive(event),
      onFrame: (frame) => this.#hear(frame),
      onBreak: (kind, reason) => this.#interrupted(kind, reason),
    });
  }

  /** What is being executed is finished or broken off by the upstream's end. */
  async stop(): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry);
    if (this.#status !== null) clearInterval(this.#status);
    this.#retry = null;
    this.#events?.close();
    this.#isStopping = true;
    await this.#parts.upstream.close();
    await this.#turn;
  }

  /** How it fares now. */
  get status(): LiveStatus {
    const now = this.#parts.now();
    const silentMs = this.#events?.feedSilentMs(now) ?? null;
    return {
      counts: { ...this.#counts },
      upstream: { ...this.#parts.upstream.stats },
      upstreamHead: this.#upstreamHead,
      head: this.#chain.tip?.number ?? 0,
      upstreamSilentSinceMs: this.#parts.upstream.silentSinceMs,
      feedBlock: this.#feedBlock,
      headAtMs: this.#headAtMs,
      feedAtMs: silentMs === null ? null : now - silentMs,
      notice: this.#follower.notice,
      atMs: now,
    };
  }

  /** Answers `fill` and `request`. */
  async ask(message: LiveQuestion): Promise<void> {
    const { upstream, post } = this.#parts;
    const { id } = message;
    try {
      if (message.kind === 'fill') {
        await this.#fill(message.wants, message.call);
        post({ kind: 'filled', id });
      } else {
        const result = await upstream.request(message.method, message.params, message.untilMs);
        post({ kind: 'response', id, result: JSON.stringify(result ?? null) });
      }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (message.kind === 'fill') post({ kind: 'unfilled', id, message: error.message });
      else post({ kind: 'refusal', id, message: error.message, rpc: error.rpc });
    }
  }

  /** What the upstream says that a call reads is fetched too: a hint, as it says so for the confirmed state. */
  async #fill(wants: Wants, call: unknown): Promise<void> {
    const listing = call === undefined ? null : this.#filler.listedOfCall(call);
    await this.#filler.hold(wants);
    const listed = await listing;
    if (listed !== null) await this.#filler.hold(listed);
  }

  #receive(event: HeadEvent): void {
    if (event.kind === 'tags') {
      this.#chain.setTags({ safe: event.safe?.number ?? null, finalized: event.finalized?.number ?? null });
      return;
    }
    this.#upstreamHead = event.head.number;
    this.#headAtMs = this.#parts.now();
    void this.#fetch(event.head, ++this.#heard);
  }

  /** Senders are recovered while what came before is executed. */
  #hear(frame: Frame): void {
    this.#feedBlock = frame.blockNumber;
    this.#senders.expect(frame.transactions);
    this.#enqueue(() => this.#preConfirmed.frame(frame));
  }

  /** Blocks are fetched beside what is being executed, so that increments need not wait for the network. */
  async #fetch(head: UpstreamHead, order: number): Promise<void> {
    try {
      const block = await this.#parts.upstream.block(head.hash);
      if (block === null) return;
      this.#senders.expectBlock(block.transactions);
      this.#enqueue(() => this.#follow(head, block, order));
    } catch (error) {
      this.#failed(error, head, order);
    }
  }

  /** A head that was overtaken on its way is passed over: the newer one leads through it. */
  async #follow(head: UpstreamHead, block: UpstreamBlock, order: number): Promise<void> {
    if (order < this.#followed || this.#isStopping) return;
    this.#followed = order;
    try {
      await this.#follower.follow(block);
    } catch (error) {
      this.#failed(error, head, order);
    }
  }

  #failed(error: unknown, head: UpstreamHead, order: number): void {
    if (!(error instanceof UpstreamError)) throw error;
    if (error.kind === 'closed' || this.#isStopping) return;
    this.#counts.upstreamFailures++;
    this.#chain.parts.note(`block ${head.number} cannot be followed yet: ${error.message}`);
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#fetch(head, order), LIMITS.followRetryMs);
  }

  /** Frames may have been lost. */
  #interrupted(kind: 'fault' | 'down', reason: string): void {
    if (kind === 'fault') this.#counts.gaps++;
    this.#chain.parts.note(
      kind === 'down' ? `the feed is down: ${reason}` : `a message of the feed is no frame: ${reason}`,
    );
    this.#enqueue(async () => this.#preConfirmed.interrupted());
  }

  #enqueue(task: () => Promise<void>): void {
    this.#turn = this.#turn.then(task);
  }
}
