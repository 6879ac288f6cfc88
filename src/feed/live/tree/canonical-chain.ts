// The confirmed blocks of a live chain. Applies new ones on top of each other, and replaces them when the node's chain
// is reorganized.
import { decodeHeader, positionAfterBlock } from '../../../chain/block/header.js';
import { blockPlanOf } from '../../../execution/block/block-executor.js';
import { parentHeaderMismatch } from '../../../execution/block/header-validation.js';
import type { AncestorBlock, CompleteBlock } from '../../../state/complete-block.js';
import { mergeStateChanges } from '../../../state/merge-state-changes.js';
import { NO_STATE_CHANGES, type ChainPosition, type StateChanges, type StateDiff } from '../../../state/state-diff.js';
import type { StateView } from '../../../state/views/state-view.js';
import type { BlockNumberAndHash, UpstreamBlock } from '../../../upstream/upstream.js';
import type { LiveFeedCounters } from '../../live-feed-counters.js';
import type { StateFetcher } from '../cold/state-fetcher.js';
import type { SystemSlotPrefetch } from '../cold/system-slot-prefetch.js';
import type { RecentKeys } from '../warm/recent-keys.js';
import {
  changesFromBlockDiff,
  type ApplyBlockDiffDeps,
  type ApplyBlockDiffResult,
  type SampleCheckResult,
} from '../../diffs/apply-block-diff.js';
import type { DiffSource, BlockApplication, NotAppliedReason } from '../../diffs/choose-execution-or-diff.js';
import { runUpstreamBlock, type BlockRunDeps } from '../executing/run-upstream-block.js';
import type { ForkScheduleTracker } from '../rules/fork-schedule-tracker.js';
import { blockTagsFor, type LiveBlockTree, type RetainedCanonicalBlock } from './block-tree.js';
import type { LiveSink, VersionDetails } from '../../feed.js';

export interface CanonicalChainDeps extends BlockRunDeps {
  readonly tree: LiveBlockTree;
  readonly sink: LiveSink;
  /** Fetches missing state; `anchorAt` sets the block after which it is read. */
  readonly filler: Pick<StateFetcher, 'anchorAt' | 'fetch' | 'know'>;
  readonly counts: LiveFeedCounters;
  /** The rules in use, whether they are certain, and the unknown system contracts. */
  readonly rules: ForkScheduleTracker;
  /** The dependencies of applying blocks as diffs. */
  readonly diffs: Pick<ApplyBlockDiffDeps, 'reader' | 'upstream' | 'executor' | 'share'> & {
    /** Called if a value in our state after `block` differs from the node's. `reason` is one line. */
    readonly onDifference: (block: BlockNumberAndHash, reason: string) => void;
  };
  readonly systemSlots: SystemSlotPrefetch;
  /** The recently used keys; `undefined` if they are not remembered. */
  readonly recent: Pick<RecentKeys, 'touch'> | undefined;
}

/** Names of the counters of blocks that were applied as diffs, by the source of the diff. */
const BY_SOURCE = {
  accessList: 'blocksByAccessList',
  prestate: 'blocksByPrestate',
} as const satisfies Record<DiffSource, keyof LiveFeedCounters>;

/**
 * The confirmed chain, started or resynced by `begin`. Only one call may run at a time.
 *
 * For every key in the table, the value at every retained state version is known. Therefore the keys that a block
 * changes are fetched before the block is published, and only keys that have not changed in any retained version are
 * evicted. It follows that a key that is not in the table has not changed since the oldest retained version. Its value
 * after the newest confirmed block, which is fetched when needed, is right for every retained version.
 */
export class CanonicalChain {
  readonly #deps: CanonicalChainDeps;
  /** True if the node could not provide the last sample of values for comparison. Logged when it becomes true. */
  #isUnread = false;

  constructor(deps: CanonicalChainDeps) {
    this.#deps = deps;
  }

