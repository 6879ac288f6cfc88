// From what streams tell and canonical blocks to what is to be done, in the language of news. No I/O; that is computed as the
// difference between what is served and what should be. Runs on the publisher.
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { keccak256 } from '../../../lib/bytes/keccak.js';
import { LIMITS } from '../../../limits/index.js';
import type {
  AbandonReason,
  Appending,
  CanonicalBlock,
  Increment,
  News,
  Opening,
  Outcome,
  StreamNews,
  ToldIncrement,
} from '../../stream.js';
import { reconcile, type PendingBlock, type Reconciliation } from './reconcile.js';
import { sequence, type Attempt } from './sequence.js';

/** Bounds of what is kept and served. */
export interface TrackerOptions {
  /** Blocks that what is served may be ahead of the canonical ones. */
  readonly depthBlocks: number;
  /** Pre-confirmed blocks that are kept, served or waiting for their parent. */
  readonly keptBlocks: number;
  /** Bytes of transactions that are kept of one block. */
  readonly blockBytesMax: number;
}

const DEFAULTS: TrackerOptions = {
  depthBlocks: LIMITS.feedDepthBlocksMax,
  keptBlocks: LIMITS.feedAheadBlocksMax,
  blockBytesMax: LIMITS.feedBlockBytesMax,
};

/** An object with some arrays of 20 to 32 bytes. */
const OBJECT_BYTES = 256;

/** An attempt that is kept: grows, and may get into a worse state. */
interface Kept extends Attempt {
  readonly increments: Increment[];
  state: Attempt['state'];
  /** Those behind one that is missing, by their index. */
  readonly later: Map<number, Increment>;
  /** Of both. */
  bytes: number;
}

/** Followers of an attempt whose opening has not come: another source may still tell it. */
interface Early {
  readonly block: number;
  readonly name: string;
  readonly later: Map<number, Increment>;
  bytes: number;
}

/** The part of an attempt that has been announced. */
interface Announced {
  readonly attempt: Kept;
  increments: number;
}

/**
 * Keeps the newest blocks of the feed and the canonical head, and answers each event with what is to be done.
 * Served is the chain of blocks from the canonical head on, each whole but the last, while it is not deeper than allowed;
 * everything else waits. So a block that was given up for its depth or for a reorg is built again by itself once its
 * parent is canonical.
 */
export class Tracker {
  readonly #options: TrackerOptions;
  #canonical: CanonicalBlock | null = null;
  /** Ascending by block. */
  #kept: Kept[] = [];
  #announced: Announced[] = [];
  #early: Early | null = null;
  /** Block whose opening was missed, so that it is announced once. */
  #unopened = -1;

