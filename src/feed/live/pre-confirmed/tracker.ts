// From frames and canonical blocks to the language of feeds: open, append, replace, abandon, gap. No I/O; what is to be
// announced is computed as the difference between what is served and what should be. Runs on the publisher.
import { sameBytes } from '../../../lib/byte-map.js';
import { keccak256 } from '../../../lib/keccak.js';
import { LIMITS } from '../../../limits.js';
import type { Frame, FrameBase } from '../../streams/flashblocks/frame.js';
import {
  reconcile,
  type Reconciliation,
  type CanonicalBlock,
  type PendingBlock,
  type ReorgReason,
} from './reconcile.js';
import { sequence, type Attempt, type SequenceCase } from './sequence.js';

/** What is new in a block. */
export interface Increment {
  readonly index: number;
  /** EIP-2718 bytes, in order. */
  readonly transactions: readonly Uint8Array[];
  /** Of the block so far: what our own execution must come to. */
  readonly gasUsed: bigint;
  /** Of the block so far; `null` where the builder did not compute it. */
  readonly receiptsRoot: Uint8Array | null;
}

/** A block begins, with what its increment 0 has in it. */
export interface Opening {
  readonly block: number;
  readonly payloadId: string;
  readonly parentHash: Uint8Array;
  readonly base: FrameBase;
  readonly increment: Increment;
  /** Whether its parent is the pre-confirmed block before it (which is open) or the canonical head. */
  readonly parent: 'pending' | 'canonical';
}

/** `reorg`: by a canonical block. `depth`: too far ahead of them. `passed`: the canonical chain is beyond it. */
export type AbandonReason = ReorgReason | 'depth' | 'passed' | 'conflict' | 'rejected';

/** To be carried out in order. */
export type FeedEvent =
  | ({ readonly kind: 'open' } & Opening)
  /** The block of this number begins anew: what was announced of it and of all above it is void. */
  | ({ readonly kind: 'replace' } & Opening)
  | { readonly kind: 'append'; readonly block: number; readonly increment: Increment }
  /** What was announced of this block and of all above it is void. */
  | { readonly kind: 'abandon'; readonly block: number; readonly reason: AbandonReason }
  /** Increments of this block from `expected` on will not come; what was announced before them stays right. */
  | { readonly kind: 'gap'; readonly block: number; readonly expected: number; readonly actual: number }
  /**
   * The canonical block takes its place here: `promote` the pre-confirmed block of its number as it is, or `execute` it on
   * its own parent. What is opened afterwards is built on it.
   */
  | { readonly kind: 'canonical'; readonly block: CanonicalBlock; readonly outcome: 'promote' | 'execute' };

/** Bounds of what is kept and served. */
export interface TrackerOptions {
  /** Blocks that what is served may be ahead of the canonical ones. */
  readonly depthBlocks: number;
  /** Pre-confirmed blocks that are kept, served or waiting for their parent. */
  readonly keptBlocks: number;
  /** Bytes of transactions that are kept of one block. */
  readonly blockBytesMax: number;
}

/** How often each case occurred. */
export interface TrackerCounters {
  readonly frames: Readonly<Record<SequenceCase['kind'], number>>;
  readonly abandoned: Readonly<Record<AbandonReason, number>>;
  readonly promoted: number;
}

const DEFAULTS: TrackerOptions = {
  depthBlocks: LIMITS.feedDepthBlocksMax,
  keptBlocks: LIMITS.feedAheadBlocksMax,
  blockBytesMax: LIMITS.feedBlockBytesMax,
};

/** An attempt that is kept: grows, and may get into a worse state. */
interface Kept extends Attempt {
  readonly frames: Frame[];
  state: Attempt['state'];
  bytes: number;
}

/** What has been announced of an attempt. */
interface Announced {
  readonly attempt: Kept;
  frames: number;
}

