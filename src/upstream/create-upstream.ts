// Creates the client of an upstream node, and connects the client's components.
import { sameBytes } from '../lib/bytes/byte-map.js';
import { systemClock } from '../lib/clock.js';
import { toHex, toQuantity } from '../lib/bytes/hex.js';
import { parseBlockWithAnnouncedTransactions, parseBlock, parseHead } from './reads/verify-block-json.js';
import { CircuitBreaker } from './transport/circuit-breaker.js';
import type { AnnouncedTransaction } from '../state/complete-block.js';
import type { MissingKeys } from '../state/views/miss-recording-view.js';
import { UpstreamError } from './transport/upstream-error.js';
import { HeadFollower } from './heads/head-follower.js';
import { isAbsent, parseQuantity, throwWrongAnswer } from './reads/json-values.js';
import { JsonRpcClient, type UpstreamRequest, type JsonRpcClientDeps } from './transport/json-rpc-client.js';
import { createRedactor } from './transport/redact-secrets.js';
import { checkForwardedResult } from './reads/check-forwarded-result.js';
import { BatchedStateReader } from './reads/batched-state-reader.js';
import { newUpstreamStats, type UpstreamStats } from './transport/upstream-stats.js';
import { createHttpTransport } from './transport/http-transport.js';
import { UPSTREAM_CLIENT_LIMITS, type UpstreamClientLimits } from './transport/upstream-client-limits.js';
import type { RpcAnswer } from './transport/parse-rpc-response.js';
import type {
  BlockWithBatchAnswers,
  BlockNumberAndHash,
  HeadOrTagsEvent,
  FetchedState,
  Upstream,
  UpstreamBlock,
  UpstreamHead,
  UpstreamOptions,
} from './upstream.js';

/** Replacements that tests use: clock, random source, timeouts and HTTP transport. */
export interface UpstreamDeps extends Partial<Pick<JsonRpcClientDeps, 'clock' | 'random' | 'transport'>> {
  readonly tuning?: Partial<UpstreamClientLimits>;
}

/** Creates the client. It connects with the first request. The URLs must be valid. */
export function createUpstream(options: UpstreamOptions, deps: UpstreamDeps = {}): Upstream {
  return new UpstreamNode(options, deps);
}

class UpstreamNode implements Upstream {
  readonly stats: UpstreamStats = newUpstreamStats();
  readonly #breaker: CircuitBreaker;
  readonly #rpc: JsonRpcClient;
  readonly #reads: BatchedStateReader;
  readonly #heads: HeadFollower;

  constructor(options: UpstreamOptions, deps: UpstreamDeps) {
    const tuning = { ...UPSTREAM_CLIENT_LIMITS, ...deps.tuning };
    const clock = deps.clock ?? systemClock;
    const random = deps.random ?? Math.random;
    const { stats } = this;
    const transport = deps.transport ?? createHttpTransport(options.url, tuning, stats);
    this.#breaker = new CircuitBreaker(tuning.silenceMs, () => clock.now());
    const redact = createRedactor(options.url, options.wsUrl);
    this.#rpc = new JsonRpcClient(tuning, { transport, clock, random, stats, breaker: this.#breaker, redact });
    this.#reads = new BatchedStateReader(this.#rpc, stats);
    this.#heads = new HeadFollower(options, tuning, { rpc: this.#rpc, clock, random, stats });
  }

  get returns(): number {
    return this.#breaker.returns + this.stats.reconnects;
  }

  get silentSinceMs(): number | null {
    return this.#breaker.silentSinceMs;
  }

