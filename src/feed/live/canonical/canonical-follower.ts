// Follows the upstream node's canonical blocks. It fetches and executes new blocks, rolls back when the node does, and
// loads the state anew (resyncs) if neither is possible.

// A block with an unknown transaction type is applied as a diff. We do not conclude from it that our rules for the
// chain are wrong. See DECISIONS.md.
import { decodeHeader } from '../../../chain/block/header.js';
import { opRulesAt } from '../../../chain/op/forks.js';
import { isSameChainUntil } from '../../../chain/chain-description.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { toHex } from '../../../lib/bytes/hex.js';
import { LIMITS } from '../../../limits/index.js';
import type { AncestorBlock } from '../../../state/complete-block.js';
import { VersionNotKept } from '../../../state/table/read/table-reader-and-snapshot.js';
import { nullIfRefused, UpstreamError } from '../../../upstream/upstream.js';
import type { BlockNumberAndHash, Upstream, UpstreamBlock, UpstreamHead } from '../../../upstream/upstream.js';
import type { NotAppliedReason } from '../../diffs/choose-execution-or-diff.js';
import type { ExecutionOrDiffChooser } from '../../diffs/execution-or-diff-chooser.js';
import type { LiveSink } from '../../feed.js';
import { fetchBlockhashAncestors, fetchHeadersBetween } from './fetch-ancestors.js';
import type { LiveFeedCounters } from '../../live-feed-counters.js';
import type { LiveBlockTree, RetainedCanonicalBlock } from '../tree/block-tree.js';
import type { TreeDriver } from '../tree/tree-driver.js';
import type { CanonicalChain } from '../tree/canonical-chain.js';
import type { RecentKeysFetcher } from '../warm/fetch-recent-keys.js';
import type { ForkScheduleTracker, RulesForBlock } from '../rules/fork-schedule-tracker.js';
import { unsupportedFeatureIn, transactionTypeText } from './find-unsupported-feature.js';

interface CanonicalFollowerDeps {
  readonly tree: LiveBlockTree;
  readonly chain: CanonicalChain;
  readonly driver: TreeDriver;
  readonly rules: ForkScheduleTracker;
  readonly counts: LiveFeedCounters;
  readonly sink: Pick<LiveSink, 'progress' | 'warn' | 'useChain' | 'goOnBy'>;
  readonly upstream: Pick<Upstream, 'block' | 'header' | 'read' | 'request'>;
  readonly sources: ExecutionOrDiffChooser;
  /**
   * Fetches a head's block, and state that it will probably need; `null` if the node does not know the block. Rejects
   * with UpstreamError.
   */
  readonly fetch: (head: BlockNumberAndHash) => Promise<UpstreamBlock | null>;
  /** Fetches the recently used keys again when the state was loaded anew; `null` if none are remembered. */
  readonly warmer: Pick<RecentKeysFetcher, 'start'> | null;
  /** Reports the chain's status to the main thread. */
  readonly report: () => void;
  /** A state that is loaded anew starts this many blocks below the head. */
  readonly startBelow: number;
}

/** Warning for blocks of OP-Stack forks before Ecotone, which we cannot execute. */
const BEFORE_OP_RULES =
  'blocks of the OP Stack are executed from Ecotone on: until then the state is resynced at each block';

/** Makes our chain follow the node's canonical chain. Only one call may run at a time. */
export class CanonicalFollower {
  readonly #deps: CanonicalFollowerDeps;
  #notice: string | null = null;
  /** Hash of the block that was last counted as running non-EVM code, so that it is not counted again when retried. */
  #nonEvmBlock: Uint8Array | null = null;
  /** The notice about upcoming rules that was logged last. */
  #reported: string | null = null;
  /** True if our state was found to differ from the node's. At the next head, the state is loaded anew. */
  #isWrong = false;

  constructor(deps: CanonicalFollowerDeps) {
    this.#deps = deps;
  }

  /**
   * A notice for the operator: the newest block could not be executed because of its contents, blocks are not applied
   * in the configured mode, or rules will change. `null` if there is none.
   */
  get notice(): string | null {
    return this.#notice ?? this.#deps.sources.notice ?? this.#rules.notice;
  }

