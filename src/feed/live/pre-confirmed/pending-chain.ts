// Pre-confirmed blocks on top of the confirmed ones: opened, extended increment by increment, given up, or confirmed as
// they are. Runs on the publisher.
import type { BlockExecutor, BlockPlan, SealedBlock } from '../../../execution/block/executor.js';
import { decodeHeader, type Header } from '../../../chain/block/header.js';
import { excessBlobGasAfter, executedMisfit } from '../../../execution/block/header-misfit.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { toHex } from '../../../lib/bytes/hex.js';
import type { ConfirmedTransaction, PublishedTransaction } from '../../../state/block.js';
import { NO_CHANGES, type BlockEnv, type StateChanges } from '../../../state/diff.js';
import { ChangeSet } from '../../../state/change-set.js';
import type { UpstreamBlock } from '../../../upstream/upstream.js';
import type { LiveCounts } from '../../counts.js';
import type { Announcement, LiveSink } from '../../feed.js';
import type { BlockBase, Increment, Opening } from '../../stream.js';
import { Decoding } from '../executing/decoding.js';
import type { ExecutionTime } from '../executing/execution-time.js';
import type { LiveExecutor, Work } from '../executing/live-executor.js';
import type { Senders } from '../executing/senders.js';
import type { RuleBook } from '../rules/rule-book.js';
import type { KeptBlock } from '../canonical/kept-blocks.js';
import { placeOf, type LiveChain, type Place } from '../canonical/live-chain.js';

/** Parts that pre-confirmed blocks are made with. */
export interface PendingChainParts {
  readonly chain: LiveChain;
  /** Its own: a block at work stays open in it. */
  readonly executor: LiveExecutor;
  readonly sink: Pick<LiveSink, 'newest' | 'at'>;
  readonly counts: LiveCounts;
  readonly rules: RuleBook;
  readonly senders: Senders;
  readonly time: ExecutionTime;
}

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
  /** The outcome of its end, once a block has been opened on it. */
  sealed: SealedBlock | null;
}

/** Why the execution of an increment does not come to what the feed says; `null`: it does. */
type Verdict = string | null;