  async chainId(): Promise<bigint> {
    return parseQuantity(await this.#rpc.call('eth_chainId', []), 'eth_chainId');
  }

  async block(
    ref: number | Uint8Array,
    announced: readonly AnnouncedTransaction[] = [],
  ): Promise<UpstreamBlock | null> {
    const known = announced.length === 0 ? null : await this.#announcedBlock(ref, announced);
    if (known !== null) return matching(ref, known);
    const json = await this.#blockJson(ref, true);
    return isAbsent(json) ? null : matching(ref, parseBlock(json));
  }

  async blockBeside(
    hash: Uint8Array,
    announced: readonly AnnouncedTransaction[],
    questions: readonly UpstreamRequest[],
  ): Promise<BlockWithBatchAnswers> {
    const isFull = announced.length === 0;
    const [first, ...others] = await this.#rpc.batch([questionOf(hash, isFull), ...questions]);
    const answers = others.map((answer, at) => this.#checked(questions[at]!, answer));
    const json = orUnknown(first!);
    if (isAbsent(json)) return { block: null, answers };
    const known = isFull ? parseBlock(json) : parseBlockWithAnnouncedTransactions(json, announced);
    return { block: known === null ? await this.block(hash) : matching(hash, known), answers };
  }

  async header(ref: number | Uint8Array): Promise<UpstreamHead | null> {
    const { method, params } = questionOf(ref, false);
    const json = await this.#rpc.request(method, params).catch(nullIfUnknown);
    return isAbsent(json) ? null : matching(ref, parseHead(json));
  }

  read(anchor: Uint8Array, keys: MissingKeys): Promise<FetchedState> {
    return this.#reads.read(anchor, keys);
  }

  async request(method: string, params: readonly unknown[], untilMs?: number): Promise<unknown> {
    const result = await this.#rpc.request(method, params, untilMs);
    return resultOf(this.#checked({ method, params }, { ok: true, result }));
  }

  watchHeads(listener: (event: HeadOrTagsEvent) => void): () => void {
    return this.#heads.watch(listener);
  }

  async close(): Promise<void> {
    this.#heads.close();
    await this.#rpc.close();
  }

  /** Returns the answer with its result checked. If the result is invalid for the method, returns an error answer. */
  #checked({ method, params }: UpstreamRequest, answer: RpcAnswer): RpcAnswer {
    if (!answer.ok) return answer;
    try {
      return { ok: true, result: checkForwardedResult(method, params, answer.result) };
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      this.stats.failures++;
      return { ok: false, error };
    }
  }

  /**
   * Fetches a block without its transactions, and adds the announced transactions. Returns `null` if the node does not
   * know the block, or if the block has other transactions than those.
   */
  async #announcedBlock(
    ref: number | Uint8Array,
    announced: readonly AnnouncedTransaction[],
  ): Promise<UpstreamBlock | null> {
    const json = await this.#blockJson(ref, false);
    return isAbsent(json) ? null : parseBlockWithAnnouncedTransactions(json, announced);
  }

  async #blockJson(ref: number | Uint8Array, isFull: boolean): Promise<unknown> {
    const [answer] = await this.#rpc.batch([questionOf(ref, isFull)]);
    return orUnknown(answer!);
  }
}

function questionOf(ref: number | Uint8Array, isFull: boolean): UpstreamRequest {
  return typeof ref === 'number'
    ? { method: 'eth_getBlockByNumber', params: [toQuantity(ref), isFull] }
    : { method: 'eth_getBlockByHash', params: [toHex(ref), isFull] };
}

/** Returns the result in an answer, or throws the answer's error. */
function resultOf(answer: RpcAnswer): unknown {
  if (answer.ok) return answer.result;
  throw answer.error;
}

/** Returns the result in an answer; `null` if the answer is an error that says that the block is unknown. */
function orUnknown(answer: RpcAnswer): unknown {
  return answer.ok ? answer.result : nullIfUnknown(answer.error);
}

/** Returns `null` for the error that some nodes return for an unknown block; throws any other error. */
function nullIfUnknown(error: unknown): null {
  if (error instanceof UpstreamError && error.kind === 'notFound') return null;
  throw error;
}

/** Returns the block after checking that it is the requested one. Throws UpstreamError if it is not. */
function matching<Block extends BlockNumberAndHash>(ref: number | Uint8Array, block: Block): Block {
  const isSameBlock = typeof ref === 'number' ? block.number === ref : sameBytes(block.hash, ref);
  return isSameBlock ? block : throwWrongAnswer(`it gives block ${block.number} ${toHex(block.hash)} for another one`);
}
