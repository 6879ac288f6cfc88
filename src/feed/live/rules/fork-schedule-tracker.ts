// Tracks a live chain's rules, and whether they are certain. For this it requests the node's forks at intervals.
import { activationTimesOf, isSameChain, type ChainDescription } from '../../../chain/chain-description.js';
import { createChainRules, type ForkRules, type ChainRules } from '../../../evm/reference/fork-rules.js';
import { LIMITS } from '../../../limits/index.js';
import { UpstreamError } from '../../../upstream/upstream.js';
import { UnknownFeatures } from './unknown-feature-list.js';
import { reportedUnknownFeatures } from './check-rules-against-node-forks.js';
import type { DeriveRulesFromForks, KnownRules } from './rules-from-node-forks.js';
import type { EthConfigForks } from './eth-config-fork.js';

/** The rules by which a block is executed, and whether they are certain. */
export interface RulesForBlock {
  readonly chain: ChainDescription;
  /** Why the rules may be wrong; `null` if they are certain. */
  readonly doubt: string | null;
  /** Addresses of system contracts that an unknown fork calls at the end of each block, 20 bytes each. */
  readonly queues: readonly Uint8Array[];
}

const NO_QUEUES: readonly Uint8Array[] = [];

export interface RuleQueryOptions {
  /** Returns the forks that the node reports; `null` if it reports none. Rejects with UpstreamError. */
  readonly query: () => Promise<EthConfigForks | null>;
  readonly check: DeriveRulesFromForks;
  /** Returns how often the node has started to respond again after an outage. */
  readonly returns: () => number;
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
}

/** When the node's forks were last requested, and two counts: if either has changed, they are requested again. */
interface LastQuery {
  readonly atMs: number;
  readonly returns: number;
  /** Number of our known forks that were active at the block for which the node's forks were requested. */
  readonly passed: number;
}

/** Tracks the rules of one chain. The rules in use change only by `serve`. */
export class ForkScheduleTracker implements ChainRules {
  readonly #upstream: RuleQueryOptions | null;
  /**
   * Rule objects by fork. An object is reused as long as the fork's rules stay the same, because engines are created
   * for each object.
   */
  readonly #forks = new Map<string, ForkRules>();
  #known: KnownRules;
  #served: RulesForBlock;
  #rules: ChainRules;
  #lastQuery: LastQuery | null;
  /** True while the node's rules are requested again in the background; no block waits for them. */
  #isQueryingAside = false;
  /** All features of the chain that we do not know. */
  readonly features = new UnknownFeatures();
  /** How the newest block contradicts the rules; `null` if it does not. */
  #contradiction: string | null = null;
  /** Set if blocks keep contradicting the rules: the reason why the rules may be wrong. Otherwise `null`. */
  #quarantined: string | null = null;

  /** `query` is `null` if the rules are fixed. Otherwise `reported` is the response to a query that was just made. */
  constructor(known: KnownRules, query: RuleQueryOptions | null, reported: EthConfigForks | null = null) {
    this.#known = known;
    this.#upstream = query;
    this.#served = { chain: known.chain, doubt: null, queues: NO_QUEUES };
    this.#rules = createChainRules(known.chain, this.#forks);
    this.#noteFeatures(reported);
    this.#lastQuery = query === null ? null : { atMs: query.now(), returns: query.returns(), passed: -1 };
  }

  /** The description of the chain that is in use, from which the rules are made. */
  get chain(): ChainDescription {
    return this.#served.chain;
  }

  /** Why the rules in use may be wrong; `null` if they are right. */
  get doubt(): string | null {
    return this.#served.doubt;
  }

  /** Why the rules become unknown from some timestamp on, such as an unknown fork; `null` if no reason is known. */
  get notice(): string | null {
    return this.#known.unknown?.reason ?? null;
  }

  /** System contracts to call at the end of each block, in addition to the ones that the rules in use call. */
  get queues(): readonly Uint8Array[] {
    return this.#served.queues;
  }

  at(number: number, timestamp: bigint | number): ForkRules {
    return this.#rules.at(number, timestamp);
  }

  /**
   * Returns the rules for a block with this timestamp. Requests the node's forks first if a fork has become active, the
   * node has recovered from an outage, or a block has contradicted the rules. If the last request is more than
   * LIMITS.rulesQueryMs ago, requests them in the background, because no block should wait for what rarely changes.
   * Rejects with UpstreamError.
   */
  async rulingFor(timestamp: bigint): Promise<RulesForBlock> {
    if (this.#upstream !== null) {
      if (this.#isDue(timestamp, this.#upstream)) await this.#query(timestamp, this.#upstream);
      else if (!this.#isQueryingAside && this.#isOld(this.#upstream)) void this.#queryAside(timestamp, this.#upstream);
    }
    const { chain, unknown } = this.#known;
    const isUnknown = unknown !== null && timestamp >= BigInt(unknown.since);
    if (isUnknown) return { chain, doubt: unknown.reason, queues: unknown.queues ?? NO_QUEUES };
    return { chain, doubt: this.#quarantined ?? this.#contradiction, queues: NO_QUEUES };
  }

  /** Returns true if these rules are in use and certain. */
  isInForce({ chain, doubt }: RulesForBlock): boolean {
    return doubt === null && this.doubt === null && chain === this.#served.chain;
  }

  /** Puts these rules into use. */
  serve(ruling: RulesForBlock): void {
    if (ruling.chain !== this.#served.chain) this.#rules = createChainRules(ruling.chain, this.#forks);
    this.#served = ruling;
  }

  /**
   * Records how the newest block contradicts the rules. `null`: it does not, and an earlier contradiction is forgotten.
   */
  compared(contradiction: string | null): void {
    if (contradiction !== null && this.#contradiction === null) this.suspect();
    this.#contradiction = contradiction;
  }

  /** Marks the rules as uncertain until the node reports others, because blocks keep contradicting them. */
  quarantine(reason: string): void {
    this.#quarantined = reason;
  }

  /** Causes the node's forks to be requested again at the next block. */
  suspect(): void {
    this.#lastQuery = null;
  }

  #isDue(timestamp: bigint, { returns }: RuleQueryOptions): boolean {
    return this.#lastQuery?.returns !== returns() || this.#passed(timestamp) !== this.#lastQuery.passed;
  }

  #isOld({ now }: RuleQueryOptions): boolean {
    return this.#lastQuery !== null && now() - this.#lastQuery.atMs >= LIMITS.rulesQueryMs;
  }

  /**
   * Requests the node's forks in the background. The response is ignored if they were requested for a later block
   * meanwhile. If the node does not respond, they are requested again for the next block.
   */
  async #queryAside(timestamp: bigint, query: RuleQueryOptions): Promise<void> {
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

  async #query(timestamp: bigint, { query, check, returns, now }: RuleQueryOptions): Promise<void> {
    const lastQuery = { atMs: now(), returns: returns() };
    this.#learn(await query(), timestamp, check, lastQuery);
  }

  #learn(
    reported: EthConfigForks | null,
    timestamp: bigint,
    check: DeriveRulesFromForks,
    lastQuery: Omit<LastQuery, 'passed'>,
  ): void {
    const checked = reported === null ? this.#known : check(reported, this.#known, timestamp);
    const isSame = isSameChain(checked.chain, this.#known.chain);
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
    const times = [...activationTimesOf(chain), ...(unknown === null ? [] : [unknown.since])];
    return times.filter((time) => BigInt(time) <= timestamp).length;
  }
}
