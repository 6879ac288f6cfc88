// The chain that the table shows: confirmed blocks executed one on the other, replaced where the upstream's chain turns
// another way. Runs on the publisher.
import { decodeHeader, envOfHeader } from '../../chain/header.js';
import { TransactionExecutor, type TransactionExecutorParts } from '../../execution/block/transaction-executor.js';
import type { Rules } from '../../evm/ethereumjs/fork-rules.js';
import { encodeBlock, encodeTransaction } from '../../state/archive/records.js';
import type { CompleteBlock } from '../../state/block.js';
import { ChangeSet } from '../../state/change-set.js';
import type { Heads, StateDiff } from '../../state/diff.js';
import type { StateFill } from '../../state/table/writer.js';
import type { StateView } from '../../state/view.js';
import type { UpstreamBlock } from '../../upstream/upstream.js';
import type { LiveMessage } from './messages.js';
import { runBlock } from './block-runner.js';
import { KeptBlocks, type KeptBlock } from './kept-blocks.js';
import type { Ancestor, Announcement } from './live-table.js';
import { LiveExecutor, type LiveExecutorParts } from './live-executor.js';
import type { Senders } from './senders.js';

export interface LiveChainParts extends Omit<LiveExecutorParts, 'ahead'> {
  readonly rules: Rules;
  /** How transactions are executed; on the reference engine where it is not given. */
  readonly executor?: TransactionExecutorParts;
  readonly senders: Senders;
  readonly post: (message: LiveMessage) => void;
  /** Called with what an operator should see. */
  readonly note: (text: string) => void;
}

/** Where a version stands in the chain. */
export type Place = Pick<StateDiff, 'coordinates' | 'env'>;

/** One per program; `start` begins anew. One call at a time. */
export class LiveChain {
  readonly parts: LiveChainParts;
  readonly #executor: LiveExecutor;
  readonly #ahead: TransactionExecutor;
  #kept: KeptBlocks | null = null;
  #tags: Omit<Heads, 'latest'> = { safe: null, finalized: null };

  constructor(parts: LiveChainParts) {
    this.parts = parts;
    this.#ahead = new TransactionExecutor(parts.rules, NOWHERE, parts.executor);
    this.#executor = this.createExecutor();
  }

  /** Another executor, for a block that is worked at beside the others. */
  createExecutor(): LiveExecutor {
    const { rules, table, filler, counts, executor } = this.parts;
    return new LiveExecutor(new TransactionExecutor(rules, NOWHERE, executor), {
      table,
      filler,
      counts,
      ahead: this.#ahead,
    });
  }

  /** The newest confirmed block; `null` before the first one. */
  get tip(): KeptBlock | null {
    return this.#kept?.tip ?? null;
  }

  /** A kept block by its hash. */
  find(hash: Uint8Array): KeptBlock | null {
    return this.#kept?.find(hash) ?? null;
  }

  /** What `safe` and `finalized` stand for from the next version on. */
  setTags(tags: Omit<Heads, 'latest'>): void {
    this.#tags = tags;
  }

