// Executes announced payloads as blocks on top of the canonical ones. A payload is opened, extended increment by
// increment, and finally either abandoned, or confirmed as the canonical block without being executed again.
import { decodeHeader, positionAfterBlock } from '../../../chain/block/header.js';
import type { BlockExecutor, SealedBlock } from '../../../execution/block/block-executor.js';
import { headerMismatchWithoutStateRoot } from '../../../execution/block/header-validation.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { toHex } from '../../../lib/bytes/hex.js';
import type { ExecutedTransaction } from '../../../state/complete-block.js';
import { NO_STATE_CHANGES, type BlockEnv, type ChainPosition, type StateChanges } from '../../../state/state-diff.js';
import type { MissingKeys } from '../../../state/views/miss-recording-view.js';
import type { UpstreamBlock } from '../../../upstream/upstream.js';
import type { VersionAnnouncement, LiveSink } from '../../feed.js';
import type { Increment } from '../../pre-confirmation-stream-events.js';
import type { CanonicalChain } from './canonical-chain.js';
import { blockAttributesOf, type BlockAttributes, type KnownParent } from '../executing/block-attributes.js';
import { TransactionDecoding } from '../executing/transaction-decoding.js';
import type { ExecutionTimeLimiter } from '../executing/execution-time-limiter.js';
import type { StateFetchingExecutor, BlockInProgress } from '../executing/state-fetching-executor.js';
import {
  BlockFromReportedChanges,
  type BlockFromReportedChangesDeps,
  type ConfirmedBlockFromReportedChanges,
  type AppliedIncrement,
} from '../executing/block-from-reported-changes.js';
import type { TransactionSenders } from '../executing/transaction-senders.js';
import type { LiveBlockTree, ReadablePayload, PayloadProgress, AnnouncedPayload } from './block-tree.js';
import type { ForkScheduleTracker } from '../rules/fork-schedule-tracker.js';
import type { LiveFeedCounters } from '../../live-feed-counters.js';

interface PayloadExecutorDeps {
  readonly tree: LiveBlockTree;
  readonly chain: CanonicalChain;
  /** An executor for pre-confirmed blocks only, because the current block stays open in it. */
  readonly executor: StateFetchingExecutor;
  /** The dependencies for payloads whose changes the feed reports, so that they are not executed. */
  readonly diffs: Pick<BlockFromReportedChangesDeps, 'executor' | 'upstream' | 'share'>;
  readonly filler: { readonly fetch: (needs: MissingKeys) => Promise<boolean> };
  readonly sink: Pick<LiveSink, 'newest' | 'at'>;
  readonly counts: LiveFeedCounters;
  readonly rules: ForkScheduleTracker;
  readonly senders: TransactionSenders;
  readonly time: ExecutionTimeLimiter;
}

/** How the result differs from what the feed or the canonical block says, as one line; `null` if it does not. */
export type ExecutionDifference = string | null;

/** The parent of a block, with the version of the state on which the block is opened. */
interface Parent extends KnownParent {
  readonly version: number;
}

/** Executes payloads, one call at a time. Only the newest payload that readers see can be extended. */
export class PayloadExecutor {
  readonly #deps: PayloadExecutorDeps;

  constructor(deps: PayloadExecutorDeps) {
    this.#deps = deps;
  }

  /**
   * Opens a block on its parent, the newest canonical block or the payload before it, and executes the first increment.
   * Visible payloads with the same or a higher number are replaced. If the result contradicts the feed, returns how.
   */
  async open(payload: AnnouncedPayload): Promise<ExecutionDifference> {
    const { tree, rules } = this.#deps;
    const { block, base } = payload;
    const parent = await this.#parentOf(payload);
    if (parent === null)
      return `its parent ${base.parentHash === null ? block - 1 : toHex(base.parentHash)} is not here`;
    tree.revert(block);
    const attributes = blockAttributesOf(base, parent, rules);
    if (attributes === null) return 'the header of its parent is not known';
    const decoding = this.#decoding(payload.increments[0]!, attributes.env);
    const work = await this.#workOn(payload, attributes, parent, decoding);
    const { version } = parent;
    const nothing = { index: -1, transactions: [], gasUsed: 0n, blobGasUsed: 0n, sealed: null };
    return this.#extend(payload, { attributes, work, parentVersion: version, version, ...nothing }, decoding);
  }

  /**
   * Executes the next increment of the newest payload. If the result contradicts the feed, returns how, and nothing is
   * published.
   */
  async append(payload: AnnouncedPayload): Promise<ExecutionDifference> {
    const { increments, execution } = payload;
    if (execution === null || execution.sealed !== null) return 'its block is not open';
    const decoding = this.#decoding(increments[execution.index + 1]!, execution.attributes.env);
    return this.#extend(payload, execution, decoding);
  }

