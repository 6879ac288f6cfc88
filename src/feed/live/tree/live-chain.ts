// The chain that is published: confirmed blocks executed one on the other, replaced where the upstream's chain turns
// another way.
import { decodeHeader, envOfHeader } from '../../../chain/block/header.js';
import { parentMismatch } from '../../../execution/block/header-validation.js';
import type { Ancestor, CompleteBlock, ConfirmedTransaction } from '../../../state/block.js';
import { ChangeSet } from '../../../state/change-set.js';
import { NO_CHANGES, type BlockEnv, type StateChanges, type StateDiff } from '../../../state/diff.js';
import type { StateView } from '../../../state/views/view.js';
import type { BlockRef, Upstream, UpstreamBlock } from '../../../upstream/upstream.js';
import type { LiveCounts } from '../../counts.js';
import type { StateFetcher } from '../cold/state-fetcher.js';
import { runDiff, type DiffRunDeps, type Sampled } from '../../diffs/diff-runner.js';
import type { DiffSource, BlockSourceOn } from '../../diffs/block-source.js';
import { liveBlockPlan, runBlock, type BlockRun, type BlockRunDeps } from '../executing/block-runner.js';
import { mismatchIn, mismatchText } from '../executing/mismatch.js';
import type { RuleHistory } from '../rules/rule-book.js';
import { tagsOf, type BlockTree, type RetainedBlock } from './block-tree.js';
import type { Announcement, LiveSink } from '../../feed.js';

/** Parts of a live chain. */
export interface LiveChainDeps extends BlockRunDeps {
  readonly tree: BlockTree;
  readonly sink: LiveSink;
  /** Is told after which block state that is not held is read. */
  readonly filler: Pick<StateFetcher, 'anchorAt' | 'fetch' | 'know'>;
  readonly counts: LiveCounts;
  /** Rules that are served, as far as they are known to be right, and the system contracts that they lack. */
  readonly rules: RuleHistory;
  /** Parts that blocks are taken as diffs with. */
  readonly diffs: Pick<DiffRunDeps, 'reader' | 'executor' | 'share'> & {
    readonly upstream: Pick<Upstream, 'read' | 'request'>;
    /** Is told of a block that was taken and that the node reads otherwise: one line. */
    readonly onDifference: (block: BlockRef, reason: string) => void;
  };
  /** Is told of every block that becomes the newest one by what came with it. */
  readonly onConfirmed: (env: BlockEnv) => void;
  /** Is told of every key that changes. */
  readonly onChanged: (changes: StateChanges) => void;
}

/**
 * Reasons for which a block was not taken. `mismatch`: it does not fit; `refused`: the node does not offer the source
 * of its diff; `foreign`: it runs code that is not the EVM's.
 */
export interface Untaken {
  readonly kind: 'mismatch' | 'refused' | 'foreign';
  readonly reason: string;
}

/** Outcome of a block, by whichever way. */
interface Outcome {
  readonly kind: 'fits';
  readonly changes: StateChanges;
  /** `null`: the header alone is known. */
  readonly transactions: readonly ConfirmedTransaction[] | null;
  /** RLP, of one that was executed and has such a list (EIP-7928). */
  readonly accessList?: Uint8Array;
  /** Of one that was taken as a diff. */
  readonly sampled?: Promise<Sampled>;
}

/** Counters of blocks that were taken as diffs. */
const BY_SOURCE = {
  accessList: 'blocksByAccessList',
  prestate: 'blocksByPrestate',
} as const satisfies Record<DiffSource, keyof LiveCounts>;

/** Place of a version in the chain. */
export type ChainPosition = Pick<StateDiff, 'coordinates' | 'env'>;

/**
 * One per program; `begin` begins anew. One call at a time. Every key in the table is known at every version that is
 * kept: what a diff changes is filled before it is published, and what is given up has not changed in any version that
 * is kept. So a key that is absent has not changed since the newest confirmed block, whose value is its value at every
 * kept version.
 */
