// A plain model of what readers see of a feed: every block is a set of increments by index, and everything else is
// computed from these sets each time. Compared with `src/feed/live/tree` in property tests.
import type {
  CanonicalBlock,
  Increment,
  OpeningIncrement,
  ReportedIncrement,
} from '../../../../src/feed/pre-confirmation-stream-events.js';
import { toHex } from '../../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../../src/lib/bytes/keccak-wasm.js';
import { LIMITS } from '../../../../src/limits/index.js';

interface Bag {
  readonly block: number;
  readonly name: string;
  readonly got: Map<number, Increment>;
}

interface Build extends Bag {
  readonly parent: string | null;
  isInterrupted: boolean;
  isRejected: boolean;
}

export class AnnouncedModel {
  /** Pre-confirmed blocks as readers see them, as `block/payload: raw,raw`. */
  seen: readonly string[] = [];
  readonly counts = { gaps: 0, filled: 0 };
  #tip: CanonicalBlock;
  #builds = new Map<number, Build>();
  #orphans: Bag | null = null;
  #unopened: number | null = null;
  #seenBuilds: readonly Build[] = [];

  constructor(tip: CanonicalBlock) {
    this.#tip = tip;
  }

  get tip(): CanonicalBlock {
    return this.#tip;
  }

  increment(reported: ReportedIncrement): void {
    if (reported.block <= this.#tip.number) return;
    if (reported.kind === 'open') this.#open(reported);
    else this.#follow(reported);
  }

  down(): void {
    const newest = this.#builds.get(Math.max(...this.#builds.keys()));
    if (newest !== undefined && !newest.isRejected && isWhole(newest)) newest.isInterrupted = true;
  }

  reject(block: number): void {
    const build = this.#builds.get(block);
    if (build === undefined) return;
    build.isRejected = true;
    this.#show();
  }

  /** Returns what happens to the pre-confirmed block. */
  head(block: CanonicalBlock): 'promote' | 'execute' {
    const first = this.#seenBuilds[0];
    const isSameNumber = first?.block === block.number;
    const hasParent = first?.parent == null || first.parent === toHex(block.parentHash);
    const theirs = block.transactionHashes.map(toHex);
    const ours =
      first === undefined
        ? []
        : whole(first).flatMap(({ transactions }) => transactions.map((raw) => toHex(keccak256(raw))));
    const isPrefix = ours.every((hash, at) => hash === theirs[at]);
    const isSame = isSameNumber && hasParent && isPrefix && ours.length === theirs.length;
    const isOther = block.number <= this.#tip.number || (isSameNumber && !(hasParent && isPrefix));
    this.#tip = block;
    for (const [number, { parent }] of this.#builds)
      if (number <= block.number || (isOther && parent === null)) this.#builds.delete(number);
    this.#show();
    return isSame ? 'promote' : 'execute';
  }

  #open({ block, attempt: name, base, increment }: OpeningIncrement): void {
    const known = this.#builds.get(block);
    const parent = base.parentHash === null ? null : toHex(base.parentHash);
    if (
      known?.name === name &&
      known.parent === parent &&
      !known.isRejected &&
      saysTheSame(known.got.get(0)!, increment)
    )
      return;
    const early = this.#orphans?.block === block && this.#orphans.name === name ? this.#orphans.got : [];
    for (const number of this.#builds.keys()) if (number >= block) this.#builds.delete(number);
    const oldest = Math.min(...this.#builds.keys());
    if (this.#builds.size === LIMITS.feedAheadBlocksMax) this.#builds.delete(oldest);
    const build = {
      block,
      name,
      parent,
      got: new Map([...early, [0, increment]]),
      isInterrupted: false,
      isRejected: false,
    };
    this.#builds.set(block, build);
    if (this.#unopened === block) this.counts.filled++;
    if (!isWhole(build)) this.counts.gaps++;
    this.#orphans = this.#unopened = null;
    this.#show();
  }

  #follow({ block, attempt: name, increment }: ReportedIncrement): void {
    const build = this.#builds.get(block);
    if (build?.name !== name) return this.#keep(block, name, increment, build === undefined);
    if (build.isRejected) return;
    const { length } = whole(build);
    const wasWhole = isWhole(build);
    const known = build.got.get(increment.index);
    if (known !== undefined && increment.index < length) {
      if (!saysTheSame(known, increment)) this.reject(block);
      return;
    }
    build.got.set(increment.index, known ?? increment);
    build.isInterrupted = false;
    if (increment.index > length) {
      if (wasWhole) this.counts.gaps++;
      return;
    }
    if (!wasWhole && isWhole(build)) this.counts.filled++;
    this.#show();
  }

  #keep(block: number, name: string, increment: Increment, isUnopened: boolean): void {
    if (this.#orphans?.block !== block || this.#orphans.name !== name) this.#orphans = { block, name, got: new Map() };
    if (!this.#orphans.got.has(increment.index)) this.#orphans.got.set(increment.index, increment);
    if (!isUnopened || this.#unopened === block) return;
    this.#unopened = block;
    this.counts.gaps++;
  }

  #show(): void {
    this.#seenBuilds = this.#chain();
    this.seen = this.#seenBuilds.map((build) => {
      return `${build.block}/${build.name}: ${whole(build)
        .flatMap(({ transactions }) => transactions.map(toHex))
        .join()}`;
    });
  }

  #chain(): Build[] {
    const chain: Build[] = [];
    for (let number = this.#tip.number + 1; ; number++) {
      const build = this.#builds.get(number);
      if (build === undefined || build.isRejected) break;
      const isOnTip = number === this.#tip.number + 1;
      if (isOnTip && build.parent !== null && build.parent !== toHex(this.#tip.hash)) break;
      if (!isOnTip && build.parent === null) break;
      chain.push(build);
      if (build.isInterrupted || !isWhole(build)) break;
    }
    return chain.length > LIMITS.feedDepthBlocksMax ? [] : chain;
  }
}

/** Increments from the first one up to the first gap. */
function whole({ got }: Bag): Increment[] {
  const increments: Increment[] = [];
  while (got.has(increments.length)) increments.push(got.get(increments.length)!);
  return increments;
}

function isWhole(bag: Bag): boolean {
  return whole(bag).length === bag.got.size;
}

function saysTheSame(a: Increment, b: Increment): boolean {
  return a.gasUsed === b.gasUsed && a.transactions.map(toHex).join() === b.transactions.map(toHex).join();
}
