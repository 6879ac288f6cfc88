// Queue of the heads that the upstream node announces. Their blocks are fetched while earlier ones are executed, and
// then followed one after the other.
import { LIMITS } from '../../../limits/index.js';
import { preciseMs } from '../../../lib/clock.js';
import type { Histogram } from '../../../lib/histogram.js';
import type { BlockTags } from '../../../state/state-diff.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { isNodeSilent, UpstreamError, type BlockRef, type HeadEvent } from '../../../upstream/upstream.js';
import type { UpstreamBlock, UpstreamHead } from '../../../upstream/upstream.js';
import type { LiveSink } from '../../feed.js';
import {
  ExecutionAborted,
  type ExecutionTimeLimiter,
  type ExecutionTask,
} from '../executing/execution-time-limiter.js';
import type { CanonicalFollower, CanonicalFollowerDeps } from './canonical-follower.js';
import type { LiveBlockTree } from '../tree/block-tree.js';
import type { SerialQueue } from '../executing/serial-queue.js';

interface HeadQueueDeps extends Pick<CanonicalFollowerDeps, 'driver' | 'counts'> {
  readonly tree: Pick<LiveBlockTree, 'tip'>;
  readonly sink: Pick<LiveSink, 'progress' | 'warn'>;
  readonly time: ExecutionTimeLimiter;
  readonly follower: CanonicalFollower;
  /** Fetches the block of a head; `null` if the node does not know it any more. Rejects with UpstreamError. */
  readonly fetch: (head: UpstreamHead) => Promise<UpstreamBlock | null>;
  readonly serial: SerialQueue;
  /** Histogram of the time from a head's announcement until readers see its state. */
  readonly visible: Histogram;
  /** Called when a head was followed, or when the node's head falls below ours or catches up. */
  readonly onMoved: () => void;
  /** Called when a head's block was fetched and waits in the queue. */
  readonly onBlock: (block: UpstreamBlock) => void;
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
}

interface AnnouncedHead {
  readonly head: UpstreamHead;
  /** Counts the announcements, to compare which one is newer. */
  readonly order: number;
  /** Time of the announcement by `preciseMs`. */
  readonly atMs: number;
  /** True if the node has certainly rolled back to this head. */
  readonly isCertain: boolean;
}

/** An announced head with its fetched block. */
interface Fetched extends AnnouncedHead {
  readonly block: UpstreamBlock;
}

/** Accepts announced heads until it is closed. */
export class HeadQueue {
  readonly #deps: HeadQueueDeps;
  #newest: { readonly number: number; readonly atMs: number };
  /**
   * Number of heads announced so far; and the number of the announcement (`order`) of the newest head that was
   * followed.
   */
  #announcements = 0;
  #followed = 0;
  #newestFetched: Fetched | null = null;
  #retry: NodeJS.Timeout | null = null;
  #lower: number | null = null;
  /** Number of consecutive attempts to follow a head that failed although the node responded. */
  #refusals = 0;
  #isClosed = false;

  constructor(deps: HeadQueueDeps) {
    this.#deps = deps;
    this.#newest = { number: 0, atMs: deps.now() };
  }

  /** The newest announced head, and when it was announced. Before the first one: number 0 and the time of the start. */
  get newest(): { readonly number: number; readonly atMs: number } {
    return this.#newest;
  }

  /**
   * Number of the node's newest block if several polls found it below ours, after a rollback or at another node; else
   * `null`.
   */
  get lower(): number | null {
    return this.#lower;
  }

  add(event: HeadEvent): void {
    switch (event.kind) {
      case 'tags':
        return this.#deps.serial.add(
          async () => void (await this.#deps.driver.take({ kind: 'tags', tags: tagsOf(event) })),
        );
      case 'head':
        return this.#announced(event.head, false);
      case 'lower':
        this.#setLower(event.head);
        if (event.head !== null && event.isCertain) this.#announced(event.head, true);
    }
  }

