// Queue of everything that changes a live chain: what the upstream node and the pre-confirmation feed announce.
import type { LiveFeedCounters } from '../live-feed-counters.js';
import type { LiveSink } from '../feed.js';
import type { StreamEvent } from '../pre-confirmation-stream-events.js';
import type { ExecutionOrDiffChooser } from '../diffs/execution-or-diff-chooser.js';
import { preciseMonotonicMs } from '../../lib/clock.js';
import type { Histogram } from '../../lib/histogram.js';
import { LIMITS } from '../../limits/index.js';
import { isNodeSilent, UpstreamError, type BlockNumberAndHash, type HeadOrTagsEvent } from '../../upstream/upstream.js';
import type { UpstreamBlock, UpstreamHead } from '../../upstream/upstream.js';
import type { CanonicalFollower } from './canonical/canonical-follower.js';
import { ExecutionAborted, type ExecutionTimeLimiter } from './executing/execution-time-limiter.js';
import type { TransactionSenders } from './executing/transaction-senders.js';
import type { LiveEventListener } from './live-event-sources.js';
import type { LiveBlockTree } from './tree/block-tree.js';
import { contradictsPreConfirmed, isBlockReplacedByHead, restartsVisibleBlock } from './tree/decide-tree-actions.js';
import type { TreeDriver } from './tree/tree-driver.js';

interface InputQueueDeps {
  readonly tree: LiveBlockTree;
  readonly driver: TreeDriver;
  readonly follower: CanonicalFollower;
  readonly sources: Pick<ExecutionOrDiffChooser, 'expected'>;
  readonly sink: Pick<LiveSink, 'progress' | 'warn'>;
  readonly counts: LiveFeedCounters;
  readonly senders: TransactionSenders;
  readonly time: ExecutionTimeLimiter;
  /** Fetches the block of a head; `null` if the node does not know it any more. Rejects with UpstreamError. */
  readonly fetch: (head: UpstreamHead) => Promise<UpstreamBlock | null>;
  /** Histograms of the time from the arrival of a feed message, and of a head, until its state is published. */
  readonly visible: { readonly increments: Histogram; readonly heads: Histogram };
  /** Reports the chain's status to the main thread. */
  readonly report: () => void;
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
}

interface AnnouncedHead {
  readonly head: UpstreamHead;
  /** Sequence number of the announcement. Of two heads, the one with the higher number was announced later. */
  readonly order: number;
  /** Time of the announcement in monotonic milliseconds, by `preciseMonotonicMs`. */
  readonly atMs: number;
  /** True if the node has certainly rolled back to this head. */
  readonly isCertain: boolean;
}

/** An announced head with its fetched block. */
interface Fetched extends AnnouncedHead {
  readonly block: UpstreamBlock;
}

/**
 * Handles inputs one after the other. Feed events and tags are queued when they arrive. A head is queued only after its
 * block was fetched, so that increments do not wait for the network. A head is skipped if a newer one was already
 * followed.
 */
export class InputQueue implements LiveEventListener {
  readonly #deps: InputQueueDeps;
  #last: Promise<void> = Promise.resolve();
  #feedBlock: number | null = null;
  #newestHead: { readonly number: number; readonly atMs: number };
  /**
   * `#announcements`: number of heads announced so far. `#followed`: the `order` of the newest head that was followed.
   */
  #announcements = 0;
  #followed = 0;
  #newestFetched: Fetched | null = null;
  #retry: NodeJS.Timeout | null = null;
  #lowerHead: number | null = null;
  /** Number of consecutive attempts to follow a head that failed although the node responded. */
  #refusals = 0;
  #isClosed = false;

  constructor(deps: InputQueueDeps) {
    this.#deps = deps;
    this.#newestHead = { number: 0, atMs: deps.now() };
  }

  /** Number of the block of the feed's newest increment; `null` before the first one. */
  get feedBlock(): number | null {
    return this.#feedBlock;
  }

  /** The newest announced head, and when it was announced. Before the first one: number 0 and the time of the start. */
  get newestHead(): { readonly number: number; readonly atMs: number } {
    return this.#newestHead;
  }

  /**
   * Number of the node's newest block, if several polls found it below our newest block, because the node has rolled
   * back or a load balancer has switched to a node that lags; otherwise `null`.
   */
  get lowerHead(): number | null {
    return this.#lowerHead;
  }

  /** Runs `task` after everything that was queued before. A task that rejects is a bug, and ends the thread. */
  add(task: () => Promise<void>): void {
    this.#last = this.#last.then(task);
  }

  /** Resolves when everything that was queued so far is handled. */
  settled(): Promise<void> {
    return this.#last;
  }

  /** Stops following heads. */
  close(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    this.#isClosed = true;
  }

