// The rules of a live chain while they are asked for again and again: what is served, and whether it is known to be
// right.
import { sameChain, type ChainDescription } from '../../../chain/spec.js';
import { createRules, type ForkRules, type Rules } from '../../../evm/reference/fork-rules.js';
import { LIMITS } from '../../../limits/index.js';
import { UpstreamError } from '../../../upstream/upstream.js';
import { UnknownFeatures } from './unknown-features.js';
import { reportedUnknownFeatures } from './checked-rules.js';
import { timesOf, type ForkCheck, type KnownRules } from './fork-plan.js';
import type { EthConfigForks } from './eth-config-fork.js';

/** By which rules a block is to be executed. */
export interface Ruling {
  readonly chain: ChainDescription;
  /** Reason for which they are not known to be right; `null`: they are. */
  readonly doubt: string | null;
  /** System contracts of an unknown fork (20 bytes each). */
  readonly queues: readonly Uint8Array[];
}

const NO_QUEUES: readonly Uint8Array[] = [];

/** The way in which rules are asked for again. */
export interface RuleQuery {
  /** `null`: the node does not say. Rejects with UpstreamError. */
  readonly query: () => Promise<EthConfigForks | null>;
  readonly check: ForkCheck;
  /** Times that the node has come back after it was gone. */
  readonly returns: () => number;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/** When the node was last asked. */
interface LastQuery {
  readonly atMs: number;
  readonly returns: number;
  /** Activations up to the block that was asked for. */
  readonly passed: number;
}

/** The rules that serve change with `serve` alone. */
export class RuleHistory implements Rules {
  readonly #upstream: RuleQuery | null;
  /** Rules by fork: one that stays as it is keeps its engines. */
  readonly #forks = new Map<string, ForkRules>();
  #known: KnownRules;
  #served: Ruling;
  #rules: Rules;
  #lastQuery: LastQuery | null;
  /** A question beside the blocks is open. */
  #isQueryingAside = false;
  /** All that is not known of the chain. */
  readonly features = new UnknownFeatures();
  /** The newest block that contradicts the rules. */
  #contradiction: string | null = null;
  /** Contradictions that came again and again; `null`: none have. */
  #quarantined: string | null = null;

  /**
   * `query`: `null` where the rules stay as they are. The node has just been asked for `known`, and said `reported`.
   */
  constructor(known: KnownRules, query: RuleQuery | null, reported: EthConfigForks | null = null) {
    this.#known = known;
    this.#upstream = query;
    this.#served = { chain: known.chain, doubt: null, queues: NO_QUEUES };
    this.#rules = createRules(known.chain, this.#forks);
    this.#noteFeatures(reported);
    this.#lastQuery = query === null ? null : { atMs: query.now(), returns: query.returns(), passed: -1 };
  }

  /** The description that is served. */
  get chain(): ChainDescription {
    return this.#served.chain;
  }

  /** Reason for which what is served is not known to be right; `null`: it is. */
  get doubt(): string | null {
    return this.#served.doubt;
  }

  /** From when on the rules will not be known; `null`: that is not so, as far as is known. */
  get notice(): string | null {
    return this.#known.unknown?.reason ?? null;
  }

  /** System contracts that blocks call at their end, beyond those of the rules that are served. */
  get queues(): readonly Uint8Array[] {
    return this.#served.queues;
  }

  at(number: number, timestamp: bigint | number): ForkRules {
    return this.#rules.at(number, timestamp);
  }

  /**
   * For the block with this timestamp. Asks the node before where an activation has come, the node has come back, or a
   * block has contradicted the rules; where LIMITS.rulesQueryMs have passed it is asked meanwhile, as no block waits
   * for what hardly ever changes. Rejects with UpstreamError.
   */
  async rulingFor(timestamp: bigint): Promise<Ruling> {
    if (this.#upstream !== null) {
      if (this.#isDue(timestamp, this.#upstream)) await this.#query(timestamp, this.#upstream);
      else if (!this.#isQueryingAside && this.#isOld(this.#upstream)) void this.#queryAside(timestamp, this.#upstream);
    }
    const { chain, unknown } = this.#known;
    const isUnknown = unknown !== null && timestamp >= BigInt(unknown.since);
    if (isUnknown) return { chain, doubt: unknown.reason, queues: unknown.queues ?? NO_QUEUES };
    return { chain, doubt: this.#quarantined ?? this.#contradiction, queues: NO_QUEUES };
  }

  /** Answers whether this ruling is served, and known to be right. */
  isInForce({ chain, doubt }: Ruling): boolean {
    return doubt === null && this.doubt === null && chain === this.#served.chain;
  }

  /** From here on blocks are executed so. */
  serve(ruling: Ruling): void {
    if (ruling.chain !== this.#served.chain) this.#rules = createRules(ruling.chain, this.#forks);
    this.#served = ruling;
  }

  /** The contradiction of the newest block to the rules; `null`: nothing does, and those before are forgotten. */
  compared(contradiction: string | null): void {
    if (contradiction !== null && this.#contradiction === null) this.suspect();
    this.#contradiction = contradiction;
  }

  /** Blocks have contradicted the rules again and again: they are in doubt until the node tells others. */
  quarantine(reason: string): void {
    this.#quarantined = reason;
  }

  /** The node is asked again for the next block. */
  suspect(): void {
    this.#lastQuery = null;
  }

  #isDue(timestamp: bigint, { returns }: RuleQuery): boolean {
    return this.#lastQuery?.returns !== returns() || this.#passed(timestamp) !== this.#lastQuery.passed;
  }

  #isOld({ now }: RuleQuery): boolean {
    return this.#lastQuery !== null && now() - this.#lastQuery.atMs >= LIMITS.rulesQueryMs;
  }

  /**
   * An answer for a block that came since then is newer. A node that does not answer is asked again for the next block.
   */
  async #queryAside(timestamp: bigint, query: RuleQuery): Promise<void> {
    const before = this.#lastQuery;
    this.#isQueryingAside = true;
    const [atMs, returns] = [query.now(), query.returns()];
    try {
      const reported = await query.query();
      if (this.#lastQuery === before) this.#learn(reported, timestamp, query.check, { atMs, returns });
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
    } finally {
      this.#isQueryingAside = false;
    }
  }

  async #query(timestamp: bigint, { query, check, returns, now }: RuleQuery): Promise<void> {
    const lastQuery = { atMs: now(), returns: returns() };
    this.#learn(await query(), timestamp, check, lastQuery);
  }

  #learn(
    reported: EthConfigForks | null,
    timestamp: bigint,
    check: ForkCheck,
    lastQuery: Omit<LastQuery, 'passed'>,
  ): void {
    const checked = reported === null ? this.#known : check(reported, this.#known, timestamp);
    const isSame = sameChain(checked.chain, this.#known.chain);
    if (!isSame) this.#contradiction = this.#quarantined = null;
    this.#known = { chain: isSame ? this.#known.chain : checked.chain, unknown: checked.unknown };
    this.#lastQuery = { ...lastQuery, passed: this.#passed(timestamp) };
    this.#noteFeatures(reported);
  }

  #noteFeatures(reported: EthConfigForks | null): void {
    const { chain, unknown } = this.#known;
    if (reported !== null) this.features.note(reportedUnknownFeatures(reported, chain), false);
    if (unknown?.unknownFeature !== undefined) this.features.note([unknown.unknownFeature], false);
  }

  #passed(timestamp: bigint): number {
    const { chain, unknown } = this.#known;
    const times = [...timesOf(chain), ...(unknown === null ? [] : [unknown.since])];
    return times.filter((time) => BigInt(time) <= timestamp).length;
  }
}