/**
 * Keeps the newest blocks of the feed and the canonical head, and answers each event with what is to be done.
 * Served is the chain of blocks from the canonical head on, each whole but the last, while it is not deeper than allowed;
 * everything else waits. So a block that was given up for its depth or for a reorg is built again by itself once its
 * parent is canonical.
 */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #frames: Record<SequenceCase['kind'], number> = {
    opens: 0,
    ahead: 0,
    replaces: 0,
    next: 0,
    duplicate: 0,
    conflict: 0,
    gap: 0,
    afterGap: 0,
    otherPayload: 0,
    unopened: 0,
    stale: 0,
  };
  readonly #abandoned: Record<AbandonReason, number> = {
    anchor: 0,
    skipped: 0,
    parent: 0,
    transactions: 0,
    incomplete: 0,
    depth: 0,
    passed: 0,
    conflict: 0,
    rejected: 0,
  };
  #promoted = 0;
  #canonical: CanonicalBlock | null = null;
  /** Ascending by block. */
  #kept: Kept[] = [];
  #announced: Announced[] = [];
  /** Block whose opening was missed, so that it is announced once. */
  #unopened = -1;

  constructor(options: Partial<TrackerOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** How often each case occurred since the start. */
  get counters(): TrackerCounters {
    return { frames: this.#frames, abandoned: this.#abandoned, promoted: this.#promoted };
  }

  /** What is served by now beyond the canonical head; `null`: nothing. */
  get tip(): { readonly block: number; readonly index: number } | null {
    const last = this.#announced.at(-1);
    return last === undefined ? null : { block: last.attempt.block, index: last.frames - 1 };
  }

  /** A frame has arrived. */
  frame(frame: Frame): FeedEvent[] {
    const found = sequence({ canonical: this.#canonical, attempts: this.#kept }, frame);
    this.#frames[found.kind]++;
    switch (found.kind) {
      case 'opens':
      case 'ahead':
        this.#begin(frame);
        return this.#settle('depth');
      case 'replaces':
        this.#begin(frame);
        return this.#settle('anchor');
      case 'next':
        return this.#extend(frame);
      case 'gap':
        this.#find(frame.blockNumber).state = 'broken';
        return [{ kind: 'gap', block: frame.blockNumber, expected: found.expected, actual: found.actual }];
      case 'conflict':
        this.#find(frame.blockNumber).state = 'rejected';
        return this.#settle('conflict');
      case 'unopened':
        return this.#missedOpening(frame);
      case 'duplicate':
      case 'afterGap':
      case 'otherPayload':
      case 'stale':
        return [];
    }
  }

  /** The canonical chain has a new head; also one of the same or a lower number, after a reorg. */
  canonical(block: CanonicalBlock): FeedEvent[] {
    const known = this.#canonical;
    if (known !== null && known.number === block.number && sameBytes(known.hash, block.hash)) return [];
    const found = this.#reconciled(block);
    const [first] = this.#announced;
    this.#canonical = block;
    this.#kept = this.#kept.filter((attempt) => attempt.block > block.number);
    switch (found.kind) {
      case 'promote':
        this.#promoted++;
        this.#announced = this.#announced.filter(({ attempt }) => attempt.block > block.number);
        return [{ kind: 'canonical', block, outcome: 'promote' }, ...this.#settle('anchor')];
      case 'nothing':
        return this.#onto(block, null);
      case 'reorg':
        return this.#onto(block, this.#abandon(first!, found.reason));
      case 'drop':
        return this.#onto(block, this.#abandon(first!, 'depth'));
      case 'ahead':
        return this.#onto(block, this.#abandon(first!, 'passed'));
    }
  }

  /** Whether a frame that waits for its turn begins the newest announced block anew, or one below it. */
  isReplacedBy(frame: Frame): boolean {
    const newest = this.#announced.at(-1);
    if (newest === undefined || frame.blockNumber > newest.attempt.block) return false;
    return sequence({ canonical: this.#canonical, attempts: this.#kept }, frame).kind === 'replaces';
  }

  /**
   * Whether a canonical block that waits for its turn leaves nothing of what is announced: it takes the place of the first
   * announced block, or of its parent.
   */
  isVoidedBy(block: CanonicalBlock): boolean {
    const [first] = this.#announced;
    if (first === undefined || block.number < first.attempt.block - 1 || block.number > first.attempt.block)
      return false;
    const found = this.#reconciled(block);
    return found.kind === 'reorg' && found.reason !== 'incomplete';
  }

  /** Frames may have been lost since the last one: the connection broke, or a message could not be read. */
  interrupted(): void {
    const newest = this.#kept.at(-1);
    if (newest?.state === 'open') newest.state = 'interrupted';
  }

  /** Our own execution of this block disagrees with the feed: it is not served again, and nothing on it. */
  reject(block: number): FeedEvent[] {
    const attempt = this.#kept.find((kept) => kept.block === block);
    if (attempt === undefined) return [];
    attempt.state = 'rejected';
    return this.#settle('rejected');
  }

  /** What is announced was executed on another state than the canonical block's: it is void, and is to be built again. */
  rebuild(): FeedEvent[] {
    this.#announced = [];
    return this.#settle('anchor');
  }

  #reconciled(block: CanonicalBlock): Reconciliation {
    const pending = this.#announced.map(({ attempt }) => pendingOf(attempt));
    return reconcile(pending, block, this.#options.depthBlocks);
  }

  #find(block: number): Kept {
    return this.#kept.find((attempt) => attempt.block === block)!;
  }

  /** A block begins: what was kept of it and above it is void. */
  #begin(frame: Frame): void {
    const { blockNumber: block, payloadId } = frame;
    this.#kept = this.#kept.filter((attempt) => attempt.block < block).slice(1 - this.#options.keptBlocks);
    this.#kept.push({ block, payloadId, frames: [frame], state: 'open', bytes: bytesOf(frame) });
  }

  #extend(frame: Frame): FeedEvent[] {
    const attempt = this.#find(frame.blockNumber);
    const { index: actual, blockNumber: block } = frame;
    attempt.bytes += bytesOf(frame);
    if (attempt.bytes > this.#options.blockBytesMax) {
      attempt.state = 'broken';
      return [{ kind: 'gap', block, expected: actual, actual }];
    }
    attempt.frames.push(frame);
    attempt.state = 'open';
    return this.#settle('depth');
  }

  #missedOpening({ blockNumber: block, index: actual }: Frame): FeedEvent[] {
    if (this.#unopened === block) return [];
    this.#unopened = block;
    return [{ kind: 'gap', block, expected: 0, actual }];
  }

  /** Nothing that was announced stays; the canonical block takes its place, and on it what fits. */
  #onto(block: CanonicalBlock, abandoned: FeedEvent | null): FeedEvent[] {
    this.#announced = [];
    const rest: FeedEvent[] = [{ kind: 'canonical', block, outcome: 'execute' }, ...this.#settle('anchor')];
    return abandoned === null ? rest : [abandoned, ...rest];
  }

  #abandon({ attempt }: Announced, reason: AbandonReason): FeedEvent {
    this.#abandoned[reason]++;
    return { kind: 'abandon', block: attempt.block, reason };
  }

  /**
   * Announces the difference between what was announced and what is to be served. `reason`: why something would be
   * abandoned.
   */
  #settle(reason: AbandonReason): FeedEvent[] {
    const wanted = this.#chain();
    const common = this.#announced.filter(({ attempt }, at) => attempt === wanted[at]);
    const events = common.flatMap((announced) => this.#appends(announced));
    const lost = this.#announced[common.length];
    const next = wanted[common.length];
    this.#announced = common;
    if (lost !== undefined && lost.attempt.block !== next?.block) events.push(this.#abandon(lost, reason));
    for (const attempt of wanted.slice(common.length)) {
      events.push({ kind: attempt.block === lost?.attempt.block ? 'replace' : 'open', ...this.#opening(attempt) });
      const announced = { attempt, frames: 1 };
      this.#announced.push(announced);
      events.push(...this.#appends(announced));
    }
    return events;
  }

  /** The blocks to be served. */
  #chain(): Kept[] {
    const chain: Kept[] = [];
    if (this.#canonical === null) return chain;
    const { number, hash } = this.#canonical;
    for (const attempt of this.#kept) {
      if (attempt.block !== number + 1 + chain.length || attempt.state === 'rejected') break;
      if (chain.length === 0 && !sameBytes(baseOf(attempt).parentHash, hash)) break;
      chain.push(attempt);
      if (attempt.state !== 'open') break;
    }
    return chain.length > this.#options.depthBlocks ? [] : chain;
  }

  #appends(announced: Announced): FeedEvent[] {
    const { attempt } = announced;
    const fresh = attempt.frames.slice(announced.frames);
    announced.frames = attempt.frames.length;
    return fresh.map((frame) => ({ kind: 'append', block: attempt.block, increment: incrementOf(frame) }));
  }

  #opening(attempt: Kept): Opening {
    const { block, payloadId, frames } = attempt;
    const base = baseOf(attempt);
    const parent = block - 1 === this.#canonical?.number ? 'canonical' : 'pending';
    return { block, payloadId, parentHash: base.parentHash, base, increment: incrementOf(frames[0]!), parent };
  }
}

/** Hashes are computed when they are asked for: of several blocks one is compared. */
function pendingOf(attempt: Kept): PendingBlock {
  const { block: number, frames } = attempt;
  return {
    number,
    parentHash: baseOf(attempt).parentHash,
    get transactionHashes() {
      return frames.flatMap(({ transactions }) => transactions.map((raw) => keccak256(raw)));
    },
    get postExecHash() {
      const postExec = frames.at(-1)!.postExecTransaction;
      return postExec === null ? null : keccak256(postExec);
    },
  };
}

function baseOf({ frames }: Attempt): FrameBase {
  return frames[0]!.base!;
}

function incrementOf({ index, transactions, gasUsed, receiptsRoot }: Frame): Increment {
  return { index, transactions, gasUsed, receiptsRoot };
}

function bytesOf({ transactions }: Frame): number {
  return transactions.reduce((total, raw) => total + raw.length, 0);
}
