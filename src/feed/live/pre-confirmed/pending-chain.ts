// Pre-confirmed blocks on top of the confirmed ones: opened, extended increment by increment, given up, or confirmed as
// they are. Runs on the publisher.
import type { BlockExecutor, SealedBlock } from '../../../execution/block/executor.js';
import { decodeHeader } from '../../../chain/block/header.js';
import { executedMisfit } from '../../../execution/block/header-misfit.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { toHex } from '../../../lib/bytes/hex.js';
import type { ConfirmedTransaction, PublishedTransaction } from '../../../state/block.js';
import { NO_CHANGES, type BlockEnv, type StateChanges } from '../../../state/diff.js';
import { ChangeSet } from '../../../state/change-set.js';
import type { Wants } from '../../../state/views/recording-view.js';
import type { UpstreamBlock } from '../../../upstream/upstream.js';
import type { LiveCounts } from '../../counts.js';
import type { Announcement, LiveSink } from '../../feed.js';
import type { BlockBase, Increment, Opening } from '../../stream.js';
import { Decoding } from '../executing/decoding.js';
import type { ExecutionTime } from '../executing/execution-time.js';
import type { LiveExecutor, Work } from '../executing/live-executor.js';
import type { Senders } from '../executing/senders.js';
import type { RuleBook } from '../rules/rule-book.js';
import { placeOf, type LiveChain, type Place } from '../canonical/live-chain.js';
import { planOf, type KnownParent, type PendingPlan } from './pending-plan.js';
import { ToldBlock, type Taken, type ToldBlockParts } from './told-block.js';

/** Parts that pre-confirmed blocks are made with. */
export interface PendingChainParts {
  readonly chain: LiveChain;
  /** Its own: a block at work stays open in it. */
  readonly executor: LiveExecutor;
  /** For blocks whose increments are told. */
  readonly diffs: Pick<ToldBlockParts, 'executor' | 'upstream' | 'share'>;
  readonly filler: { readonly hold: (needs: Wants) => Promise<boolean> };
  readonly sink: Pick<LiveSink, 'newest' | 'at'>;
  readonly counts: LiveCounts;
  readonly rules: RuleBook;
  readonly senders: Senders;
  readonly time: ExecutionTime;
}

/** A block that is not confirmed. */
interface OpenBlock {
  readonly number: number;
  readonly plan: PendingPlan;
  /** Version of the state that it was begun on. */
  readonly parent: number;
  /** The newest one. */
  version: number;
  index: number;
  /** Its increments are executed, or taken as they are told. */
  readonly work: Work | ToldBlock;
  /** Everything announced of it so far. */
  readonly transactions: ConfirmedTransaction[];
  gasUsed: bigint;
  blobGasUsed: bigint;
  /** The outcome of its end, once a block has been opened on it. */
  sealed: SealedBlock | null;
}

/** Reason for which the execution of an increment does not come to what the feed says; `null`: it does. */
type Verdict = string | null;

/** The state that a block is begun on. */
interface Parent extends KnownParent {
  readonly version: number;
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
    const parent = await this.#parentOf(opening);
    if (parent === null)
      return `its parent ${base.parentHash === null ? number - 1 : toHex(base.parentHash)} is not here`;
    this.#blocks = this.#blocks.filter((block) => block.number < number);
    const plan = planOf(base, parent, this.#parts.rules);
    if (plan === null) return 'the header of its parent is not known';
    const decoding = this.#decoding(increment, plan.env);
    const work = await this.#begun(plan, parent, { decoding, increment });
    const opened = await this.#extended({ work, plan, version: parent.version }, decoding, increment);
    if (typeof opened === 'string') return opened;
    const { index } = increment;
    const { changes: own, ...rest } = opened;
    const begun = { number, plan, parent: parent.version, version: 0, index, work, ...rest, sealed: null };
    const changes = this.#replacing(parent.version, own);
    begun.version = this.#publish(pendingPlaceOf(begun), changes, announcementOf(begun));
    this.#blocks.push(begun);
    return null;
  }

  /** Adds an increment to the newest block. Answers why it does not fit, and nothing is published then. */
  async append(number: number, increment: Increment): Promise<Verdict> {
    const block = this.#blocks.at(-1);
    if (block?.number !== number || block.sealed !== null) return 'its block is not open';
    const extended = await this.#extended(block, this.#decoding(increment, block.plan.env), increment);
    if (typeof extended === 'string') return extended;
    block.index = increment.index;
    block.gasUsed = extended.gasUsed;
    block.blobGasUsed = extended.blobGasUsed;
    block.version = this.#publish(pendingPlaceOf(block), extended.changes, announcementOf({ ...block, ...extended }));
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
    const { work } = oldest;
    return work instanceof ToldBlock
      ? this.#promoteTold(oldest, work, block)
      : this.#promoteExecuted(oldest, work, block);
  }

  async #promoteExecuted(oldest: OpenBlock, work: Work, block: UpstreamBlock): Promise<Verdict> {
    const sealed = oldest.sealed ?? (await this.#seal(work));
    const reason = executedMisfit(sealed.header, decodeHeader(block.header), work.blockExecutor.rules);
    if (reason !== null) return reason;
    this.#confirm(oldest, block, sealed.block.transactions, sealed.changes);
    return null;
  }

