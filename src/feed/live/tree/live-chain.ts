// The chain that is published: executes confirmed blocks one on top of the other, and replaces them when the upstream's
// chain is reorganized.
import { decodeHeader, blockEnvOfHeader } from '../../../chain/block/header.js';
import { parentHeaderMismatch } from '../../../execution/block/header-validation.js';
import type { AncestorBlock, CompleteBlock, ExecutedTransaction } from '../../../state/complete-block.js';
import { ChangeSet } from '../../../state/change-set.js';
import { NO_STATE_CHANGES, type BlockEnv, type StateChanges, type StateDiff } from '../../../state/state-diff.js';
import type { StateView } from '../../../state/views/state-view.js';
import type { BlockRef, Upstream, UpstreamBlock } from '../../../upstream/upstream.js';
import type { LiveCounts } from '../../live-counts.js';
import type { StateFetcher } from '../cold/state-fetcher.js';
import { runDiff, type DiffRunDeps, type SampleCheckResult } from '../../diffs/diff-runner.js';
import type { DiffSource, BlockApplication } from '../../diffs/block-application.js';
import { liveBlockPlan, runUpstreamBlock, type BlockRunResult, type BlockRunDeps } from '../executing/block-runner.js';
import { findReceiptMismatch, receiptMismatchText } from '../executing/receipt-mismatch.js';
import type { RuleHistory } from '../rules/rule-history.js';
import { blockTagsFor, type LiveBlockTree, type RetainedBlock } from './block-tree.js';
import type { VersionAnnouncement, LiveSink } from '../../feed.js';

interface LiveChainDeps extends BlockRunDeps {
  readonly tree: LiveBlockTree;
  readonly sink: LiveSink;
  /** It is notified of the block after which missing state is read. */
  readonly filler: Pick<StateFetcher, 'anchorAt' | 'fetch' | 'know'>;
  readonly counts: LiveCounts;
  /** The rules in use, whether they are known to be right, and the unknown system contracts. */
  readonly rules: RuleHistory;
  /** What is needed to apply blocks as diffs. */
  readonly diffs: Pick<DiffRunDeps, 'reader' | 'executor' | 'share'> & {
    readonly upstream: Pick<Upstream, 'read' | 'request'>;
    /** Called if the node reads an applied block differently, with a reason of one line. */
    readonly onDifference: (block: BlockRef, reason: string) => void;
  };
  /** Called with every block that becomes the newest one. */
  readonly onConfirmed: (env: BlockEnv) => void;
  /** Called with all changes. */
  readonly onChanged: (changes: StateChanges) => void;
}

/**
 * Why a block was not applied. `mismatch`: it contradicts the state or the rules. `refused`: the node does not offer
 * the source of its diff. `foreign`: it runs non-EVM code.
 */
export interface NotAppliedReason {
  readonly kind: 'mismatch' | 'refused' | 'foreign';
  readonly reason: string;
}

/** The result of applying a block, whether executed or as a diff. */
interface Outcome {
  readonly kind: 'fits';
  readonly changes: StateChanges;
  /** The transactions with their results; `null` if only the header is known. */
  readonly transactions: readonly ExecutedTransaction[] | null;
  /** RLP of the block's access list (EIP-7928), if the block was executed and has one. */
  readonly accessList?: Uint8Array;
  /** The check of the sample, if the block was applied as a diff. */
  readonly sampled?: Promise<SampleCheckResult>;
}

/** The counter of blocks that were applied as diffs, by source. */
const BY_SOURCE = {
  accessList: 'blocksByAccessList',
  prestate: 'blocksByPrestate',
} as const satisfies Record<DiffSource, keyof LiveCounts>;

/** The position of a version in the chain. */
export type ChainPosition = Pick<StateDiff, 'coordinates' | 'env'>;

/**
 * The confirmed chain; `begin` resyncs it. Only one call may run at a time. Every key that is in the table is known at
 * every retained version: what a diff changes is fetched before it is published, and what is evicted has not changed in
 * any retained version. So an absent key has not changed since the oldest retained version, and its value after the
 * newest confirmed block is right for every retained version.
 */
export class LiveChain {
  readonly #deps: LiveChainDeps;
  /** True if the newest sample could not be read, which is logged once. */
  #isUnread = false;

  constructor(deps: LiveChainDeps) {
    this.#deps = deps;
  }