export class LiveChain {
  readonly #deps: LiveChainDeps;
  /** The newest sample could not be read, which is told once. */
  #isUnread = false;

  constructor(deps: LiveChainDeps) {
    this.#deps = deps;
  }

  /** Begins anew with the state after `block`, of which nothing is held. */
  begin(block: UpstreamBlock, ancestors: readonly Ancestor[]): void {
    const { tree, sink, filler, counts } = this.#deps;
    if (tree.tip !== null) counts.restarts++;
    const place = placeOf(block);
    sink.begin(this.#diff(place, NO_CHANGES, block.number), block, ancestors);
    const retained = retainedOf(place, block, sink.newest);
    tree.begin(retained);
    filler.anchorAt(retained);
  }

  /** The contradiction of a header to its parent, where that is kept, or to the rules; `null`: there is none. */
  mismatch(block: UpstreamBlock): string | null {
    const header = decodeHeader(block.header);
    const parent = this.#deps.tree.find(header.parentHash)?.header ?? null;
    return parent === null ? null : parentMismatch(header, decodeHeader(parent), this.#deps.rules, true);
  }

  /**
   * Takes a block whose parent is kept, in the place of everything above that parent. Answers why it was not taken:
   * then nothing has changed; where it does not fit, the state is wrong. Rejects with UpstreamError and
   * ExecutionAborted: nothing has changed then.
   */
  async take(block: UpstreamBlock, way: BlockSourceOn): Promise<Untaken | null> {
    const { tree, sink, filler, counts } = this.#deps;
    const place = placeOf(block);
    const parent = tree.find(place.coordinates.parentHash);
    if (parent === null) throw new Error('a block is taken on its parent');
    filler.anchorAt(parent);
    const view = sink.at(parent.version);
    const outcome = await (way.by === 'execution'
      ? this.#executed(block, view)
      : this.#asDiff(block, view, way.source));
    if (outcome.kind !== 'fits') return outcome;
    const all = this.onTop(parent.version, outcome.changes);
    const diff = this.#diff(place, all, block.number);
    const { transactions } = outcome;
    // Members of a header that nobody here has a name for are shown by the node alone.
    const isWhole = transactions !== null && block.unknownFields === undefined;
    const list = outcome.accessList === undefined ? {} : { accessList: outcome.accessList };
    if (isWhole) await sink.complete(diff, { ...block, transactions, ...list });
    else sink.advance(diff, block);
    this.#confirm(retainedOf(place, block, this.#recorded(all)));
    counts[way.by === 'execution' ? 'blocksExecuted' : BY_SOURCE[way.source]]++;
    if (outcome.sampled !== undefined) void this.#heed(block, outcome.sampled);
    return null;
  }

  /** A sample counts as long as the state is the one that it was taken of. */
  async #heed(block: BlockRef, sampled: Promise<Sampled>): Promise<void> {
    const { tree, sink, diffs } = this.#deps;
    const { epoch } = sink;
    const { difference, unread } = await sampled;
    if (sink.epoch !== epoch || tree.find(block.hash) === null) return;
    if (unread !== null && !this.#isUnread)
      sink.progress(`block ${block.number}: what its diff says cannot be compared: ${unread}`);
    this.#isUnread = unread !== null;
    if (difference !== null) diffs.onDifference(block, difference);
  }

  /** A reason with the transaction that differs first, where the node has the receipts. */
  async #explained(
    { reason, executed }: Extract<BlockRun, { kind: 'mismatch' }>,
    block: UpstreamBlock,
  ): Promise<string> {
    const { receiptsRoot } = decodeHeader(block.header);
    const found =
      executed.length === 0 ? null : await mismatchIn(block, executed, receiptsRoot, this.#deps.diffs.upstream);
    return found === null ? reason : `${reason}; ${mismatchText(found)}`;
  }

  /** The newest pre-confirmed block is confirmed as it is. `changes`: what its end has come to. */
  promote(block: CompleteBlock, place: ChainPosition, changes: StateChanges): void {
    const version = this.#promote(block, place, changes);
    this.#confirm(retainedOf(place, block, version));
  }

  /**
   * A block that was pre-confirmed up to `version` is confirmed as it is, below others that stay so. `newest`: where
   * the uppermost of them stands. Answers the version that shows it.
   */
  promoteBelow(newest: ChainPosition, block: CompleteBlock, place: ChainPosition, version: number): number {
    const shown = this.#promote(block, newest, NO_CHANGES);
    this.#confirm(retainedOf(place, block, version));
    return shown;
  }

  /**
   * Publishes changes at a place. `announcement`: `null` where nothing is new but what tags mean, or what was is again.
   * `latest`: the number of the newest confirmed block from then on. Answers the version.
   */
  publish(place: ChainPosition, changes: StateChanges, announcement: Announcement | null, latest: number): number {
    this.#deps.sink.publish(this.#diff(place, changes, latest), announcement);
    return this.#recorded(changes);
  }

  /**
   * Makes a kept block the newest confirmed one and what `pending` means, in the place of all above it and of whatever
   * was pre-confirmed. Throws VersionNotKept where its state is gone; nothing has changed then.
   */
  returnTo(block: RetainedBlock): void {
    const { number, index, hash, parentHash, env } = block;
    const place = { coordinates: { block: number, index, hash, parentHash }, env };
    const version = this.publish(place, this.undo(block.version), null, number);
    this.#confirm({ ...block, version });
  }

  /** Changes that take the newest state back to the one at `version`. */
  undo(version: number): StateChanges {
    const { tree, sink } = this.#deps;
    return tree.undo(version, sink.at(version));
  }

  /** `changes` on top of what takes the newest state back to the one at `version`. */
  onTop(version: number, changes: StateChanges): StateChanges {
    if (this.#deps.sink.newest === version) return changes;
    const all = new ChangeSet();
    all.add(this.undo(version));
    all.add(changes);
    return all.all();
  }

  async #executed(block: UpstreamBlock, view: StateView): Promise<Outcome | Untaken> {
    const run = await runBlock(block, view, this.#deps);
    if (run.kind === 'mismatch') return { ...run, reason: await this.#explained(run, block) };
    if (run.kind === 'foreign') return run;
    const { changes, block: sealed } = run.sealed;
    const { transactions, accessList } = sealed;
    return { kind: 'fits', changes, transactions, ...(accessList === undefined ? {} : { accessList }) };
  }

  #asDiff(block: UpstreamBlock, view: StateView, source: DiffSource): Promise<Outcome | Untaken> {
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
      fetch: (wants) => filler.fetch(wants),
      residentSlots: (addresses) => sink.residentSlots(addresses),
    });
  }

  #confirm(block: RetainedBlock): void {
    this.#deps.tree.add(block);
    this.#deps.filler.anchorAt(block);
    this.#deps.onConfirmed(block.env);
  }

  #promote(block: CompleteBlock, place: ChainPosition, changes: StateChanges): number {
    this.#deps.sink.promote(this.#diff(place, changes, block.number), block);
    this.#deps.counts.blocksPromoted++;
    return this.#recorded(changes);
  }

  /** The version just published, remembered with what it has changed. */
  #recorded(changes: StateChanges): number {
    const { tree, sink, onChanged } = this.#deps;
    const { newest } = sink;
    tree.record(newest, changes);
    onChanged(changes);
    return newest;
  }

  #diff(place: ChainPosition, changes: StateChanges, latest: number): StateDiff {
    return { ...place, heads: tagsOf(this.#deps.tree.tags, latest), ...changes };
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

/** Place of the version that a complete block ends with. */
export function placeOf(block: UpstreamBlock): ChainPosition {
  const header = decodeHeader(block.header);
  const coordinates = { block: block.number, index: 0, hash: block.hash, parentHash: header.parentHash };
  return { coordinates, env: envOfHeader(header) };
}