  /** Begins anew with the state after `block`, of which nothing is held. */
  start(block: UpstreamBlock, ancestors: readonly Ancestor[]): void {
    const { table, filler, counts } = this.parts;
    if (this.#kept !== null) counts.restarts++;
    const { number, hash } = block;
    const place = placeOf(block);
    this.#kept = null;
    const version = table.start({ ...place, heads: this.#heads(number), ...NO_CHANGES }, ancestors);
    this.#kept = new KeptBlocks(keptOf(place, hash, version));
    filler.anchorAt(hash);
  }

  /**
   * Executes a block whose parent is kept, in the place of everything above that parent. Answers why it does not fit:
   * then the state is wrong, and nothing has changed. Rejects with UpstreamError.
   */
  async execute(block: UpstreamBlock): Promise<string | null> {
    const { table, filler, counts, rules, senders } = this.parts;
    const place = placeOf(block);
    const parent = this.find(place.coordinates.parentHash);
    if (parent === null) throw new Error('a block is executed on its parent');
    filler.anchorAt(parent.hash);
    const run = await runBlock(block, table.at(parent.version), { executor: this.#executor, rules, senders });
    if (run.kind === 'mismatch') return run.reason;
    const { sealed } = run;
    const version = this.publish(
      place,
      this.#replacing(parent, sealed.changes),
      nothingNew(sealed.header.gasUsed),
      block.number,
    );
    this.#confirm(keptOf(place, block.hash, version));
    counts.blocksExecuted++;
    this.#tell({ ...block, transactions: sealed.block.transactions }, place);
    return null;
  }

  /** The block that was pre-confirmed up to `version` is confirmed as it is; what is pre-confirmed above it stays. */
  confirm(block: UpstreamBlock, place: Place, transactions: CompleteBlock['transactions'], version: number): void {
    this.#confirm(keptOf(place, block.hash, version));
    this.parts.counts.blocksPromoted++;
    this.#tell({ ...block, transactions }, place);
  }

  /**
   * Publishes changes at a place. `announcement`: `null` where nothing is new but what tags mean, or what was is again.
   * `latest`: the number of the newest confirmed block from then on.
   */
  publish(place: Place, changes: StateFill, announcement: Announcement | null, latest: number): number {
    const version = this.parts.table.publish({ ...place, heads: this.#heads(latest), ...changes }, announcement);
    this.#kept?.record(version, changes);
    return version;
  }

  /** Makes the newest confirmed block what `pending` means, whatever was pre-confirmed. */
  returnToTip(): void {
    const tip = this.#kept?.tip;
    if (tip === undefined || this.parts.table.newest === tip.version) return;
    const { number: block, index, hash, parentHash, env } = tip;
    const place = { coordinates: { block, index, hash, parentHash }, env };
    const version = this.publish(place, this.undo(tip.version), null, block);
    this.#confirm({ ...tip, version });
  }

  /** What takes the newest state back to the one at `version`. */
  undo(version: number): StateFill {
    return this.#kept!.undo(version, this.parts.table.at(version));
  }

  /** `changes` on top of what takes the newest state back to the one after `parent`. */
  #replacing(parent: KeptBlock, changes: StateFill): StateFill {
    if (this.parts.table.newest === parent.version) return changes;
    const all = new ChangeSet();
    all.add(this.undo(parent.version));
    all.add(changes);
    return all.all();
  }

  #confirm(block: KeptBlock): void {
    this.#kept!.add(block);
    this.parts.filler.anchorAt(block.hash);
  }

  /** Main keeps the block for those who ask for blocks. */
  #tell(block: CompleteBlock, { env }: Place): void {
    const { number, hash } = block;
    const record = encodeBlock(block, env);
    const transactions = block.transactions.map(encodeTransaction);
    this.parts.post({ kind: 'block', number, hash, record, transactions });
  }

  /** A node may name a safe block that is above ours. */
  #heads(latest: number): Heads {
    const { safe, finalized } = this.#tags;
    const known = (tag: number | null): number | null => (tag === null ? null : Math.min(tag, latest));
    return { latest, safe: known(safe), finalized: known(finalized) };
  }
}

function keptOf({ coordinates, env }: Place, hash: Uint8Array, version: number): KeptBlock {
  const { block: number, index, parentHash } = coordinates;
  return { number, index, hash, parentHash, env, version };
}

/** Where the version stands that a complete block ends with. */
export function placeOf(block: UpstreamBlock): Place {
  const header = decodeHeader(block.header);
  const coordinates = { block: block.number, index: 0, hash: block.hash, parentHash: header.parentHash };
  return { coordinates, env: envOfHeader(header) };
}

export const NO_CHANGES: StateFill = { accounts: [], slots: [], codes: [] };

/** What a transaction executor looks at between blocks. */
const NOWHERE: StateView = {
  account: () => null,
  code: () => new Uint8Array(0),
  storage: () => new Uint8Array(32),
  blockHash: () => null,
};

function nothingNew(gasUsed: bigint): Announcement {
  return { gasUsed, transactions: [] };
}