  /** Resyncs at the state after `block` with an empty table. */
  begin(block: UpstreamBlock, ancestors: readonly AncestorBlock[]): void {
    const { tree, sink, filler, counts } = this.#deps;
    if (tree.tip !== null) counts.restarts++;
    const position = chainPositionOf(block);
    sink.begin(this.#diff(position, NO_STATE_CHANGES, block.number), block, ancestors);
    const retained = retainedOf(position, block, sink.newest);
    tree.begin(retained);
    filler.anchorAt(retained);
  }

  /** How a header contradicts the rules, or its parent if that is retained; `null` if it does not. */
  mismatch(block: UpstreamBlock): string | null {
    const header = decodeHeader(block.header);
    const parent = this.#deps.tree.find(header.parentHash)?.header ?? null;
    return parent === null ? null : parentHeaderMismatch(header, decodeHeader(parent), this.#deps.rules, true);
  }

  /**
   * Applies a block whose parent is retained, and replaces everything above that parent. If it was not applied, returns
   * why, and nothing has changed; with a mismatch, the state is wrong. Rejects with UpstreamError and ExecutionAborted;
   * nothing has changed then either.
   */
  async take(block: UpstreamBlock, mode: BlockApplication): Promise<NotAppliedReason | null> {
    const { tree, sink, filler, counts } = this.#deps;
    const position = chainPositionOf(block);
    const parent = tree.find(position.coordinates.parentHash);
    if (parent === null) throw new Error('a block is taken on its parent');
    filler.anchorAt(parent);
    const view = sink.at(parent.version);
    const outcome = await (mode.by === 'execution'
      ? this.#executed(block, view)
      : this.#asDiff(block, view, mode.source));
    if (outcome.kind !== 'fits') return outcome;
    const all = this.onTop(parent.version, outcome.changes);
    const diff = this.#diff(position, all, block.number);
    const { transactions } = outcome;
    // Unknown fields of a header can only be returned by the node.
    const isWhole = transactions !== null && block.unknownFields === undefined;
    const list = outcome.accessList === undefined ? {} : { accessList: outcome.accessList };
    if (isWhole) await sink.complete(diff, { ...block, transactions, ...list });
    else sink.advance(diff, block);
    this.#confirm(retainedOf(position, block, this.#recorded(all)));
    counts[mode.by === 'execution' ? 'blocksExecuted' : BY_SOURCE[mode.source]]++;
    if (outcome.sampled !== undefined) void this.#heed(block, outcome.sampled);
    return null;
  }

  /** Handles the result of a sample. It counts only if the state is still the one from which the sample was taken. */
  async #heed(block: BlockRef, sampled: Promise<SampleCheckResult>): Promise<void> {
    const { tree, sink, diffs } = this.#deps;
    const { epoch } = sink;
    const { difference, unread } = await sampled;
    if (sink.epoch !== epoch || tree.find(block.hash) === null) return;
    if (unread !== null && !this.#isUnread)
      sink.progress(`block ${block.number}: what its diff says cannot be compared: ${unread}`);
    this.#isUnread = unread !== null;
    if (difference !== null) diffs.onDifference(block, difference);
  }

  /** The reason, preceded by the transaction that differs if the node has the receipts. */
  async #explained(
    { reason, executed }: Extract<BlockRunResult, { kind: 'mismatch' }>,
    block: UpstreamBlock,
  ): Promise<string> {
    const { receiptsRoot } = decodeHeader(block.header);
    const found =
      executed.length === 0
        ? null
        : await findReceiptMismatch(block, executed, receiptsRoot, this.#deps.diffs.upstream);
    return found === null ? reason : `${reason}; ${receiptMismatchText(found)}`;
  }

  /** Confirms the newest pre-confirmed block, unchanged. `changes` are those of sealing it. */
  promote(block: CompleteBlock, position: ChainPosition, changes: StateChanges): void {
    const version = this.#promote(block, position, changes);
    this.#confirm(retainedOf(position, block, version));
  }

  /**
   * Confirms a block that was pre-confirmed up to `version`, unchanged, while others above it stay pre-confirmed.
   * `newest` is the position of the uppermost of them. Returns the version that shows this.
   */
  promoteBelow(newest: ChainPosition, block: CompleteBlock, position: ChainPosition, version: number): number {
    const shown = this.#promote(block, newest, NO_STATE_CHANGES);
    this.#confirm(retainedOf(position, block, version));
    return shown;
  }

  /**
   * Publishes changes at a position, and returns the version. `announcement` is `null` if only the meaning of tags has
   * changed, or old state is shown again. `latest` is the number of the newest confirmed block from then on.
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
   * Makes a retained block the newest confirmed one and the meaning of `pending`; it replaces everything above it and
   * everything pre-confirmed. Throws VersionNotKept if its state is gone; nothing has changed then.
   */
  returnTo(block: RetainedBlock): void {
    const { number, index, hash, parentHash, env } = block;
    const position = { coordinates: { block: number, index, hash, parentHash }, env };
    const version = this.publish(position, this.undo(block.version), null, number);
    this.#confirm({ ...block, version });
  }

  /** The changes that turn the newest state into the one at `version`. */
  undo(version: number): StateChanges {
    const { tree, sink } = this.#deps;
    return tree.undo(version, sink.at(version));
  }

  /** `changes`, applied after those that turn the newest state into the one at `version`. */
  onTop(version: number, changes: StateChanges): StateChanges {
    if (this.#deps.sink.newest === version) return changes;
    const all = new ChangeSet();
    all.add(this.undo(version));
    all.add(changes);
    return all.all();
  }

  async #executed(block: UpstreamBlock, view: StateView): Promise<Outcome | NotAppliedReason> {
    const run = await runUpstreamBlock(block, view, this.#deps);
    if (run.kind === 'mismatch') return { ...run, reason: await this.#explained(run, block) };
    if (run.kind === 'foreign') return run;
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
    return runDiff(task, view, {
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
    this.#deps.onConfirmed(block.env);
  }

  #promote(block: CompleteBlock, position: ChainPosition, changes: StateChanges): number {
    this.#deps.sink.promote(this.#diff(position, changes, block.number), block);
    this.#deps.counts.blocksPromoted++;
    return this.#recorded(changes);
  }

  /** The version that was just published, which is recorded with its changes. */
  #recorded(changes: StateChanges): number {
    const { tree, sink, onChanged } = this.#deps;
    const { newest } = sink;
    tree.record(newest, changes);
    onChanged(changes);
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

/** The position of the version that completes a block. */
export function chainPositionOf(block: UpstreamBlock): ChainPosition {
  const header = decodeHeader(block.header);
  const coordinates = { block: block.number, index: 0, hash: block.hash, parentHash: header.parentHash };
  return { coordinates, env: blockEnvOfHeader(header) };
}