/** The state that a block is begun on. `header`: `null` where it is not known. */
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
  readonly #parts: PendingChainParts;
  #blocks: OpenBlock[] = [];

  constructor(parts: PendingChainParts) {
    this.#parts = parts;
  }

  /** Anything is pre-confirmed. */
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
    const { block: number, base, increment } = opening;
    const { parentHash, extraData } = base;
    const parent = await this.#parentOf(opening);
    if (parent === null) return `its parent ${toHex(parentHash)} is not here`;
    this.#blocks = this.#blocks.filter((block) => block.number < number);
    const env = this.#envOf(base, parent.header);
    const decoding = this.#decoding(increment, env);
    const plan: BlockPlan = { env, parentHash, extraData, withdrawals: [], work: null };
    const work = await this.#parts.executor.open(plan, this.#parts.sink.at(parent.version), decoding);
    const opened = await this.#extended(work, decoding, increment);
    if (typeof opened === 'string') return opened;
    const { index } = increment;
    const { gasUsed, transactions } = opened;
    const place = { coordinates: { block: number, index, hash: null, parentHash }, env };
    const version = this.#publish(place, this.#replacing(parent.version, opened.changes), announcementOf(opened));
    const begun = { number, parentHash, env, extraData, version, index, work, transactions, gasUsed, sealed: null };
    this.#blocks.push(begun);
    return null;
  }

  /** Adds an increment to the newest block. Answers why it does not fit, and nothing is published then. */
  async append(number: number, increment: Increment): Promise<Verdict> {
    const block = this.#blocks.at(-1);
    if (block?.number !== number || block.sealed !== null) return 'its block is not open';
    const extended = await this.#extended(block.work, this.#decoding(increment, block.env), increment);
    if (typeof extended === 'string') return extended;
    block.index = increment.index;
    block.version = this.#publish(pendingPlaceOf(block), extended.changes, announcementOf(extended));
    block.gasUsed = extended.gasUsed;
    block.transactions.push(...extended.transactions);
    return null;
  }

  /** Publishes the newest block once more: what tags mean has changed. There is one. */
  showAgain(): void {
    const newest = this.#blocks.at(-1)!;
    newest.version = this.#publish(pendingPlaceOf(newest), NO_CHANGES);
  }

  /** Gives up a block and those above it: `pending` is what was before. */
  abandon(number: number): void {
    const { chain, counts, sink } = this.#parts;
    this.#blocks = this.#blocks.filter((block) => block.number < number);
    const newest = this.#blocks.at(-1);
    if (sink.newest === (newest ?? chain.tip!).version) return;
    counts.fallbacks++;
    if (newest === undefined) chain.returnTo(chain.tip!);
    else newest.version = this.#publish(pendingPlaceOf(newest), chain.undo(newest.version), announcementOf(newest));
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
    if (newest === undefined) this.#parts.chain.promote(complete, place, sealed.changes);
    else newest.version = this.#parts.chain.promoteBelow(pendingPlaceOf(newest), complete, place, oldest.version);
    return null;
  }

  /** The parent of an opening's block; `null` where its parent is neither the head nor pre-confirmed. */
  async #parentOf({ block, base }: Opening): Promise<Parent | null> {
    const parent = this.#blocks.find(({ number }) => number === block - 1);
    if (parent === undefined) return parentOf(this.#parts.chain.find(base.parentHash));
    if (parent.sealed === null && parent === this.#blocks.at(-1)) await this.#finish(parent);
    return parent.sealed === null ? null : { version: parent.version, header: parent.sealed.header };
  }

  #envOf({ env }: BlockBase, parent: Header | null): BlockEnv {
    const fork = this.#parts.rules.at(env.number, env.timestamp);
    return { ...env, excessBlobGas: parent === null ? 0n : excessBlobGasAfter(parent, fork) };
  }

  /** Ends a block on which another one is opened; what its end changes is published as part of it. */
  async #finish(block: OpenBlock): Promise<void> {
    block.sealed = await this.#seal(block);
    const { accounts, slots } = block.sealed.changes;
    if (accounts.length + slots.length > 0) block.version = this.#publish(pendingPlaceOf(block), block.sealed.changes);
  }

  async #seal({ work }: OpenBlock): Promise<SealedBlock> {
    const sealed = await this.#parts.executor.seal(work);
    await this.#parts.executor.holdChanged(sealed.changes);
    return sealed;
  }

  #decoding({ transactions }: Increment, { number, timestamp }: BlockEnv): Decoding {
    const { rules, senders, time } = this.#parts;
    return new Decoding(transactions, { senders, rules: rules.at(number, timestamp), time });
  }

  async #extended(work: Work, decoding: Decoding, increment: Increment): Promise<Extended | string> {
    const transactions = await this.#parts.executor.apply(work, decoding);
    if (typeof transactions === 'string') return transactions;
    const misfit = resultMisfit(work.blockExecutor, increment);
    if (misfit !== null) return misfit;
    const { gasUsed } = increment;
    const changes = work.blockExecutor.cut();
    await this.#parts.executor.holdChanged(changes);
    this.#parts.counts.increments++;
    return { changes, transactions, gasUsed, extraData: work.blockExecutor.plan.extraData };
  }

  #replacing(parent: number, changes: StateChanges): StateChanges {
    const { chain, sink } = this.#parts;
    if (sink.newest === parent) return changes;
    const all = new ChangeSet();
    all.add(chain.undo(parent));
    all.add(changes);
    return all.all();
  }

  /** Publishes at a place. `announcement`: `null` where main has been told of all of it, and of no other block since. */
  #publish(place: Place, changes: StateChanges, announcement: Announcement | null = null): number {
    const { chain } = this.#parts;
    return chain.publish(place, changes, announcement, chain.tip!.number);
  }
}

function parentOf(kept: KeptBlock | null): Parent | null {
  if (kept === null) return null;
  const { version, header } = kept;
  return { version, header: header === null ? null : decodeHeader(header) };
}

/** The outcome of a block up to an increment, where it is not what the feed says. */
function resultMisfit(executed: BlockExecutor, { gasUsed, receiptsRoot }: Increment): string | null {
  if (executed.gasUsed !== gasUsed) return `gas used is ${executed.gasUsed}, the feed says ${gasUsed}`;
  const root = receiptsRoot === null ? null : executed.receiptsRoot;
  if (root === null || sameBytes(root, receiptsRoot!)) return null;
  return `receipts root is ${toHex(root)}, the feed says ${toHex(receiptsRoot!)}`;
}

function announcementOf({ gasUsed, extraData, transactions }: Announcement): Announcement {
  return { gasUsed, extraData, transactions: [...transactions] };
}

function pendingPlaceOf({ number, index, parentHash, env }: OpenBlock): Place {
  return { coordinates: { block: number, index, hash: null, parentHash }, env };
}