  /** Publishes the newest state again, as another state version, because the block numbers of the tags have changed. */
  showAgain(): void {
    const { tree, chain } = this.#deps;
    const newest = tree.executed.at(-1);
    if (newest === undefined) chain.returnTo(tree.tip!);
    else newest.execution.version = this.#publish(newest.block, newest.execution, NO_STATE_CHANGES);
  }

  /** Hides a block and all blocks above it from readers: `pending` is then the block below. */
  abandon(block: number): void {
    const { tree, chain, counts, sink } = this.#deps;
    tree.revert(block);
    const newest = tree.executed.at(-1);
    const shown = newest?.execution ?? tree.tip!;
    if (sink.newest === shown.version) return;
    counts.fallbacks++;
    if (newest === undefined) return chain.returnTo(tree.tip!);
    const { execution } = newest;
    const announcement = announcementOf(execution, execution.transactions);
    execution.version = this.#publish(newest.block, execution, chain.undo(execution.version), announcement);
  }

  /**
   * Confirms the first payload as the canonical `block` without executing it again. If the sealed payload differs from
   * the block's header, returns how.
   */
  async promote(block: UpstreamBlock): Promise<ExecutionDifference> {
    const { tree, sink } = this.#deps;
    const first = tree.executed[0]!;
    const { work, sealed, parentVersion, version } = first.execution;
    // A feed that reports changes sends no parent hashes, so the next block is opened only when this one is canonical.
    // Therefore no block is open above this one, and `version` is its state.
    const ended = await (work instanceof BlockFromReportedChanges
      ? work.end(block, { before: sink.at(parentVersion), reported: sink.at(version) })
      : this.#endExecuted(sealed, work, block));
    if (typeof ended === 'string') return ended;
    this.#confirm(first, block, ended);
    return null;
  }

  async #endExecuted(
    sealed: SealedBlock | null,
    work: BlockInProgress,
    block: UpstreamBlock,
  ): Promise<ConfirmedBlockFromReportedChanges | string> {
    const { header, block: whole, changes } = sealed ?? (await this.#seal(work));
    const reason = headerMismatchWithoutStateRoot(header, decodeHeader(block.header), work.blockExecutor.rules);
    return reason ?? { transactions: whole.transactions, changes };
  }

  #confirm(
    payload: ReadablePayload,
    block: UpstreamBlock,
    { transactions, changes }: ConfirmedBlockFromReportedChanges,
  ): void {
    const { tree, chain } = this.#deps;
    const { index, version } = payload.execution;
    tree.promote(payload);
    const { coordinates, env } = positionAfterBlock(decodeHeader(block.header), block.hash);
    const position = { coordinates: { ...coordinates, index }, env };
    const complete = { ...block, transactions };
    const newest = tree.executed.at(-1);
    if (newest === undefined) return chain.promote(complete, position, changes);
    const { execution } = newest;
    execution.version = chain.promoteBelow(pendingPositionOf(newest.block, execution), complete, position, version);
  }