  constructor(options: Partial<TrackerOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** The newest of what is served beyond the canonical head; `null`: nothing is. */
  get tip(): { readonly block: number; readonly index: number } | null {
    const last = this.#announced.at(-1);
    return last === undefined ? null : { block: last.attempt.block, index: last.increments - 1 };
  }

  /** A stream has told something. Behind a gap or a lost connection increments may be missing. */
  take(news: StreamNews): News[] {
    if (news.kind === 'open' || news.kind === 'append') return this.#told(news);
    if (news.kind === 'lapse') return [];
    const newest = this.#kept.at(-1);
    if (newest?.state === 'open') newest.state = 'interrupted';
    return [];
  }

  /** The canonical chain has a new head; also one of the same or a lower number, after a reorg. */
  canonical(block: CanonicalBlock): News[] {
    const known = this.#canonical;
    if (known !== null && known.number === block.number && sameBytes(known.hash, block.hash)) return [];
    const found = this.#reconciled(block);
    const [first] = this.#announced;
    const isOther = (known !== null && block.number <= known.number) || isOfOtherChain(found);
    this.#canonical = block;
    this.#kept = this.#kept.filter((attempt) => attempt.block > block.number && !(isOther && isUnanchored(attempt)));
    switch (found.kind) {
      case 'promote':
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

  /** An increment that waits for its turn begins the newest announced block anew, or one below it. */
  isReplacedBy(told: ToldIncrement): boolean {
    const newest = this.#announced.at(-1);
    if (newest === undefined || told.block > newest.attempt.block) return false;
    return sequence({ canonical: this.#canonical, attempts: this.#kept }, told).kind === 'replaces';
  }

  /**
   * A canonical block that waits for its turn leaves nothing of what is announced: it takes the place of the first
   * announced block, or of its parent.
   */
  isVoidedBy(block: CanonicalBlock): boolean {
    const [first] = this.#announced;
    if (first === undefined || block.number < first.attempt.block - 1 || block.number > first.attempt.block)
      return false;
    const found = this.#reconciled(block);
    return found.kind === 'reorg' && found.reason !== 'incomplete';
  }

  /** Our own execution of this block disagrees with the feed: it is not served again, and nothing on it. */
  reject(block: number): News[] {
    const attempt = this.#kept.find((kept) => kept.block === block);
    if (attempt === undefined) return [];
    attempt.state = 'rejected';
    return this.#settle('rejected');
  }

  /** All that is announced was executed on another state than the canonical block's: it is void, and is to be built again. */
  rebuild(): News[] {
    this.#announced = [];
    return this.#settle('anchor');
  }

  #told(told: ToldIncrement): News[] {
    const found = sequence({ canonical: this.#canonical, attempts: this.#kept }, told);
    const { block, increment } = told;
    switch (found.kind) {
      case 'opens':
      case 'ahead':
      case 'replaces':
        // Nothing but an opening has these cases.
        return [...this.#begin(told as Opening), ...this.#settle(found.kind === 'replaces' ? 'anchor' : 'depth')];
      case 'next':
        return this.#extend(told);
      case 'gap':
        this.#keepLater(this.#find(block), increment);
        this.#find(block).state = 'broken';
        return [gapOf(block, increment.index, found.expected)];
      case 'afterGap':
        this.#keepLater(this.#find(block), increment);
        return [];
      case 'conflict':
        this.#find(block).state = 'rejected';
        return this.#settle('conflict');
      case 'unopened':
        this.#keepEarly(told);
        return this.#missedOpening(told);
      case 'otherAttempt':
        this.#keepEarly(told);
        return [];
      case 'duplicate':
      case 'useless':
      case 'stale':
        return [];
    }
  }

  #reconciled(block: CanonicalBlock): Reconciliation {
    const pending = this.#announced.map(({ attempt }) => pendingOf(attempt));
    return reconcile(pending, block, this.#options.depthBlocks);
  }

  #find(block: number): Kept {
    return this.#kept.find((attempt) => attempt.block === block)!;
  }

  /** A block begins: what was kept of it and above it is void. */
  #begin({ block, attempt: name, base, increment }: Opening): News[] {
    this.#kept = this.#kept.filter((attempt) => attempt.block < block).slice(1 - this.#options.keptBlocks);
    const early = this.#early?.block === block && this.#early.name === name ? this.#early : null;
    this.#early = null;
    const later = early?.later ?? new Map<number, Increment>();
    const bytes = (early?.bytes ?? 0) + bytesOf(increment);
    const begun: Kept = { block, name, base, increments: [increment], state: 'open', later, bytes };
    this.#kept.push(begun);
    takeLater(begun);
    const filled: News[] = this.#unopened === block ? [{ kind: 'filled', block }] : [];
    this.#unopened = -1;
    const [next] = begun.later.keys();
    return next === undefined ? filled : [...filled, gapOf(block, next, begun.increments.length)];
  }

  #extend({ block, increment }: Appending): News[] {
    const attempt = this.#find(block);
    const wasBroken = attempt.state === 'broken';
    attempt.bytes += bytesOf(increment);
    if (attempt.bytes > this.#options.blockBytesMax) {
      attempt.state = 'broken';
      return wasBroken ? [] : [{ kind: 'gap', block, reason: `increment ${increment.index} has more bytes than fit` }];
    }
    attempt.increments.push(increment);
    takeLater(attempt);
    const filled: News[] = wasBroken && attempt.state === 'open' ? [{ kind: 'filled', block }] : [];
    return [...filled, ...this.#settle('depth')];
  }

  /** An increment that does not fit is left out: then the gap stays. */
  #keepLater(kept: Kept | Early, increment: Increment): void {
    const bytes = bytesOf(increment);
    if (kept.later.has(increment.index) || kept.bytes + bytes > this.#options.blockBytesMax) return;
    kept.later.set(increment.index, increment);
    kept.bytes += bytes;
  }

  /** Of the newest attempt alone that lacks its opening. */
  #keepEarly({ block, attempt: name, increment }: Appending): void {
    if (this.#early?.block !== block || this.#early.name !== name)
      this.#early = { block, name, later: new Map(), bytes: 0 };
    this.#keepLater(this.#early, increment);
  }

  #missedOpening({ block, increment }: Appending): News[] {
    if (this.#unopened === block) return [];
    this.#unopened = block;
    return [gapOf(block, increment.index, 0)];
  }

  /** Nothing that was announced stays; the canonical block takes its place, and on it what fits. */
  #onto(block: CanonicalBlock, abandoned: News | null): News[] {
    this.#announced = [];
    const rest: News[] = [{ kind: 'canonical', block, outcome: 'execute' }, ...this.#settle('anchor')];
    return abandoned === null ? rest : [abandoned, ...rest];
  }

  #abandon({ attempt }: Announced, reason: AbandonReason): News {
    return { kind: 'abandon', block: attempt.block, reason };
  }

  /**
   * Announces the difference between what was announced and what is to be served. `reason`: why something would be
   * abandoned.
   */
  #settle(reason: AbandonReason): News[] {
    const wanted = this.#chain();
    const common = this.#common(wanted);
    const events = common.flatMap((announced) => this.#appends(announced));
    const lost = this.#announced[common.length];
    const next = wanted[common.length];
    this.#announced = common;
    if (lost !== undefined && lost.attempt.block !== next?.block) events.push(this.#abandon(lost, reason));
    for (const attempt of wanted.slice(common.length)) {
      events.push({ kind: attempt.block === lost?.attempt.block ? 'replace' : 'open', ...openingOf(attempt) });
      const announced = { attempt, increments: 1 };
      this.#announced.push(announced);
      events.push(...this.#appends(announced));
    }
    return events;
  }

  /**
   * Announced blocks that stay: the same ones from the first on, without one that has grown although another one is
   * built on it, which begins anew.
   */
  #common(wanted: readonly Kept[]): Announced[] {
    const last = this.#announced.length - 1;
    const end = this.#announced.findIndex(({ attempt, increments }, at) => {
      return attempt !== wanted[at] || (at < last && increments < attempt.increments.length);
    });
    return end < 0 ? this.#announced : this.#announced.slice(0, end);
  }

  /** The blocks to be served. */
  #chain(): Kept[] {
    const chain: Kept[] = [];
    if (this.#canonical === null) return chain;
    const { number, hash } = this.#canonical;
    for (const attempt of this.#kept) {
      if (attempt.block !== number + 1 + chain.length || attempt.state === 'rejected') break;
      const { parentHash } = attempt.base;
      // A block that does not name its parent waits until that is canonical: its hash is not known before.
      if (chain.length > 0 && parentHash === null) break;
      if (chain.length === 0 && parentHash !== null && !sameBytes(parentHash, hash)) break;
      chain.push(attempt);
      if (attempt.state !== 'open') break;
    }
    return chain.length > this.#options.depthBlocks ? [] : chain;
  }

  #appends(announced: Announced): News[] {
    const { block, name, increments } = announced.attempt;
    const fresh = increments.slice(announced.increments);
    announced.increments = increments.length;
    return fresh.map((increment) => ({ kind: 'append', block, attempt: name, increment }));
  }
}

function gapOf(block: number, index: number, expected: number): News {
  return { kind: 'gap', block, reason: `increment ${index} has come where ${expected} comes next` };
}

/** Takes the increments over that have waited for one before them. */
function takeLater(attempt: Kept): void {
  const { increments, later } = attempt;
  for (let next = later.get(increments.length); next !== undefined; next = later.get(increments.length)) {
    later.delete(increments.length);
    increments.push(next);
  }
  attempt.state = later.size === 0 ? 'open' : 'broken';
}

function openingOf({ block, name, base, increments }: Attempt): Opening {
  return { block, attempt: name, base, increment: increments[0]! };
}

/** Hashes are computed when they are asked for: of several blocks one is compared. */
function pendingOf({ block: number, base: { parentHash }, increments }: Attempt): PendingBlock {
  return {
    number,
    parentHash,
    get transactionHashes() {
      return increments.flatMap(({ transactions }) => transactions.map((raw) => keccak256(raw)));
    },
    get postExecHash() {
      const { ending } = increments.at(-1)!;
      return ending === null ? null : keccak256(ending);
    },
  };
}

/** It does not say what it is built on: it is of the chain that was canonical, or pre-confirmed, when it came. */
function isUnanchored({ base }: Attempt): boolean {
  return base.parentHash === null;
}

/** The canonical block is another one than was pre-confirmed: nothing that was told behind it is of its chain. */
function isOfOtherChain(found: Reconciliation): boolean {
  return found.kind === 'reorg' && (found.reason === 'transactions' || found.reason === 'parent');
}

function bytesOf({ transactions, outcome }: Increment): number {
  return transactions.reduce((total, raw) => total + raw.length, outcome === null ? 0 : outcomeBytes(outcome));
}

/** About what it takes in memory. */
function outcomeBytes({ receipts, accounts }: Outcome): number {
  const logs = receipts.flatMap((receipt) => receipt.logs);
  const logBytes = logs.reduce((total, { topics, data }) => total + OBJECT_BYTES + 32 * topics.length + data.length, 0);
  return accounts.reduce(
    (total, { slots, code }) => total + OBJECT_BYTES * (1 + slots.length) + (code?.length ?? 0),
    logBytes,
  );
}