  /**
   * Brings our chain to `newest`. If `isCertain`, the node has rolled back to that block. Otherwise a head that we
   * already have is ignored. A lower head that is not connected to our blocks is ignored as well, because it may come
   * from a lagging node behind a load balancer. Rejects with UpstreamError and ExecutionAborted; blocks that were
   * applied until then stay.
   */
  async follow(newest: UpstreamBlock, isCertain = false): Promise<void> {
    const { tip } = this.#deps.tree;
    if (this.#isWrong) return await this.#startAt(newest);
    const kept = this.#deps.tree.find(newest.hash);
    if (kept !== null) return isCertain && kept !== tip ? await this.#goBack(kept, newest) : undefined;
    const path = tip === null ? null : await this.#pathTo(newest);
    if (path !== null) return await this.#take(path, newest);
    if (tip === null || isCertain || newest.number >= tip.number) await this.#restart(newest);
  }

  /**
   * Called if the node contradicts a block that was already applied; `reason` says how. At the next head, the state is
   * loaded anew.
   */
  quarantine(block: BlockNumberAndHash, reason: string): void {
    this.#mismatch(block.number, reason);
    this.#isWrong = true;
  }

  /** Loads the state anew at `newest`. `notice` tells the operator why. Rejects with UpstreamError. */
  async resync(newest: UpstreamBlock, notice: string): Promise<void> {
    this.#notice = notice;
    await this.#startAt(newest);
  }

  async #goBack(kept: RetainedCanonicalBlock, newest: UpstreamBlock): Promise<void> {
    const { counts, sink } = this.#deps;
    counts.reorgs++;
    sink.progress(`reorg: the head of the node went back to block ${kept.number}`);
    try {
      await this.#deps.driver.take({ kind: 'rollback', to: kept });
    } catch (error) {
      sink.progress(onlyNotKept(error).reason);
      await this.#startAt(newest);
    }
  }

