// Reads diffs of blocks from the upstream node, from one of several sources.
import { fromHex, toHex, toQuantity } from '../../lib/bytes/hex.js';
import { isAbsent } from '../../upstream/reads/json-values.js';
import type { AnnouncedTransaction } from '../../state/complete-block.js';
import {
  UpstreamError,
  type BlockNumberAndHash,
  type RpcAnswer,
  type RpcRequest,
  type Upstream,
  type UpstreamBlock,
} from '../../upstream/upstream.js';
import { accessListWrites } from './decode-verified-access-list.js';
import { CALL_TRACER_CONFIG, contractsCreatedInCalls, mayHideCreation } from './hidden-creations.js';
import { PRESTATE_DIFF_TRACER_CONFIG, parsePrestateDiffs } from './prestate-diff.js';
import type { TransactionFromReceipt } from './verify-receipts.js';
import { blockWritesFromTraces, type TransactionDiff } from './transaction-diff.js';
import type { DiffSource, OfferedDiffMethods } from './choose-execution-or-diff.js';
import type { BlockWrites } from './block-writes.js';

/** A request for the diff of a block. */
export interface DiffRequest {
  /** The object that `block` returned. Responses that came in the same batch are found by it, not requested again. */
  readonly block: BlockNumberAndHash;
  /** The header's `blockAccessListHash`; `null` if it has none. */
  readonly accessListHash: Uint8Array | null;
  readonly transactions: readonly Omit<TransactionFromReceipt, 'receipt'>[];
}

/** The result of reading a diff. `refused`: the node does not offer this source of diffs; `offered` remembers it. */
export type DiffReadResult =
  | { readonly kind: 'list'; readonly writes: BlockWrites }
  | { readonly kind: 'traced'; readonly writes: BlockWrites; readonly diffs: readonly TransactionDiff[] }
  | RefusedDiff;

interface RefusedDiff {
  readonly kind: 'refused';
  readonly reason: string;
}

type Node = Pick<Upstream, 'block' | 'blockBeside' | 'request' | 'returns'>;

const UNKNOWN: OfferedDiffMethods = { accessList: null, prestate: null };
/**
 * What a node without eth_getBlockReceipts offers: nothing that can be used, because every diff also needs receipts.
 */
const NONE: OfferedDiffMethods = { accessList: false, prestate: false };

export class UpstreamDiffReader {
  readonly #upstream: Node;
  #offered = UNKNOWN;
  /** Number of failures from which the node had recovered (`returns`) when `offered` was last read. */
  #returns: number;
  /** For each block: the responses that came in the same batch, by their method. */
  readonly #beside = new WeakMap<BlockNumberAndHash, ReadonlyMap<string, RpcAnswer>>();

  constructor(upstream: Node) {
    this.#upstream = upstream;
    this.#returns = upstream.returns;
  }

