// Pre-confirmed blocks on top of the confirmed ones: opened, extended increment by increment, given up, or confirmed as
// they are. Runs on the publisher.
import type { BlockExecutor, BlockPlan, SealedBlock } from '../../../execution/block/executor.js';
import { decodeHeader, type Header } from '../../../chain/header.js';
import { excessBlobGasAfter, executedMisfit } from '../../../execution/block/header-misfit.js';
import { sameBytes } from '../../../lib/byte-map.js';
import { toHex } from '../../../lib/hex.js';
import type { ConfirmedTransaction, PublishedTransaction } from '../../../state/block.js';
import type { BlockEnv, Coordinates, StateChanges } from '../../../state/diff.js';
import { ChangeSet } from '../../../state/change-set.js';
import type { UpstreamBlock } from '../../../upstream/upstream.js';
import { envOfBase, type FrameBase } from '../../streams/flashblocks/frame.js';
import type { Increment, Opening } from './tracker.js';
import { Decoding } from '../executing/decoding.js';
import type { LiveExecutor, Work } from '../executing/live-executor.js';
import type { KeptBlock } from '../canonical/kept-blocks.js';
import { NO_CHANGES, placeOf, type LiveChain, type Place } from '../canonical/live-chain.js';
import type { Announcement } from '../../feed.js';

/** A block that is not confirmed. */
interface OpenBlock {
  readonly number: number;
  readonly parentHash: Uint8Array;
  readonly env: BlockEnv;
  readonly extraData: Uint8Array;
  /** The newest one. */
  version: number;
  index: number;
  readonly work: Work;
  /** Everything announced of it so far. */
  readonly transactions: ConfirmedTransaction[];
  gasUsed: bigint;
  /** What its end came to, once a block has been opened on it. */
  sealed: SealedBlock | null;
}

/** Why the execution of an increment does not come to what the feed says; `null`: it does. */
type Verdict = string | null;

/** What a block is begun on. `header`: `null` where it is not known. */
interface Parent {
  readonly version: number;
  readonly header: Header | null;
}

interface Extended extends Announcement {
  readonly changes: StateChanges;
  readonly transactions: ConfirmedTransaction[];
}

/** One call at a time. The newest block is the only one that can be extended. */
export class PendingChain {
  readonly #chain: LiveChain;
  readonly #executor: LiveExecutor;
  #blocks: OpenBlock[] = [];

  constructor(chain: LiveChain) {
    this.#chain = chain;
    this.#executor = chain.createExecutor();
  }

  /** Whether anything is pre-confirmed. */
  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** Transactions of the block with this number, as far as they have been executed. */
  announced(number: number): readonly PublishedTransaction[] {
    return this.#blocks.find((block) => block.number === number)?.transactions ?? [];
  }

  /** Forgets everything, without publishing: something else takes its place. */
  clear(): void {
    this.#blocks = [];
  }