  /**
   * Returns the parent of a payload's block: an executed payload or a canonical block. Returns `null` if no block can
   * be built on it.
   */
  async #parentOf({ block, base }: AnnouncedPayload): Promise<Parent | null> {
    const { tree } = this.#deps;
    const { executed } = tree;
    const parent = executed.find((payload) => payload.block === block - 1);
    if (parent === undefined) return this.#canonicalParent(block, base.parentHash);
    const { execution } = parent;
    if (execution.work instanceof BlockFromReportedChanges) return null;
    if (execution.sealed === null && parent === executed.at(-1))
      await this.#finish(parent.block, execution, execution.work);
    const { version, sealed } = execution;
    return sealed === null ? null : { version, hash: null, header: sealed.header };
  }

  #canonicalParent(block: number, parentHash: Uint8Array | null): Parent | null {
    const { tree } = this.#deps;
    const retained = parentHash === null ? tree.tip : tree.find(parentHash);
    if (retained === null || retained.number !== block - 1) return null;
    const { version, hash, header } = retained;
    return { version, hash, header: header === null ? null : decodeHeader(header) };
  }

  /**
   * Seals a block, so that another one can be opened on it. If sealing changes the state, publishes that as another
   * state version.
   */
  async #finish(block: number, execution: PayloadProgress, work: BlockInProgress): Promise<void> {
    execution.sealed = await this.#seal(work);
    const { accounts, slots } = execution.sealed.changes;
    if (accounts.length + slots.length > 0)
      execution.version = this.#publish(block, execution, execution.sealed.changes);
  }

  async #seal(work: BlockInProgress): Promise<SealedBlock> {
    const sealed = await this.#deps.executor.seal(work);
    await this.#deps.executor.fetchChanged(sealed.changes);
    return sealed;
  }

  /** Opens a block for a payload, without its first increment. */
  async #workOn(
    { increments }: AnnouncedPayload,
    attributes: BlockAttributes,
    { version }: Parent,
    decoding: TransactionDecoding,
  ): Promise<BlockInProgress | BlockFromReportedChanges> {
    const { executor, diffs, counts, filler, sink, rules } = this.#deps;
    if (increments[0]!.outcome === null)
      return executor.open({ ...attributes, withdrawals: [], work: null }, sink.at(version), decoding);
    const { number, timestamp } = attributes.env;
    return new BlockFromReportedChanges(timestamp, rules.at(number, timestamp).op, {
      ...diffs,
      counts,
      fetch: (missing) => filler.fetch(missing),
    });
  }

  #decoding({ transactions }: Increment, { number, timestamp }: BlockEnv): TransactionDecoding {
    const { rules, senders, time } = this.#deps;
    return new TransactionDecoding(transactions, { senders, rules: rules.at(number, timestamp), time });
  }

  /** Applies the next increment to a block and publishes it. If it contradicts the feed, returns how. */
  async #extend(
    payload: AnnouncedPayload,
    execution: PayloadProgress,
    decoding: TransactionDecoding,
  ): Promise<ExecutionDifference> {
    const { tree, chain, counts } = this.#deps;
    const { work } = execution;
    const increment = payload.increments[execution.index + 1]!;
    const applied = await (work instanceof BlockFromReportedChanges
      ? this.#accepted(execution, work, decoding, increment)
      : this.#executed(work, decoding, increment));
    if (typeof applied === 'string') return applied;
    counts.increments++;
    const { changes, transactions, gasUsed, blobGasUsed } = applied;
    Object.assign(execution, { index: increment.index, gasUsed, blobGasUsed });
    const all = chain.onTop(execution.version, changes);
    execution.version = this.#publish(payload.block, execution, all, announcementOf(execution, transactions));
    execution.transactions.push(...transactions);
    tree.execute(payload, execution);
    return null;
  }

  async #accepted(
    { attributes, version }: PayloadProgress,
    work: BlockFromReportedChanges,
    decoding: TransactionDecoding,
    increment: Increment,
  ): Promise<AppliedIncrement | string> {
    const transactions = await decoding.rest();
    if (typeof transactions === 'string') return transactions;
    const view = this.#deps.sink.at(version);
    return work.take(increment, transactions, { view, baseFee: attributes.env.baseFeePerGas });
  }

  async #executed(
    work: BlockInProgress,
    decoding: TransactionDecoding,
    increment: Increment,
  ): Promise<AppliedIncrement | string> {
    const { executor } = this.#deps;
    const transactions = await executor.apply(work, decoding);
    if (typeof transactions === 'string') return transactions;
    const mismatch = resultMismatch(work.blockExecutor, increment);
    if (mismatch !== null) return mismatch;
    const { gasUsed, blobGasUsed } = work.blockExecutor;
    const changes = work.blockExecutor.cut();
    await executor.fetchChanged(changes);
    return { changes, transactions, gasUsed, blobGasUsed };
  }

  /**
   * Publishes changes of a block. `announcement` is `null` if the block is the one that the main thread was notified of
   * last, and has no new transactions.
   */
  #publish(
    block: number,
    execution: PayloadProgress,
    changes: StateChanges,
    announcement: VersionAnnouncement | null = null,
  ): number {
    const { tree, chain } = this.#deps;
    const details = { kind: 'increment', announcement } as const;
    return chain.publish(pendingPositionOf(block, execution), changes, details, tree.tip!.number);
  }
}

/** Returns how the result of a block up to this increment differs from what the feed says; `null` if it does not. */
function resultMismatch(executed: BlockExecutor, { gasUsed, receiptsRoot }: Increment): string | null {
  if (gasUsed !== null && executed.gasUsed !== gasUsed)
    return `gas used is ${executed.gasUsed}, the feed says ${gasUsed}`;
  const root = receiptsRoot === null ? null : executed.receiptsRoot;
  if (root === null || sameBytes(root, receiptsRoot!)) return null;
  return `receipts root is ${toHex(root)}, the feed says ${toHex(receiptsRoot!)}`;
}

function announcementOf(
  { gasUsed, blobGasUsed, attributes }: PayloadProgress,
  transactions: readonly ExecutedTransaction[],
): VersionAnnouncement {
  return { gasUsed, blobGasUsed, extraData: attributes.extraData, transactions: [...transactions] };
}

function pendingPositionOf(block: number, { index, attributes: { parentHash, env } }: PayloadProgress): ChainPosition {
  return { coordinates: { block, index, hash: null, parentHash }, env };
}