  /** Queues an event of the feed. Senders are recovered while earlier inputs are handled. */
  onEvent(event: StreamEvent, arrivedMs: number): void {
    const { tree, sink, counts, senders, time } = this.#deps;
    switch (event.kind) {
      case 'open':
      case 'append':
        this.#feedBlock = event.block;
        senders.expect(event.increment.transactions);
        if (time.task?.kind === 'increment' && restartsVisibleBlock(tree, event))
          time.supersede(`the feed has rebuilt block ${event.block}`);
        break;
      case 'gap':
        counts.gaps++;
        sink.progress(`a message of the feed cannot be read: ${event.reason}`);
        break;
      case 'lapse':
        return sink.progress(`one of the feeds: ${event.reason}`);
      case 'down':
        sink.progress(`the feed is down: ${event.reason}`);
    }
    this.add(() => this.#take(event, arrivedMs));
  }

  /** Queues the node's tags, or fetches the block of an announced head. */
  onHead(event: HeadOrTagsEvent): void {
    switch (event.kind) {
      case 'tags': {
        const tags = { safe: event.safe?.number ?? null, finalized: event.finalized?.number ?? null };
        return this.add(async () => void (await this.#deps.driver.take({ kind: 'tags', tags })));
      }
      case 'head':
        return this.#announced(event.head, false);
      case 'lower':
        this.#setLower(event.head);
        if (event.head !== null && event.isCertain) this.#announced(event.head, true);
    }
  }

  /** Called if a value in our state after `block` differs from the node's. The state is loaded anew at the head. */
  quarantine(block: BlockNumberAndHash, reason: string): void {
    this.add(async () => {
      this.#deps.follower.quarantine(block, reason);
      await this.#follow(this.#newestFetched!);
    });
  }

  /** Handles an event of the feed. If this publishes an increment, records the time since the event's arrival. */
  async #take(event: Exclude<StreamEvent, { readonly kind: 'lapse' }>, arrivedMs: number): Promise<void> {
    const { counts, driver, visible } = this.#deps;
    const before = counts.increments;
    if ('increment' in event) await driver.increment(event);
    else await driver.take({ kind: 'feedDown' });
    if (counts.increments > before) visible.increments.record(preciseMonotonicMs() - arrivedMs);
  }

  #announced(head: UpstreamHead, isCertain: boolean): void {
    const { time, now } = this.#deps;
    this.#newestHead = { number: head.number, atMs: now() };
    const { task } = time;
    if (task?.kind === 'block' && isBlockReplacedByHead(head, { number: task.block, hash: task.hash }))
      time.supersede(`block ${head.number} of another chain is the head`);
    void this.#fetch({ head, order: ++this.#announcements, atMs: preciseMonotonicMs(), isCertain });
  }

  /**
   * Records that the node's head is below ours, or with `null` that it is not. Logs only the first of consecutive heads
   * that are lower.
   */
  #setLower(head: UpstreamHead | null): void {
    const { sink, tree, report } = this.#deps;
    const { tip } = tree;
    const number = head === null || tip === null || head.number >= tip.number ? null : head.number;
    if (number !== null && this.#lowerHead === null)
      sink.warn(`the upstream's newest block is ${number}, below block ${tip!.number}: its head went back, or it lags`);
    this.#lowerHead = number;
    report();
  }

  /** Fetches a head's block, while earlier inputs are being handled, and then queues the head. */
  async #fetch(announced: AnnouncedHead): Promise<void> {
    const { tree, fetch, sources, senders, time } = this.#deps;
    const { head, order } = announced;
    try {
      const block = await fetch(head);
      if (block === null) return;
      if (sources.expected === null) senders.expectBlock(block.transactions);
      if (time.task?.kind === 'increment' && contradictsPreConfirmed(tree, block))
        time.supersede(`block ${block.number} is another one`);
      const fetched = { ...announced, block };
      if (order > (this.#newestFetched?.order ?? 0)) this.#newestFetched = fetched;
      this.add(() => this.#follow(fetched));
    } catch (error) {
      this.#failed(error, announced);
    }
  }

  /**
   * Follows a head. Skips a head that was announced before the one that was followed last.
   */
  async #follow(fetched: Fetched): Promise<void> {
    const { head, block, order, atMs, isCertain } = fetched;
    if (order < this.#followed || this.#isClosed) return;
    this.#followed = order;
    const { tree, follower, visible, report } = this.#deps;
    const before = tree.tip;
    try {
      await follower.follow(block, isCertain);
      if (tree.tip !== before) visible.heads.record(preciseMonotonicMs() - atMs);
      this.#refusals = 0;
      if (this.#lowerHead !== null && tree.tip!.number <= this.#lowerHead) this.#lowerHead = null;
      report();
    } catch (error) {
      if (error instanceof ExecutionAborted) await this.#passOver(error);
      else if (this.#isGone(error)) await this.#resync(`block ${head.number} cannot be followed: ${error.message}`);
      else this.#failed(error, fetched);
    }
  }

  /** Handles an aborted execution. If it was superseded, the block that replaces it is next; otherwise resyncs. */
  async #passOver({ kind, message }: ExecutionAborted): Promise<void> {
    if (kind === 'superseded' || this.#isClosed) this.#deps.sink.progress(message);
    else await this.#resync(message);
  }

  /**
   * Counts failed attempts to follow a head. Returns true if the node responds, but has refused something that is
   * needed too often, such as the state of the block to which a reorganization returns.
   */
  #isGone(error: unknown): error is UpstreamError {
    if (!(error instanceof UpstreamError) || isNodeSilent(error)) return false;
    return ++this.#refusals >= LIMITS.followTriesMax;
  }

  /** Loads the state anew at the newest head, and skips older heads in the queue. */
  async #resync(reason: string): Promise<void> {
    const { sink, follower } = this.#deps;
    sink.progress(reason);
    const newest = this.#newestFetched!;
    const { block, order } = newest;
    this.#followed = order;
    try {
      await follower.resync(block, `${reason}: its state is the upstream's`);
      this.#refusals = 0;
    } catch (error) {
      this.#failed(error, newest);
    }
  }

  #failed(error: unknown, announced: AnnouncedHead): void {
    if (!(error instanceof UpstreamError)) throw error;
    if (error.kind === 'closed' || this.#isClosed) return;
    const { counts, sink } = this.#deps;
    counts.upstreamFailures++;
    sink.progress(`block ${announced.head.number} cannot be followed yet: ${error.message}`);
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#fetch(announced), LIMITS.followRetryMs);
  }
}
