// Snapshots of the dev chain. A snapshot is a complete block to which clients can later revert the chain.

// If the current block already has transactions when a snapshot is requested, it is sealed first. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import type { RevertibleSnapshots } from '../feed.js';

interface Complete {
  readonly header: { readonly number: number };
}

/**
 * How a request ends the current block. `seal`: the block is sealed early, to take a snapshot of it. `goBack`: the
 * block is dropped, and the chain is reverted to block `to`.
 */
type SnapshotStep<Block> =
  | { readonly kind: 'seal'; readonly sealed: (block: Block) => void }
  | { readonly kind: 'goBack'; readonly to: Block };

type SnapshotRequest =
  | { readonly kind: 'take'; readonly answer: (id: number) => void }
  | { readonly kind: 'goBack'; readonly id: number; readonly answer: (went: boolean | null) => void };

/**
 * Holds the snapshots, and the waiting requests to take one or to revert to one. Ids start at 1 and are never reused.
 */
export class DevSnapshots<Block extends Complete> implements RevertibleSnapshots {
  readonly #ring: () => void;
  #taken: { readonly id: number; readonly block: Block }[] = [];
  #requests: SnapshotRequest[] = [];
  #last = 0;
  /** Number of the highest block that the chain has had so far. */
  #highest = 0;
  /** Functions that answer requests; they are called when the next block is open. */
  #due: (() => void)[] = [];

  /** `ring` wakes the chain; it is called for each request. */
  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** True if a request waits to be handled. */
  get any(): boolean {
    return this.#requests.length > 0;
  }

  take(): Promise<number> {
    return new Promise((answer) => this.#request({ kind: 'take', answer }));
  }

  goBack(id: number): Promise<boolean | null> {
    return new Promise((answer) => this.#request({ kind: 'goBack', id, answer }));
  }

  /**
   * Answers requests in order, up to the first request that requires the current block to end. Returns how that request
   * ends it; `null` if all requests were answered. `parent` is the block below the current block. If `isEmpty`, the
   * current block has no transactions, so its state is the same as the parent's.
   */
  next(parent: Block, isEmpty: boolean): SnapshotStep<Block> | null {
    this.#highest = Math.max(this.#highest, parent.header.number);
    for (let request = this.#requests.shift(); request !== undefined; request = this.#requests.shift()) {
      const next = request.kind === 'take' ? this.#taking(request, parent, isEmpty) : this.#goingBack(request);
      if (next !== null) return next;
    }
    return null;
  }

  /** Called when the next block is open, after the current one was sealed or dropped. */
  opened(): void {
    const due = this.#due;
    this.#due = [];
    for (const answer of due) answer();
  }

  #request(request: SnapshotRequest): void {
    this.#requests.push(request);
    this.#ring();
  }

  #taking(
    { answer }: Extract<SnapshotRequest, { kind: 'take' }>,
    parent: Block,
    isEmpty: boolean,
  ): SnapshotStep<Block> | null {
    if (!isEmpty) {
      return { kind: 'seal', sealed: (block) => this.#due.push(() => answer(this.#add(block))) };
    }
    answer(this.#add(parent));
    return null;
  }

  #add(block: Block): number {
    this.#taken.push({ id: ++this.#last, block });
    if (this.#taken.length > LIMITS.devSnapshotsMax) this.#taken.shift();
    return this.#last;
  }

  /**
   * Starts the revert to a snapshot. It is refused if the snapshot's block is so old that the main thread may have
   * dropped its contents and know only its number.
   */
  #goingBack({ id, answer }: Extract<SnapshotRequest, { kind: 'goBack' }>): SnapshotStep<Block> | null {
    const to = this.#taken.find((each) => each.id === id)?.block;
    const isKept = to !== undefined && to.header.number > this.#highest - LIMITS.blocksKeptMax;
    if (to === undefined || !isKept) {
      answer(to === undefined ? false : null);
      return null;
    }
    this.#taken = this.#taken.filter((each) => each.id < id);
    this.#due.push(() => answer(true));
    return { kind: 'goBack', to };
  }
}
