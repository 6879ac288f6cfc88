// The confirmed blocks of a live chain. Applies new ones on top of each other, and replaces them when the node's chain
// is reorganized.
import { decodeHeader, blockEnvOfHeader } from '../../../chain/block/header.js';
import { parentHeaderMismatch } from '../../../execution/block/header-validation.js';
import type { AncestorBlock, CompleteBlock } from '../../../state/complete-block.js';
import { ChangeSet } from '../../../state/merge-state-changes.js';
import { NO_STATE_CHANGES, type StateChanges, type StateDiff } from '../../../state/state-diff.js';
import type { StateView } from '../../../state/views/state-view.js';
import type { BlockRef, UpstreamBlock } from '../../../upstream/upstream.js';
import type { LiveFeedCounters } from '../../live-feed-counters.js';
import type { StateFetcher } from '../cold/state-fetcher.js';
import type { SystemSlotPrefetch } from '../cold/system-slot-prefetch.js';
import type { RecentKeys } from '../warm/recent-keys.js';
import {
  applyBlockDiff,
  type ApplyBlockDiffDeps,
  type MatchingDiff,
  type SampleCheckResult,
} from '../../diffs/apply-block-diff.js';
import type { DiffSource, BlockApplication } from '../../diffs/choose-execution-or-diff.js';
import { liveBlockPlan, runUpstreamBlock, type BlockRunDeps } from '../executing/run-upstream-block.js';
import type { ForkScheduleTracker } from '../rules/fork-schedule-tracker.js';
import { blockTagsFor, type LiveBlockTree, type RetainedBlock } from './block-tree.js';
import type { VersionAnnouncement, LiveSink } from '../../feed.js';

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
    /** Called with a reason of one line if the node reads a value of an applied block differently. */
    readonly onDifference: (block: BlockRef, reason: string) => void;
  };
  readonly systemSlots: SystemSlotPrefetch;
  /** The recently used keys; `undefined` if they are not remembered. */
  readonly recent: Pick<RecentKeys, 'touch'> | undefined;
}

/**
 * Why a block was not applied. `mismatch`: it contradicts our state or the rules. `refused`: the node does not offer
 * the source of its diff. `foreign`: it runs non-EVM code.
 */
export interface NotAppliedReason {
  readonly kind: 'mismatch' | 'refused' | 'foreign';
  readonly reason: string;
}

/** The result of executing a block, or of applying it as a diff. */
interface Outcome extends Pick<MatchingDiff, 'kind' | 'changes' | 'transactions'> {
  /** RLP of the block's access list (EIP-7928), if the block was executed and has one. */
  readonly accessList?: Uint8Array;
  /** Set if the block was applied as a diff. */
  readonly sampled?: MatchingDiff['sampled'];
}

/** The name of the counter for blocks applied as diffs, by the source of the diff. */
const BY_SOURCE = {
  accessList: 'blocksByAccessList',
  prestate: 'blocksByPrestate',
} as const satisfies Record<DiffSource, keyof LiveFeedCounters>;

/** Position of a state version in the chain: block, increment, hashes and environment. */
export type ChainPosition = Pick<StateDiff, 'coordinates' | 'env'>;

/**
 * The confirmed chain, started or resynced by `begin`. Only one call may run at a time. Every key in the table is known
 * at every retained state version: the keys that a diff changes are fetched before it is published, and only keys that
 * have not changed in any retained version are evicted. So a key that is not in the table has not changed since the
 * oldest retained version, and its value after the newest confirmed block is right for every retained version.
 */
export class CanonicalChain {
  readonly #deps: CanonicalChainDeps;
  /** True if the node could not provide the newest sample of values for comparison. Logged when it becomes true. */
  #isUnread = false;

  constructor(deps: CanonicalChainDeps) {
    this.#deps = deps;
  }