  /**
   * The sources of diffs that the node is known to offer or to refuse. Forgotten whenever the node responds again after
   * a failure, because it may then offer others.
   */
  get offered(): OfferedDiffMethods {
    const { returns } = this.#upstream;
    if (returns !== this.#returns) this.#offered = UNKNOWN;
    this.#returns = returns;
    return this.#offered;
  }

  /**
   * Fetches the block of a head; `null` if the node does not know it. If `expected` names a source of diffs, the
   * block's diff and receipts are requested in the same batch. `announced` is the same as for `Upstream.block`.
   */
  async block(
    head: BlockNumberAndHash,
    announced: readonly AnnouncedTransaction[],
    expected: DiffSource | null,
  ): Promise<UpstreamBlock | null> {
    if (expected === null) return this.#upstream.block(head.hash, announced);
    const questions = [receiptsOf(head), diffOf(expected, head)];
    const { block, answers } = await this.#upstream.blockBeside(head.hash, announced, questions);
    if (block === null) return null;
    this.#beside.set(block, new Map(questions.map(({ method }, at) => [method, answers[at]!])));
    return block;
  }

  /** Returns a block's receipts as the node sent them, or `refused` if the node offers none. */
  async receipts(block: BlockNumberAndHash): Promise<{ readonly result: unknown } | RefusedDiff> {
    try {
      return { result: await this.#answer(receiptsOf(block), block) };
    } catch (error) {
      const refused = refusedBy(error);
      this.#offered = NONE;
      return refused;
    }
  }

  /**
   * Returns the EIP-2718 bytes of the transactions at `indices`; `null` if the node does not return them. Rejects with
   * UpstreamError.
   */
  async raws(hash: Uint8Array, indices: readonly number[]): Promise<Uint8Array[] | null> {
    try {
      const found = await Promise.all(
        indices.map((index) => {
          return this.#upstream.request('eth_getRawTransactionByBlockHashAndIndex', [toHex(hash), toQuantity(index)]);
        }),
      );
      return found.every((raw) => typeof raw === 'string' && raw !== '0x')
        ? found.map((raw) => fromHex(raw as string))
        : null;
    } catch (error) {
      refusedBy(error);
      return null;
    }
  }

  /**
   * Reads a block's diff. Rejects with UpstreamError if the node does not respond, responds wrongly, or lacks the
   * block.
   */
  async read(source: DiffSource, block: DiffRequest): Promise<DiffReadResult> {
    try {
      const diff = source === 'accessList' ? await this.#list(block) : await this.#traced(block);
      this.#offered = { ...this.#offered, [source]: true };
      return diff;
    } catch (error) {
      const refused = refusedBy(error);
      this.#offered = { ...this.#offered, [source]: false };
      return refused;
    }
  }

  async #list({ block, accessListHash }: DiffRequest): Promise<DiffReadResult> {
    if (accessListHash === null) throw new Error('a block without an access list has another source');
    const result = await this.#answer(diffOf('accessList', block), block);
    if (isAbsent(result))
      throw new UpstreamError('notFound', `the upstream node has no access list of block ${block.number}`);
    return { kind: 'list', writes: accessListWrites(result, accessListHash) };
  }

  async #traced(wanted: DiffRequest): Promise<DiffReadResult> {
    const diffs = await this.#diffs(wanted);
    const writes = blockWritesFromTraces(diffs);
    const suspects = wanted.transactions.filter((transaction, at) => mayHideCreation(diffs[at]!, transaction));
    const created = await Promise.all(suspects.map(({ hash }) => this.#created(hash)));
    for (const address of created.flat()) writes.suspect(address);
    return { kind: 'traced', writes, diffs };
  }

  async #diffs({ block, transactions }: DiffRequest): Promise<TransactionDiff[]> {
    // A block without transactions has nothing to trace.
    if (transactions.length === 0) return [];
    const result = await this.#answer(diffOf('prestate', block), block);
    return parsePrestateDiffs(
      result,
      transactions.map(({ hash }) => hash),
    );
  }

  /** Returns the response that came in the same batch as the block. Without one, sends the request. */
  async #answer({ method, params }: RpcRequest, block: BlockNumberAndHash): Promise<unknown> {
    const answer = this.#beside.get(block)?.get(method);
    if (answer === undefined) return this.#upstream.request(method, params);
    if (!answer.ok) throw answer.error;
    return answer.result;
  }

  async #created(hash: Uint8Array): Promise<Uint8Array[]> {
    return contractsCreatedInCalls(
      await this.#upstream.request('debug_traceTransaction', [toHex(hash), CALL_TRACER_CONFIG]),
    );
  }
}

function receiptsOf({ hash }: BlockNumberAndHash): RpcRequest {
  return { method: 'eth_getBlockReceipts', params: [toHex(hash)] };
}

function diffOf(source: DiffSource, { hash }: BlockNumberAndHash): RpcRequest {
  switch (source) {
    case 'accessList':
      return { method: 'eth_getBlockAccessList', params: [toHex(hash)] };
    case 'prestate':
      return { method: 'debug_traceBlockByHash', params: [toHex(hash), PRESTATE_DIFF_TRACER_CONFIG] };
  }
}

/** Converts an error by which the node refuses a method into a result; throws any other error. */
function refusedBy(error: unknown): RefusedDiff {
  if (error instanceof UpstreamError && error.kind === 'refused') return { kind: 'refused', reason: error.message };
  throw error;
}