  /** No block is open above it: one whose parent is not told waits for that to be confirmed. */
  async #promoteTold(oldest: OpenBlock, work: ToldBlock, block: UpstreamBlock): Promise<Verdict> {
    const { sink } = this.#parts;
    const ended = await work.end(block, { before: sink.at(oldest.parent), told: sink.at(oldest.version) });
    if (typeof ended === 'string') return ended;
    this.#confirm(oldest, block, ended.transactions, ended.changes);
    return null;
  }

  /** `changes`: what the end of the block has come to. */
  #confirm(
    oldest: OpenBlock,
    block: UpstreamBlock,
    transactions: readonly ConfirmedTransaction[],
    changes: StateChanges,
  ): void {
    this.#blocks.shift();
    const { coordinates, env } = placeOf(block);
    const place = { coordinates: { ...coordinates, index: oldest.index }, env };
    const complete = { ...block, transactions };
    const newest = this.#blocks.at(-1);
    if (newest === undefined) this.#parts.chain.promote(complete, place, changes);
    else newest.version = this.#parts.chain.promoteBelow(pendingPlaceOf(newest), complete, place, oldest.version);
  }

  /** The parent of an opening's block; `null` where its parent is neither the head nor pre-confirmed. */
  async #parentOf({ block, base }: Opening): Promise<Parent | null> {
    const parent = this.#blocks.find(({ number }) => number === block - 1);
    if (parent === undefined) return this.#confirmedParent(block, base);
    const { work } = parent;
    if (work instanceof ToldBlock) return null;
    if (parent.sealed === null && parent === this.#blocks.at(-1)) await this.#finish(parent, work);
    return parent.sealed === null ? null : { version: parent.version, hash: null, header: parent.sealed.header };
  }

  #confirmedParent(block: number, { parentHash }: BlockBase): Parent | null {
    const { chain } = this.#parts;
    const kept = parentHash === null ? chain.tip : chain.find(parentHash);
    if (kept === null || kept.number !== block - 1) return null;
    const { version, hash, header } = kept;
    return { version, hash, header: header === null ? null : decodeHeader(header) };
  }

  /** Ends a block on which another one is opened; what its end changes is published as part of it. */
  async #finish(block: OpenBlock, work: Work): Promise<void> {
    block.sealed = await this.#seal(work);
    const { accounts, slots } = block.sealed.changes;
    if (accounts.length + slots.length > 0) block.version = this.#publish(pendingPlaceOf(block), block.sealed.changes);
  }

  async #seal(work: Work): Promise<SealedBlock> {
    const sealed = await this.#parts.executor.seal(work);
    await this.#parts.executor.holdChanged(sealed.changes);
    return sealed;
  }

  async #begun(
    { env, parentHash, extraData }: PendingPlan,
    { version }: Parent,
    { decoding, increment }: { readonly decoding: Decoding; readonly increment: Increment },
  ): Promise<Work | ToldBlock> {
    const { executor, diffs, counts, filler, sink, rules } = this.#parts;
    if (increment.outcome !== null)
      return new ToldBlock(env.timestamp, rules.at(env.number, env.timestamp).op, {
        ...diffs,
        counts,
        hold: (wants) => filler.hold(wants),
      });
    return executor.open({ env, parentHash, extraData, withdrawals: [], work: null }, sink.at(version), decoding);
  }

  #decoding({ transactions }: Increment, { number, timestamp }: BlockEnv): Decoding {
    const { rules, senders, time } = this.#parts;
    return new Decoding(transactions, { senders, rules: rules.at(number, timestamp), time });
  }

  async #extended(
    { work, plan, version }: Pick<OpenBlock, 'work' | 'plan' | 'version'>,
    decoding: Decoding,
    increment: Increment,
  ): Promise<Taken | string> {
    const taken =
      work instanceof ToldBlock
        ? await this.#told(work, decoding, { increment, plan, version })
        : await this.#executed(work, decoding, increment);
    if (typeof taken !== 'string') this.#parts.counts.increments++;
    return taken;
  }

  async #told(
    work: ToldBlock,
    decoding: Decoding,
    { increment, plan, version }: { increment: Increment; plan: PendingPlan; version: number },
  ): Promise<Taken | string> {
    const transactions = await decoding.rest();
    if (typeof transactions === 'string') return transactions;
    const view = this.#parts.sink.at(version);
    return work.take(increment, transactions, { view, baseFee: plan.env.baseFeePerGas });
  }

  async #executed(work: Work, decoding: Decoding, increment: Increment): Promise<Taken | string> {
    const { executor } = this.#parts;
    const transactions = await executor.apply(work, decoding);
    if (typeof transactions === 'string') return transactions;
    const misfit = resultMisfit(work.blockExecutor, increment);
    if (misfit !== null) return misfit;
    const { gasUsed, blobGasUsed } = work.blockExecutor;
    const changes = work.blockExecutor.cut();
    await executor.holdChanged(changes);
    return { changes, transactions, gasUsed, blobGasUsed };
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

/** The outcome of a block up to an increment, where it is not what the feed says. */
function resultMisfit(executed: BlockExecutor, { gasUsed, receiptsRoot }: Increment): string | null {
  if (gasUsed !== null && executed.gasUsed !== gasUsed)
    return `gas used is ${executed.gasUsed}, the feed says ${gasUsed}`;
  const root = receiptsRoot === null ? null : executed.receiptsRoot;
  if (root === null || sameBytes(root, receiptsRoot!)) return null;
  return `receipts root is ${toHex(root)}, the feed says ${toHex(receiptsRoot!)}`;
}

function announcementOf({
  gasUsed,
  blobGasUsed,
  plan,
  transactions,
}: Pick<OpenBlock, 'gasUsed' | 'blobGasUsed' | 'plan' | 'transactions'>): Announcement {
  return { gasUsed, blobGasUsed, extraData: plan.extraData, transactions: [...transactions] };
}

function pendingPlaceOf({ number, index, plan: { parentHash, env } }: OpenBlock): Place {
  return { coordinates: { block: number, index, hash: null, parentHash }, env };
}
