// The rules of a live chain, which are requested from its node again and again: which are served, and whether they are
// known to be right.
import { sameChain, type ChainDescription } from '../../../chain/spec.js';
import { createRules, type ForkRules, type Rules } from '../../../evm/reference/fork-rules.js';
import { LIMITS } from '../../../limits/index.js';
import { UpstreamError } from '../../../upstream/upstream.js';
import { UnknownFeatures } from './unknown-features.js';
import { reportedUnknownFeatures } from './checked-rules.js';
import { timesOf, type ForkCheck, type KnownRules } from './fork-plan.js';
import type { EthConfigForks } from './eth-config-fork.js';

/** The rules by which a block is to be executed. */
export interface Ruling {
  readonly chain: ChainDescription;
  /** Why they may be wrong; `null`: they are known to be right. */
  readonly doubt: string | null;
  /** System contracts of an unknown fork (20 bytes each). */
  readonly queues: readonly Uint8Array[];
}

const NO_QUEUES: readonly Uint8Array[] = [];

/** How rules are requested again. */
export interface RuleQuery {
  /** `null`: the node does not say. Rejects with UpstreamError. */
  readonly query: () => Promise<EthConfigForks | null>;
  readonly check: ForkCheck;
  /** Times that the node came back after an outage. */
  readonly returns: () => number;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/** When the node was last queried. */
interface LastQuery {
  readonly atMs: number;
  readonly returns: number;
  /** Forks that were active at the block it was queried for. */
  readonly passed: number;
}

/** The served rules change only by `serve`. */
export class RuleHistory implements Rules {
  readonly #upstream: RuleQuery | null;
  /** Rules by fork: an unchanged one keeps its engines. */
  readonly #forks = new Map<string, ForkRules>();
  #known: KnownRules;
  #served: Ruling;
  #rules: Rules;
  #lastQuery: LastQuery | null;
  /** A query that no block waits for is in flight. */
  #isQueryingAside = false;
  /** Everything of the chain that is unknown. */
  readonly features = new UnknownFeatures();
  /** The newest block that contradicts the rules. */
  #contradiction: string | null = null;
  /** Why blocks kept contradicting the rules; `null`: they did not. */
  #quarantined: string | null = null;

  /**
   * `query`: `null` if the rules are fixed. The node has just been queried for `known`, and responded with `reported`.
   */
  constructor(known: KnownRules, query: RuleQuery | null, reported: EthConfigForks | null = null) {
    this.#known = known;
    this.#upstream = query;
    this.#served = { chain: known.chain, doubt: null, queues: NO_QUEUES };
    this.#rules = createRules(known.chain, this.#forks);
    this.#noteFeatures(reported);
    this.#lastQuery = query === null ? null : { atMs: query.now(), returns: query.returns(), passed: -1 };
  }

  /** The chain description that is served. */
  get chain(): ChainDescription {
    return this.#served.chain;
  }

  /** Why what is served may be wrong; `null`: it is right. */
  get doubt(): string | null {
    return this.#served.doubt;
  }

  /** From when on the rules will be unknown; `null`: never, as far as is known. */
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
   * For the block with this timestamp. Queries the node first if a fork has become active, the node has come back, or a
   * block has contradicted the rules; after LIMITS.rulesQueryMs it is queried in the background, as no block should
   * wait for what hardly ever changes. Rejects with UpstreamError.
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

  /** Returns whether this ruling is served, and known to be right. */
  isInForce({ chain, doubt }: Ruling): boolean {
    return doubt === null && this.doubt === null && chain === this.#served.chain;
  }

  /** From here on blocks are executed by this ruling. */
  serve(ruling: Ruling): void {
    if (ruling.chain !== this.#served.chain) this.#rules = createRules(ruling.chain, this.#forks);
    this.#served = ruling;
  }

  /** How the newest block contradicts the rules; `null`: it does not, and earlier contradictions are forgotten. */
  compared(contradiction: string | null): void {
    if (contradiction !== null && this.#contradiction === null) this.suspect();
    this.#contradiction = contradiction;
  }

  /** Blocks have contradicted the rules again and again: these are uncertain until the node reports others. */
  quarantine(reason: string): void {
    this.#quarantined = reason;
  }

  /** The node is queried again for the next block. */
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
   * The response to a query for a later block is newer, and wins. A node that does not respond is queried again for the
   * next block.
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