  /** Starts the state anew after `block`, with an empty table. */
  begin(block: UpstreamBlock, ancestors: readonly AncestorBlock[]): void {
    const { tree, sink, filler, counts } = this.#deps;
    if (tree.tip !== null) counts.restarts++;
    const position = chainPositionOf(block);
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
   * Applies a block whose parent is retained; it replaces everything above that parent. Returns `null`, or why it was
   * not applied. Rejects with UpstreamError and ExecutionAborted. If the block is not applied, nothing has changed;
   * after a mismatch, the state in the table or the chain's rules are wrong.
   */
  async take(block: UpstreamBlock, mode: BlockApplication): Promise<NotAppliedReason | null> {
    const { tree, sink, filler, counts } = this.#deps;
    const position = chainPositionOf(block);
    const parent = tree.find(position.coordinates.parentHash);
    if (parent === null) throw new Error('a block is applied on its parent');
    filler.anchorAt(parent);
    const view = sink.at(parent.version);
    const outcome = await (mode.by === 'execution'
      ? this.#executed(block, view)
      : this.#asDiff(block, view, mode.source));
    if (outcome.kind !== 'fits') return outcome;
    const all = this.onTop(parent.version, outcome.changes);
    const diff = this.#diff(position, all, block.number);
    const { transactions } = outcome;
    // The fields of a header that are unknown here can be returned to clients only by the node.
    const isWhole = transactions !== null && block.unknownFields === undefined;
    const list = outcome.accessList === undefined ? {} : { accessList: outcome.accessList };
    if (isWhole) await sink.complete(diff, { ...block, transactions, ...list });
    else sink.advance(diff, block);
    this.#confirm(retainedOf(position, block, this.#recorded(all)));
    counts[mode.by === 'execution' ? 'blocksExecuted' : BY_SOURCE[mode.source]]++;
    if (outcome.sampled !== undefined) void this.#heed(block, outcome.sampled);
    return null;
  }

  /**
   * Handles the comparison of some changes of a block with the node's state. The result is ignored if the block is no
   * longer part of the current state.
   */
  async #heed(block: BlockRef, sampled: Promise<SampleCheckResult>): Promise<void> {
    const { tree, sink, diffs } = this.#deps;
    const { epoch } = sink;
    const { difference, unread } = await sampled;
    if (sink.epoch !== epoch || tree.find(block.hash) === null) return;
    if (unread !== null && !this.#isUnread)
      sink.progress(`block ${block.number}: its diff cannot be compared with the node: ${unread}`);
    this.#isUnread = unread !== null;
    if (difference !== null) diffs.onDifference(block, difference);
  }

  /** Confirms the only pre-confirmed block as it was executed. `changes` are those that sealing the block makes. */
  promote(block: CompleteBlock, position: ChainPosition, changes: StateChanges): void {
    const version = this.#promote(block, position, changes);
    this.#confirm(retainedOf(position, block, version));
  }

  /**
   * Confirms a block that was pre-confirmed up to `version` without a change, while blocks above it stay pre-confirmed.
   * `newest` is the position of the uppermost one. Returns the state version that shows this to readers.
   */
  promoteBelow(newest: ChainPosition, block: CompleteBlock, position: ChainPosition, version: number): number {
    const shown = this.#promote(block, newest, NO_STATE_CHANGES);
    this.#confirm(retainedOf(position, block, version));
    return shown;
  }

  /**
   * Publishes changes at a position, and returns the new version. `announcement` is `null` if the main thread already
   * knows the transactions of the position's block. `latest` is the number of the newest confirmed block.
   */
  publish(
    position: ChainPosition,
    changes: StateChanges,
    announcement: VersionAnnouncement | null,
    latest: number,
  ): number {
    this.#deps.sink.publish(this.#diff(position, changes, latest), announcement);
    return this.#recorded(changes);
  }

  /**
   * Goes back to a retained block. It becomes the newest confirmed block, which `pending` then means, too; everything
   * above it and everything pre-confirmed is dropped. Throws VersionNotKept if its state is gone; nothing has changed
   * then.
   */
  returnTo(block: RetainedBlock): void {
    const { number, index, hash, parentHash, env } = block;
    const position = { coordinates: { block: number, index, hash, parentHash }, env };
    const version = this.publish(position, this.undo(block.version), null, number);
    this.#confirm({ ...block, version });
  }

  /** Returns the changes that turn the newest state into the state at `version`. */
  undo(version: number): StateChanges {
    const { tree, sink } = this.#deps;
    return tree.undo(version, sink.at(version));
  }

  /** Returns the changes that turn the newest state into the state at `version` with `changes` applied to it. */
  onTop(version: number, changes: StateChanges): StateChanges {
    if (this.#deps.sink.newest === version) return changes;
    const all = new ChangeSet();
    all.add(this.undo(version));
    all.add(changes);
    return all.all();
  }

  async #executed(block: UpstreamBlock, view: StateView): Promise<Outcome | NotAppliedReason> {
    const run = await runUpstreamBlock(block, view, this.#deps);
    if (run.kind !== 'fits') return run;
    const { changes, block: sealed } = run.sealed;
    const { transactions, accessList } = sealed;
    return { kind: 'fits', changes, transactions, ...(accessList === undefined ? {} : { accessList }) };
  }

  #asDiff(block: UpstreamBlock, view: StateView, source: DiffSource): Promise<Outcome | NotAppliedReason> {
    const { diffs, filler, sink, rules, counts } = this.#deps;
    const header = decodeHeader(block.header);
    const { receiptsRoot, blockAccessListHash: accessListHash = null } = header;
    const plan = liveBlockPlan(block, header, rules.at(header.number, header.timestamp));
    const { queues, doubt } = rules;
    const task = { source, block, plan, receiptsRoot, accessListHash, queues, showsNodeReceipts: doubt !== null };
    return applyBlockDiff(task, view, {
      ...diffs,
      counts,
      know: (reported) => filler.know(reported),
      fetch: (missing) => filler.fetch(missing),
      residentSlots: (addresses) => sink.residentSlots(addresses),
    });
  }

  #confirm(block: RetainedBlock): void {
    this.#deps.tree.add(block);
    this.#deps.filler.anchorAt(block);
    this.#deps.systemSlots.after(block.env);
  }

  #promote(block: CompleteBlock, position: ChainPosition, changes: StateChanges): number {
    this.#deps.sink.promote(this.#diff(position, changes, block.number), block);
    this.#deps.counts.blocksPromoted++;
    return this.#recorded(changes);
  }

  /** Records the changes of the state version that was just published. Returns that version. */
  #recorded(changes: StateChanges): number {
    const { tree, sink, recent } = this.#deps;
    const { newest } = sink;
    tree.record(newest, changes);
    recent?.touch(changes);
    return newest;
  }

  #diff(position: ChainPosition, changes: StateChanges, latest: number): StateDiff {
    return { ...position, heads: blockTagsFor(this.#deps.tree.tags, latest), ...changes };
  }
}

function retainedOf(
  { coordinates, env }: ChainPosition,
  block: CompleteBlock | UpstreamBlock,
  version: number,
): RetainedBlock {
  const { block: number, index, parentHash } = coordinates;
  const { hash, header } = block;
  return { number, index, hash, parentHash, env, version, header };
}

/** Returns the chain position of the state after a complete block. */
export function chainPositionOf(block: UpstreamBlock): ChainPosition {
  const header = decodeHeader(block.header);
  const coordinates = { block: block.number, index: 0, hash: block.hash, parentHash: header.parentHash };
  return { coordinates, env: blockEnvOfHeader(header) };
}