  /**
   * Opens a block on the confirmed head or on the newest pre-confirmed block; those of its number and above are void.
   * Answers why it does not fit, and nothing is published then.
   */
  async open(opening: Opening): Promise<Verdict> {
    const { block: number, base, parentHash, increment } = opening;
    const parent = await this.#parentOf(opening);
    if (parent === null) return `its parent ${toHex(parentHash)} is not here`;
    this.#blocks = this.#blocks.filter((block) => block.number < number);
    const env = this.#envOf(base, parent.header);
    const decoding = this.#decoding(increment, env);
    const plan: BlockPlan = { env, parentHash, extraData: base.extraData, withdrawals: [], work: null };
    const work = await this.#executor.open(plan, this.#chain.parts.sink.at(parent.version), decoding);
    const opened = await this.#extended(work, decoding, increment);
    if (typeof opened === 'string') return opened;
    const coordinates = { block: number, index: increment.index, hash: null, parentHash };
    const { extraData } = base;
    const version = this.#publish(coordinates, env, this.#replacing(parent.version, opened.changes), {
      ...opened,
      extraData,
    });
    const { index } = increment;
    const { gasUsed, transactions } = opened;
    this.#blocks.push({
      number,
      parentHash,
      env,
      extraData,
      version,
      index,
      work,
      transactions,
      gasUsed,
      sealed: null,
    });
    return null;
  }

  /** Adds an increment to the newest block. Answers why it does not fit, and nothing is published then. */
  async append(number: number, increment: Increment): Promise<Verdict> {
    const block = this.#blocks.at(-1);
    if (block?.number !== number || block.sealed !== null) return 'its block is not open';
    const extended = await this.#extended(block.work, this.#decoding(increment, block.env), increment);
    if (typeof extended === 'string') return extended;
    block.index = increment.index;
    block.version = this.#publish(coordinatesOf(block), block.env, extended.changes, {
      ...extended,
      extraData: block.extraData,
    });
    block.gasUsed = extended.gasUsed;
    block.transactions.push(...extended.transactions);
    return null;
  }

  /** Publishes the newest block once more: what tags mean has changed. There is one. */
  showAgain(): void {
    const newest = this.#blocks.at(-1)!;
    newest.version = this.#republish(newest, NO_CHANGES);
  }

  /** Gives up a block and those above it: `pending` is what was before. */
  abandon(number: number): void {
    const { counts, sink } = this.#chain.parts;
    this.#blocks = this.#blocks.filter((block) => block.number < number);
    const newest = this.#blocks.at(-1);
    if (sink.newest === (newest ?? this.#chain.tip!).version) return;
    counts.fallbacks++;
    if (newest === undefined) this.#chain.returnTo(this.#chain.tip!);
    else newest.version = this.#republish(newest, this.#chain.undo(newest.version), announcementOf(newest));
  }

  /**
   * The oldest pre-confirmed block is confirmed as it is, without being executed again. Answers why it is not the same
   * after all: then nothing has changed.
   */
  async promote(block: UpstreamBlock): Promise<Verdict> {
    const oldest = this.#blocks[0];
    if (oldest?.number !== block.number) return 'it is not open';
    const sealed = oldest.sealed ?? (await this.#seal(oldest));
    const reason = executedMisfit(sealed.header, decodeHeader(block.header), oldest.work.blockExecutor.rules);
    if (reason !== null) return reason;
    this.#blocks.shift();
    const { coordinates, env } = placeOf(block);
    const place = { coordinates: { ...coordinates, index: oldest.index }, env };
    const complete = { ...block, transactions: sealed.block.transactions };
    const newest = this.#blocks.at(-1);
    if (newest === undefined) this.#chain.promote(complete, place, sealed.changes);
    else newest.version = this.#chain.promoteBelow(pendingPlaceOf(newest), complete, place, oldest.version);
    return null;
  }

  /** What an opening's block begins on; `null` where its parent is neither the head nor pre-confirmed. */
  async #parentOf({ block, parentHash }: Opening): Promise<Parent | null> {
    const parent = this.#blocks.find(({ number }) => number === block - 1);
    if (parent === undefined) return parentOf(this.#chain.find(parentHash));
    if (parent.sealed === null && parent === this.#blocks.at(-1)) await this.#finish(parent);
    return parent.sealed === null ? null : { version: parent.version, header: parent.sealed.header };
  }

  /** The feed does not tell the excess of blob gas: it follows from the parent. */
  #envOf(base: FrameBase, parent: Header | null): BlockEnv {
    const { rules } = this.#chain.parts;
    const fork = rules.at(base.blockNumber, base.timestamp);
    return envOfBase(base, parent === null ? 0n : excessBlobGasAfter(parent, fork));
  }

  /** Ends a block on which another one is opened; what its end changes is published as part of it. */
  async #finish(block: OpenBlock): Promise<void> {
    block.sealed = await this.#seal(block);
    const { accounts, slots } = block.sealed.changes;
    if (accounts.length + slots.length > 0) block.version = this.#republish(block, block.sealed.changes);
  }

  async #seal({ work }: OpenBlock): Promise<SealedBlock> {
    const sealed = await this.#executor.seal(work);
    await this.#executor.holdChanged(sealed.changes);
    return sealed;
  }

  #decoding({ transactions }: Increment, { number, timestamp }: BlockEnv): Decoding {
    const { rules, senders, time } = this.#chain.parts;
    return new Decoding(transactions, { senders, rules: rules.at(number, timestamp), time });
  }

  async #extended(work: Work, decoding: Decoding, increment: Increment): Promise<Extended | string> {
    const transactions = await this.#executor.apply(work, decoding);
    if (typeof transactions === 'string') return transactions;
    const misfit = resultMisfit(work.blockExecutor, increment);
    if (misfit !== null) return misfit;
    const { gasUsed } = increment;
    const changes = work.blockExecutor.cut();
    await this.#executor.holdChanged(changes);
    this.#chain.parts.counts.increments++;
    return { changes, transactions, gasUsed, extraData: work.blockExecutor.plan.extraData };
  }

  #replacing(parent: number, changes: StateChanges): StateChanges {
    if (this.#chain.parts.sink.newest === parent) return changes;
    const all = new ChangeSet();
    all.add(this.#chain.undo(parent));
    all.add(changes);
    return all.all();
  }

  #publish(
    coordinates: Coordinates,
    env: BlockEnv,
    changes: StateChanges,
    { gasUsed, extraData, transactions }: Announcement,
  ): number {
    const announcement = { gasUsed, extraData, transactions };
    return this.#chain.publish({ coordinates, env }, changes, announcement, this.#chain.tip!.number);
  }

  /**
   * Publishes the block once more, with changes that no transaction of its own has made. `announcement`: needed where main
   * was told of another block in between.
   */
  #republish(block: OpenBlock, changes: StateChanges, announcement: Announcement | null = null): number {
    return this.#chain.publish(pendingPlaceOf(block), changes, announcement, this.#chain.tip!.number);
  }
}

function parentOf(kept: KeptBlock | null): Parent | null {
  if (kept === null) return null;
  const { version, header } = kept;
  return { version, header: header === null ? null : decodeHeader(header) };
}

/** What the block has come to up to an increment, where it is not what the feed says. */
function resultMisfit(executed: BlockExecutor, { gasUsed, receiptsRoot }: Increment): string | null {
  if (executed.gasUsed !== gasUsed) return `gas used is ${executed.gasUsed}, the feed says ${gasUsed}`;
  const root = receiptsRoot === null ? null : executed.receiptsRoot;
  if (root === null || sameBytes(root, receiptsRoot!)) return null;
  return `receipts root is ${toHex(root)}, the feed says ${toHex(receiptsRoot!)}`;
}

function coordinatesOf({ number, index, parentHash }: OpenBlock): Coordinates {
  return { block: number, index, hash: null, parentHash };
}

function announcementOf({ gasUsed, extraData, transactions }: OpenBlock): Announcement {
  return { gasUsed, extraData, transactions: [...transactions] };
}

function pendingPlaceOf(block: OpenBlock): Place {
  return { coordinates: coordinatesOf(block), env: block.env };
}
