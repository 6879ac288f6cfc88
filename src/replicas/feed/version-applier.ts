// Applies the executor's state versions to the local table, and remembers what is needed to revert the newest blocks.
import { setImmediate } from 'node:timers/promises';
import type { VersionMessage } from '../messages/stream-message.js';
import type { ReplicationCounts } from '../replication-status.js';
import type { StateChanges } from '../../state/state-diff.js';
import type { ReplicaFeedSink } from '../../feed/feed.js';
import type { StateFetcher } from '../../feed/live/cold/state-fetcher.js';
import { LiveBlockTree, type RetainedCanonicalBlock } from '../../feed/live/tree/block-tree.js';

/** Where state versions are applied, and what counts them. */
export interface VersionApplierDeps {
  readonly sink: ReplicaFeedSink;
  /** `anchorAt` must be called with each confirmed block, because missing state is fetched as of that block. */
  readonly filler: Pick<StateFetcher, 'anchorAt'>;
  readonly counts: ReplicationCounts;
}

/** Applies state versions in order, starting from a snapshot. */
export class VersionApplier {
  readonly #deps: VersionApplierDeps;
  #tree = new LiveBlockTree();

  constructor(deps: VersionApplierDeps) {
    this.#deps = deps;
  }

  /** The newest blocks; `null` if no block was confirmed since the snapshot was loaded. */
  get kept(): LiveBlockTree | null {
    return this.#tree.tip === null ? null : this.#tree;
  }

  /** Called when a snapshot has been loaded into the table. */
  begin(): void {
    this.#tree = new LiveBlockTree();
    this.#confirmed(null);
  }

  /** Applies one state version. It gets the same number here that it has at the executor. */
  async apply({ diff, before, details, version }: VersionMessage): Promise<void> {
    const { sink, counts } = this.#deps;
    if (before !== null) await this.#fetch({ ...before, codes: diff.codes });
    sink.publishVersion(diff, details);
    if (sink.newest !== version) throw new Error(`version ${version} was published as ${sink.newest}`);
    counts.versions++;
    if (this.#tree.tip !== null) this.#tree.record(version, diff);
    // The confirmed block is recorded even if the message contains no other news, because the executor may have rolled
    // back to an earlier block.
    if (details.kind === 'block') this.#confirmed(details.block);
    else if (details.kind === 'header') this.#confirmed(details);
    else if (diff.coordinates.hash !== null) this.#confirmed(this.#tree.find(diff.coordinates.hash));
  }

  /**
   * Adds the values that the changed keys had before this version, until the table is full. A value that does not fit
   * is missing at older state versions and has to be fetched there, but reads never return a wrong value.
   */
  async #fetch(before: StateChanges): Promise<void> {
    const { sink } = this.#deps;
    if (before.accounts.length + before.slots.length === 0) return;
    if (sink.addMissing(before, sink.newest) !== 'full') return;
    while (sink.evictSlice()) await setImmediate();
    sink.addMissing(before, sink.newest);
  }

  /** Records a confirmed block. `block` is `null` if it comes from a snapshot. */
  #confirmed(block: Pick<RetainedCanonicalBlock, 'header'> | null): void {
    const latest = this.#deps.sink.latest();
    if (latest === null) return;
    this.#deps.filler.anchorAt(latest);
    const retained = { ...latest, header: block?.header ?? null };
    if (this.#tree.find(latest.parentHash) === null) this.#tree.begin(retained);
    else this.#tree.add(retained);
  }
}
