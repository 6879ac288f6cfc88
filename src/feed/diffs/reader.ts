// Diffs of blocks as the upstream node gives them, by one of its sources. Runs on the publisher.
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { isAbsent } from '../../upstream/reads/json.js';
import { UpstreamError, type Upstream } from '../../upstream/upstream.js';
import { accessListWrites } from './access-list.js';
import { CALLS, createdByCalls, createdByTraces, mayHideCreation } from './creations.js';
import { PRESTATE_DIFF, prestateDiffs } from './prestate-diff.js';
import type { ReceivedTransaction } from './receipts.js';
import { replayDiffs, STATE_DIFF } from './replay-diff.js';
import { tracedWrites, type TransactionDiff } from './transaction-diff.js';
import type { DiffSource, OfferedDiffs } from './way.js';
import type { BlockWrites } from './writes.js';

/** A block whose diff is wanted. */
export interface WantedBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  /** The header's `blockAccessListHash`; `null`: it has none. */
  readonly accessListHash: Uint8Array | null;
  readonly transactions: readonly Omit<ReceivedTransaction, 'receipt'>[];
}

/** A diff as it was read. `refused`: the node does not offer that source, which is remembered. */
export type ReadDiff =
  | { readonly kind: 'list'; readonly writes: BlockWrites }
  | { readonly kind: 'traced'; readonly writes: BlockWrites; readonly diffs: readonly TransactionDiff[] }
  | RefusedDiff;

interface RefusedDiff {
  readonly kind: 'refused';
  readonly reason: string;
}

type Node = Pick<Upstream, 'request' | 'returns'>;

const UNKNOWN: OfferedDiffs = { accessList: null, prestate: null, replay: null };
/** Nothing is of use without receipts. */
const NONE: OfferedDiffs = { accessList: false, prestate: false, replay: false };

/** One per node. */
export class DiffReader {
  readonly #upstream: Node;
  #offered = UNKNOWN;
  /** How often the node had come back when it was asked. */
  #returns: number;

  constructor(upstream: Node) {
    this.#upstream = upstream;
    this.#returns = upstream.returns;
  }

  /** Sources as far as the node was asked for them since it last came back: it may offer others then. */
  get offered(): OfferedDiffs {
    const { returns } = this.#upstream;
    if (returns !== this.#returns) this.#offered = UNKNOWN;
    this.#returns = returns;
    return this.#offered;
  }

  /** Receipts of a block by its hash, as they come; refused as `read` is. */
  async receipts(hash: Uint8Array): Promise<{ readonly result: unknown } | RefusedDiff> {
    try {
      return { result: await this.#upstream.request('eth_getBlockReceipts', [toHex(hash)]) };
    } catch (error) {
      const refused = refusedBy(error);
      this.#offered = NONE;
      return refused;
    }
  }

  /** Rejects with UpstreamError where the node is silent, answers wrongly, or does not know the block. */
  async read(source: DiffSource, block: WantedBlock): Promise<ReadDiff> {
    try {
      const diff = source === 'accessList' ? await this.#list(block) : await this.#traced(source, block);
      this.#offered = { ...this.#offered, [source]: true };
      return diff;
    } catch (error) {
      const refused = refusedBy(error);
      this.#offered = { ...this.#offered, [source]: false };
      return refused;
    }
  }

  async #list({ number, hash, accessListHash }: WantedBlock): Promise<ReadDiff> {
    if (accessListHash === null) throw new Error('a block without an access list has another source');
    const result = await this.#upstream.request('eth_getBlockAccessList', [toHex(hash)]);
    if (isAbsent(result))
      throw new UpstreamError('notFound', `the upstream node has no access list of block ${number}`);
    return { kind: 'list', writes: accessListWrites(result, accessListHash) };
  }

  async #traced(source: 'prestate' | 'replay', block: WantedBlock): Promise<ReadDiff> {
    const diffs = await this.#diffs(source, block);
    const writes = tracedWrites(diffs);
    const suspects = block.transactions.filter((transaction, at) => mayHideCreation(diffs[at]!, transaction));
    const created = await Promise.all(suspects.map(({ hash }) => this.#created(source, hash)));
    for (const address of created.flat()) writes.doubt(address);
    return { kind: 'traced', writes, diffs };
  }

  async #diffs(source: 'prestate' | 'replay', { number, hash, transactions }: WantedBlock): Promise<TransactionDiff[]> {
    const hashes = transactions.map((transaction) => transaction.hash);
    // Nothing in a block without transactions is traced.
    if (hashes.length === 0) return [];
    if (source === 'prestate')
      return prestateDiffs(
        await this.#upstream.request('debug_traceBlockByHash', [toHex(hash), PRESTATE_DIFF]),
        hashes,
      );
    // Some nodes take no hash here; that the answer is of another block shows by its transactions.
    const params = [toQuantity(number), STATE_DIFF];
    return replayDiffs(await this.#upstream.request('trace_replayBlockTransactions', params), transactions);
  }

  async #created(source: 'prestate' | 'replay', hash: Uint8Array): Promise<Uint8Array[]> {
    return source === 'prestate'
      ? createdByCalls(await this.#upstream.request('debug_traceTransaction', [toHex(hash), CALLS]))
      : createdByTraces(await this.#upstream.request('trace_transaction', [toHex(hash)]));
  }
}

/** Throws what is no refusal. */
function refusedBy(error: unknown): RefusedDiff {
  if (error instanceof UpstreamError && error.kind === 'refused') return { kind: 'refused', reason: error.message };
  throw error;
}