  /** Called if the node reads a value of an applied block differently. The state is loaded anew at the head. */
  quarantine(block: BlockRef, reason: string): void {
    this.#deps.serial.add(async () => {
      this.#deps.follower.quarantine(block, reason);
      await this.#follow(this.#newestFetched!);
    });
  }

  /** Stops following heads. */
  close(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    this.#isClosed = true;
  }

  #announced(head: UpstreamHead, isCertain: boolean): void {
    const { time, now } = this.#deps;
    this.#newest = { number: head.number, atMs: now() };
    const { task } = time;
    if (task?.kind === 'block' && replaces(head, task))
      time.supersede(`block ${head.number} of another chain is the head`);
    void this.#fetch({ head, order: ++this.#announcements, atMs: preciseMs(), isCertain });
  }

  /**
   * Records that the node's head is below ours. This is logged once, until the node has caught up or its head was
   * followed.
   */
  #setLower(head: UpstreamHead | null): void {
    const { sink, tree } = this.#deps;
    const { tip } = tree;
    const number = head === null || tip === null || head.number >= tip.number ? null : head.number;
    if (number !== null && this.#lower === null)
      sink.warn(`the upstream's newest block is ${number}, below block ${tip!.number}: its head went back, or it lags`);
    this.#lower = number;
    this.#deps.onMoved();
  }

  /** Fetches a head's block while others are executed, so that increments do not wait for the network. */
  async #fetch(announced: AnnouncedHead): Promise<void> {
    const { fetch, serial, onBlock } = this.#deps;
    const { head, order } = announced;
    try {
      const block = await fetch(head);
      if (block === null) return;
      onBlock(block);
      const fetched = { ...announced, block };
      if (order > (this.#newestFetched?.order ?? 0)) this.#newestFetched = fetched;
      serial.add(() => this.#follow(fetched));
    } catch (error) {
      this.#failed(error, announced);
    }
  }

  /**
   * Follows a head. It is skipped if a newer head was already followed, because the chain to the newer head contains
   * it.
   */
  async #follow(fetched: Fetched): Promise<void> {
    const { head, block, order, atMs, isCertain } = fetched;
    if (order < this.#followed || this.#isClosed) return;
    this.#followed = order;
    const { tree, follower, visible } = this.#deps;
    const before = tree.tip;
    try {
      await follower.follow(block, isCertain);
      if (tree.tip !== before) visible.record(preciseMs() - atMs);
      this.#refusals = 0;
      if (this.#lower !== null && tree.tip!.number <= this.#lower) this.#lower = null;
      this.#deps.onMoved();
    } catch (error) {
      if (error instanceof ExecutionAborted) await this.#passOver(error);
      else if (this.#isGone(error)) await this.#resync(`block ${head.number} cannot be followed: ${error.message}`);
      else this.#failed(error, fetched);
    }
  }

  /** Handles a block whose execution was aborted. If another block replaces it, that block is next in the queue. */
  async #passOver({ kind, message }: ExecutionAborted): Promise<void> {
    if (kind === 'superseded' || this.#isClosed) this.#deps.sink.progress(message);
    else await this.#resync(message);
  }

  /**
   * Returns true if the node keeps refusing something that is needed, such as the state to which a reorganization
   * returns.
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

function tagsOf({ safe, finalized }: Extract<HeadEvent, { kind: 'tags' }>): Omit<BlockTags, 'latest'> {
  return { safe: safe?.number ?? null, finalized: finalized?.number ?? null };
}

/**
 * Returns true if a head replaces the block that is being executed: it has the same number but another hash, or it is
 * the next block but has another parent.
 */
function replaces(
  { number, hash, parentHash }: UpstreamHead,
  task: Extract<ExecutionTask, { kind: 'block' }>,
): boolean {
  if (number === task.block) return !sameBytes(hash, task.hash);
  return number === task.block + 1 && !sameBytes(parentHash, task.hash);
}