  /** Drops the whole state, and starts a new one after `block` with an empty table. */
  begin(block: UpstreamBlock, ancestors: readonly AncestorBlock[]): void {
    const { tree, sink, filler, counts } = this.#deps;
    if (tree.tip !== null) counts.restarts++;
    const position = positionAfterBlock(decodeHeader(block.header), block.hash);
    sink.begin(this.#diff(position, NO_STATE_CHANGES, block.number), block, ancestors);
    const retained = retainedOf(position, block, sink.newest);
    tree.begin(retained);
    filler.anchorAt(retained);
  }

  /**
   * Returns how a header contradicts its parent's header or the rules; `null` if it does not, or if the parent is not
   * retained.
   */
  mismatch(block: UpstreamBlock): string | null {
    const header = decodeHeader(block.header);
    const parent = this.#deps.tree.find(header.parentHash)?.header ?? null;
    return parent === null ? null : parentHeaderMismatch(header, decodeHeader(parent), this.#deps.rules, true);
  }

  /**
   * Applies a block whose parent is retained. It replaces everything above that parent. Returns `null`, or why it was
   * not applied; in the latter case nothing has changed. A `mismatch` means that our state or our rules are wrong.
   * Rejects with UpstreamError and ExecutionAborted.
   */
  async take(block: UpstreamBlock, mode: BlockApplication): Promise<NotAppliedReason | null> {
    const { tree, sink, filler, counts } = this.#deps;
    const position = positionAfterBlock(decodeHeader(block.header), block.hash);
    const parent = tree.find(position.coordinates.parentHash);
    if (parent === null) throw new Error('a block is applied on its parent');
    filler.anchorAt(parent);
    const view = sink.at(parent.version);
    const outcome = await (mode.by === 'execution'
      ? runUpstreamBlock(block, view, this.#deps)
      : this.#asDiff(block, view, mode.source));
    if (outcome.kind !== 'fits') return outcome;
    const all = this.onTop(parent.version, outcome.changes);
    const { transactions } = outcome;
    // If the header has fields that we do not know, only the node can return the whole block to clients.
    const isWhole = transactions !== null && block.unknownFields === undefined;
    const list = 'accessList' in outcome && outcome.accessList !== undefined ? { accessList: outcome.accessList } : {};
    const details: VersionDetails = isWhole
      ? { kind: 'block', block: { ...block, transactions, ...list } }
      : { kind: 'header', header: block.header };
    this.#confirm(retainedOf(position, block, this.publish(position, all, details, block.number)));
    counts[mode.by === 'execution' ? 'blocksExecuted' : BY_SOURCE[mode.source]]++;
    if ('sampled' in outcome) void this.#heed(block, outcome.sampled);
    return null;
  }

  /**
   * Waits for the result of comparing a sample of the block's changes with the node's state, and handles it. Ignores it
   * if the block is no longer part of the current state.
   */
  async #heed(block: BlockNumberAndHash, sampled: Promise<SampleCheckResult>): Promise<void> {
    const { tree, sink, diffs } = this.#deps;
    const { epoch } = sink;
    const { difference, unread } = await sampled;
    if (sink.epoch !== epoch || tree.find(block.hash) === null) return;
    if (unread !== null && !this.#isUnread)
      sink.progress(`block ${block.number}: its diff cannot be compared with the node: ${unread}`);
    this.#isUnread = unread !== null;
    if (difference !== null) diffs.onDifference(block, difference);
  }

  /** Confirms the only pre-confirmed block without executing it again. `changes` are those that sealing it makes. */
  promote(block: CompleteBlock, position: ChainPosition, changes: StateChanges): void {
    const version = this.#promote(block, position, changes);
    this.#confirm(retainedOf(position, block, version));
  }

  /**
   * Confirms a pre-confirmed block without executing it again, while the blocks above it stay pre-confirmed. `version`
   * is the last state version of the confirmed block; `newest` is the position of the newest pre-confirmed block.
   * Returns the new state version, in which readers see the block as confirmed.
   */
  promoteBelow(newest: ChainPosition, block: CompleteBlock, position: ChainPosition, version: number): number {
    const shown = this.#promote(block, newest, NO_STATE_CHANGES);
    this.#confirm(retainedOf(position, block, version));
    return shown;
  }

  /**
   * Publishes changes at a position, and returns the new version. `latest` is the number of the newest confirmed block.
   */
  publish(position: ChainPosition, changes: StateChanges, details: VersionDetails, latest: number): number {
    const { tree, sink, recent } = this.#deps;
    sink.publishVersion(this.#diff(position, changes, latest), details);
    const { newest } = sink;
    tree.record(newest, changes);
    recent?.touch(changes);
    return newest;
  }

  /**
   * Makes a retained block the newest confirmed block again, and drops everything above it, including pre-confirmed
   * blocks. `pending` then means the same as `latest`. Throws VersionNotKept, without any change, if the block's state
   * cannot be read any more.
   */
  returnTo(block: RetainedCanonicalBlock): void {
    const { number, index, hash, parentHash, env } = block;
    const position = { coordinates: { block: number, index, hash, parentHash }, env };
    const silent = { kind: 'increment', announcement: null } as const;
    const version = this.publish(position, this.undo(block.version), silent, number);
    this.#confirm({ ...block, version });
  }

  /** Returns the changes that turn the newest state into the state at `version`. */
  undo(version: number): StateChanges {
    const { tree, sink } = this.#deps;
    return tree.undo(version, sink.at(version));
  }

  /** Returns the changes that turn the newest state into the state at `version` with `changes` applied to it. */
  onTop(version: number, changes: StateChanges): StateChanges {
    return this.#deps.sink.newest === version ? changes : mergeStateChanges([this.undo(version), changes]);
  }

  #asDiff(block: UpstreamBlock, view: StateView, source: DiffSource): Promise<ApplyBlockDiffResult> {
    const { diffs, filler, sink, rules, counts } = this.#deps;
    const header = decodeHeader(block.header);
    const plan = blockPlanOf(header, block, rules.at(header.number, header.timestamp));
    const { queues, doubt } = rules;
    const task = { source, block, plan, queues, showsNodeReceipts: doubt !== null };
    return changesFromBlockDiff(task, view, {
      ...diffs,
      counts,
      know: (reported) => filler.know(reported),
      fetch: (missing) => filler.fetch(missing),
      residentSlots: (addresses) => sink.residentSlots(addresses),
    });
  }

  #confirm(block: RetainedCanonicalBlock): void {
    this.#deps.tree.add(block);
    this.#deps.filler.anchorAt(block);
    this.#deps.systemSlots.after(block.env);
  }

  #promote(block: CompleteBlock, position: ChainPosition, changes: StateChanges): number {
    this.#deps.counts.blocksPromoted++;
    return this.publish(position, changes, { kind: 'block', block }, block.number);
  }

  #diff(position: ChainPosition, changes: StateChanges, latest: number): StateDiff {
    return { ...position, heads: blockTagsFor(this.#deps.tree.tags, latest), ...changes };
  }
}

function retainedOf(
  { coordinates, env }: ChainPosition,
  block: CompleteBlock | UpstreamBlock,
  version: number,
): RetainedCanonicalBlock {
  const { block: number, index, parentHash } = coordinates;
  const { hash, header } = block;
  return { number, index, hash, parentHash, env, version, header };
}