  /**
   * Returns the path of blocks that connects one of our blocks to `newest`; `null` if it is too long, or if no such
   * path exists. Blocks above our newest block are requested by number, many at once. Blocks below it, and blocks that
   * a reorganization has replaced meanwhile, are requested one by one, by the parent hash in their child.
   */
  async #pathTo(newest: UpstreamBlock): Promise<UpstreamHead[] | null> {
    const { tree, upstream } = this.#deps;
    const lowest = Math.max(tree.firstNumber, newest.number - LIMITS.catchUpBlocksMax);
    const head = headOf(newest);
    const isKnown = tree.find(head.parentHash) !== null;
    if (!isKnown && tree.tip!.number < lowest) return null;
    const between = isKnown ? [] : await fetchHeadersBetween(tree.tip!.number, head, upstream);
    const path = [...between, head];
    for (let lower = path[0]!; tree.find(lower.parentHash) === null; path.unshift(lower)) {
      if (lower.number - 1 <= lowest) return null;
      const parent = await upstream.header(lower.parentHash);
      if (parent?.number !== lower.number - 1) return null;
      lower = parent;
    }
    return path;
  }

  /**
   * Applies the blocks of `path` one after the other; the last one is `newest`. If a block cannot be applied, the state
   * is loaded anew at `newest`.
   */
  async #take(path: readonly UpstreamHead[], newest: UpstreamBlock): Promise<void> {
    const { tree, counts, sink } = this.#deps;
    const parent = tree.find(path[0]!.parentHash)!;
    if (parent.number < tree.tip!.number) {
      counts.reorgs++;
      sink.progress(`reorg: block ${parent.number} is followed by another one`);
    }
    let coming = this.#blocksFrom(path, 0, newest);
    for (let at = 0; at < path.length; at += LIMITS.catchUpFetchedBlocks) {
      const blocks = await coming;
      coming = this.#blocksFrom(path, at + LIMITS.catchUpFetchedBlocks, newest);
      // Avoids an unhandled rejection. The error is handled later, where `coming` is awaited.
      coming.catch(() => undefined);
      for (const block of blocks) {
        if (await this.#takeOne(block)) continue;
        return await this.#startAt(newest, block.unknownType === null ? newest : block);
      }
    }
  }

  /** Fetches some blocks of `path`, from index `at` on. The blocks before them are applied in the meantime. */
  #blocksFrom(path: readonly UpstreamHead[], at: number, newest: UpstreamBlock): Promise<UpstreamBlock[]> {
    const heads = path.slice(at, at + LIMITS.catchUpFetchedBlocks);
    return Promise.all(heads.map((head) => this.#blockOf(head, newest)));
  }

  async #blockOf(head: UpstreamHead, newest: UpstreamBlock): Promise<UpstreamBlock> {
    if (sameBytes(head.hash, newest.hash)) return newest;
    const block = await this.#deps.fetch(head);
    if (block === null)
      throw new UpstreamError('notFound', `the upstream node does not know block ${toHex(head.hash)} any more`);
    return block;
  }

  /**
   * Applies one block: executes it, or applies it as a diff if it cannot or should not be executed. Returns whether it
   * was applied.
   */
  async #takeOne(block: UpstreamBlock): Promise<boolean> {
    this.#noteFields(block);
    const ruling = await this.#rulingOf(block);
    if (ruling === null || !this.#goesOnBy(ruling)) return false;
    if (this.#notice === BEFORE_OP_RULES) this.#notice = null;
    if (block.unknownType !== null) this.#noteType(block.unknownType);
    const hasAccessList = decodeHeader(block.header).blockAccessListHash !== undefined;
    const unknown = block.unknownType === null ? ruling.doubt : transactionTypeText(block.unknownType);
    const nature = { hasAccessList, unknown };
    for (let isNonEvm = false; ;) {
      const mode = this.#deps.sources.of({ ...nature, isNonEvm });
      if (mode.by === 'beginning') return this.#reportSource();
      await this.#serveOn(block, ruling);
      const untaken = await this.#deps.driver.head(block, mode).catch(onlyNotKept);
      if (untaken?.kind === 'refused') continue;
      if (untaken?.kind === 'foreign') {
        isNonEvm = true;
        this.#countNonEvm(block);
        continue;
      }
      this.#reportSource();
      if (untaken !== null) this.#mismatch(block.number, untaken.reason);
      else if (block.unknownType !== null) this.#deps.counts.unknownBlocks++;
      return untaken === null;
    }
  }

  #countNonEvm({ hash }: UpstreamBlock): void {
    if (this.#nonEvmBlock !== null && sameBytes(this.#nonEvmBlock, hash)) return;
    this.#nonEvmBlock = hash;
    this.#deps.counts.blocksNonEvm++;
  }

  /** Returns true if the current state can stay: for its blocks until now, these rules are the same as the current. */
  #goesOnBy({ chain }: RulesForBlock): boolean {
    const { tip } = this.#deps.tree;
    return chain === this.#rules.chain || isSameChainUntil(chain, this.#rules.chain, tip!.env.timestamp);
  }

  /**
   * Uses these rules from this block on. The state stays, but pre-confirmed blocks that were executed by the old rules
   * are dropped.
   */
  async #serveOn(block: UpstreamBlock, ruling: RulesForBlock): Promise<void> {
    const isOther = ruling.chain !== this.#rules.chain;
    if (!isOther && ruling.doubt === this.#rules.doubt) return;
    this.#serve(block, ruling);
    if (!isOther) return;
    this.#deps.sink.goOnBy(ruling.chain);
    await this.#deps.driver.drop();
  }

  /**
   * Loads the state anew at the block `startBelow` blocks below `newest`, if possible, and applies the blocks up to
   * `newest`. A small reorganization soon afterwards can then return to a block whose state is retained.
   */
  async #restart(newest: UpstreamBlock): Promise<void> {
    const { tree, upstream, counts, sink, startBelow } = this.#deps;
    if (tree.tip !== null) {
      counts.gaps++;
      sink.progress(`block ${newest.number} cannot be reached from block ${tree.tip.number}`);
    }
    const ancestors = await fetchBlockhashAncestors(newest, upstream);
    const below = startBelow === 0 ? [] : ancestors.slice(-startBelow);
    const base = below.length === 0 ? null : await this.#baseOf(below[0]!);
    if (base === null) return await this.#startState(newest, ancestors);
    await this.#startState(base, ancestors.slice(0, -below.length));
    await this.#take([...below.slice(1), headOf(newest)], newest);
  }

  /** Returns the block on which a state can start; `null` if the node does not provide the block or its state. */
  async #baseOf({ hash }: AncestorBlock): Promise<UpstreamBlock | null> {
    const { upstream } = this.#deps;
    try {
      const { refused } = await upstream.read(hash, { accounts: [new Uint8Array(20)], slots: [] });
      return refused.length > 0 ? nullIfRefused(refused[0]!.error) : await upstream.block(hash);
    } catch (error) {
      return nullIfRefused(error);
    }
  }

  /**
   * Returns the rules for a block; `null` if blocks of its fork cannot be executed at all (OP Stack before Ecotone). If
   * the block contradicts the current rules, the rules are requested from the node. If the block still contradicts
   * them, this is recorded as a mismatch.
   */
  async #rulingOf(block: UpstreamBlock): Promise<RulesForBlock | null> {
    const { number, timestamp } = decodeHeader(block.header);
    if (isBeforeOpRules(this.#rules, timestamp)) return null;
    const unsupported = unsupportedFeatureIn(block, this.#rules.chain);
    const mismatch = unsupported === null ? this.#deps.chain.mismatch(block) : null;
    const contradiction = mismatch === null ? null : `block ${number}: ${mismatch}`;
    this.#rules.compared(unsupported ?? contradiction);
    const ruling = await this.#rules.rulingFor(timestamp);
    this.#reportNotice();
    if (mismatch !== null && ruling.doubt === contradiction) this.#mismatch(number, mismatch);
    return ruling;
  }

  /**
   * Records that a block contradicts its parent or the chain's rules: the node may have new rules. After several
   * mismatches of the same kind, blocks are applied as diffs.
   */
  #mismatch(number: number, reason: string): void {
    const { counts, sink, sources } = this.#deps;
    counts.mismatches++;
    sink.progress(`block ${number}: ${reason}`);
    this.#rules.suspect();
    const repeated = sources.mismatched(number, reason);
    if (repeated === null) return;
    counts.switchedToDiffs++;
    this.#rules.quarantine(repeated);
  }

  /** Logs why a block is not applied in the configured mode, once for each kind of reason. */
  #reportSource(): false {
    const notice = this.#deps.sources.nextNotice();
    if (notice !== null) this.#deps.sink.progress(notice);
    return false;
  }

  /**
   * Loads the state anew at `block`. `unknown` is the block that is inspected for unknown header fields and transaction
   * types.
   */
  async #startAt(block: UpstreamBlock, unknown = block): Promise<void> {
    const ancestors = await fetchBlockhashAncestors(block, this.#deps.upstream);
    await this.#startState(block, ancestors, unknown);
  }

  async #startState(block: UpstreamBlock, ancestors: readonly AncestorBlock[], unknown = block): Promise<void> {
    const { chain, sink, warmer } = this.#deps;
    this.#inspect(unknown);
    const unsupported = unsupportedFeatureIn(block, this.#rules.chain);
    if (unsupported !== null) this.#rules.compared(unsupported);
    const wasReported = this.#rules.doubt !== null || this.#notice === BEFORE_OP_RULES;
    const ruling = await this.#rules.rulingFor(decodeHeader(block.header).timestamp);
    this.#serve(block, ruling);
    chain.begin(block, ancestors);
    this.#isWrong = false;
    warmer?.start();
    // While the state has to be loaded anew at every block, this line is logged only the first time.
    if (!wasReported) sink.progress(`following from block ${block.number}`);
  }

  /**
   * Uses these rules from this block on. If they may be wrong, the main thread is notified of that before it receives
   * the block's state.
   */
  #serve(block: UpstreamBlock, ruling: RulesForBlock): void {
    const { counts, sink, report } = this.#deps;
    const { number, timestamp } = decodeHeader(block.header);
    const isNewlyUncertain = ruling.doubt !== null && this.#rules.doubt === null;
    this.#rules.serve(ruling);
    this.#reportNotice();
    if (isNewlyUncertain) {
      counts.unknownRules++;
      sink.warn(`the rules of block ${number} are not known to be right: ${ruling.doubt}: nothing is executed`);
    }
    if (isBeforeOpRules(this.#rules, timestamp)) this.#noteBeforeOpRules();
    sink.useChain(ruling.chain);
    report();
  }

  /** Logs unknown features of the chain, and upcoming forks that are unknown. Each is logged once. */
  #reportNotice(): void {
    const { notice, features } = this.#rules;
    const lines = [notice === this.#reported ? null : notice, features.nextNotice()].filter((line) => line !== null);
    this.#reported = notice;
    if (lines.length > 0) this.#deps.sink.warn(lines.join('; '));
  }

  #noteBeforeOpRules(): void {
    if (this.#notice === BEFORE_OP_RULES) return;
    this.#notice = BEFORE_OP_RULES;
    this.#deps.sink.warn(BEFORE_OP_RULES);
  }

  get #rules(): ForkScheduleTracker {
    return this.#deps.rules;
  }

  /** Records an unknown transaction type without logging it: the caller logs a line about the block that names it. */
  #noteType(type: number): void {
    this.#rules.features.note([{ kind: 'transaction type', name: `0x${type.toString(16)}` }], true);
  }

  #noteFields({ unknownFields = [] }: UpstreamBlock): void {
    this.#rules.features.note(
      unknownFields.map((name) => ({ kind: 'header field', name })),
      false,
    );
  }

  #inspect(block: UpstreamBlock): void {
    const { number, unknownType } = block;
    this.#noteFields(block);
    if (unknownType === null) return;
    this.#notice = `block ${number} has ${transactionTypeText(unknownType)}: its state is the upstream's`;
    this.#noteType(unknownType);
    this.#deps.counts.unknownBlocks++;
    this.#deps.sink.progress(this.#notice);
  }
}

/**
 * Returns why a block is not applied, if `error` says that its parent's state is no longer in the table; throws any
 * other error.
 */
function onlyNotKept(error: unknown): NotAppliedReason {
  if (error instanceof VersionNotKept)
    return { kind: 'mismatch', reason: 'the state after its parent is not kept any more' };
  throw error;
}

function isBeforeOpRules({ chain: { op } }: ForkScheduleTracker, timestamp: bigint): boolean {
  return op !== null && opRulesAt(op, timestamp) === null;
}

function headOf({ number, hash, header }: UpstreamBlock): UpstreamHead {
  return { number, hash, parentHash: decodeHeader(header).parentHash };
}
