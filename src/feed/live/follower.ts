// Follows the upstream node's canonical blocks: fetches what is new, executes it, and begins anew where that is not
// possible. Runs on the publisher.
import { decodeHeader } from '../../chain/header.js';
import { opRulesAt } from '../../chain/op/forks.js';
import { LIMITS } from '../../limits.js';
import { VersionNotKept } from '../../state/table/snapshot.js';
import type { Upstream, UpstreamBlock } from '../../upstream/upstream.js';
import { ancestorsOf } from './ancestors.js';
import type { LiveChain } from './live-chain.js';
import type { RuleBook, Ruling } from './rule-book.js';

/** What the follower works with. */
export interface FollowerParts {
  readonly chain: LiveChain;
  readonly upstream: Pick<Upstream, 'block' | 'read' | 'request'>;
  /** Takes a block whose parent is kept into the chain. Answers why it does not fit. */
  readonly take: (block: UpstreamBlock) => Promise<string | null>;
  /** The state has been begun anew with this block as its newest one. */
  readonly onStart: (block: UpstreamBlock) => void;
  /** Tells main how the chain fares. */
  readonly report: () => void;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/** OP-Stack blocks of earlier forks cannot be executed here. */
const BEFORE_OP_RULES =
  'blocks of the OP Stack are executed from Ecotone on: until then the state begins anew with each block';

/** One call at a time. */
export class Follower {
  readonly #parts: FollowerParts;
  /** Since when all heads are lower than ours and of another chain; `null`: they are not. */
  #lowerSinceMs: number | null = null;
  #notice: string | null = null;
  /** What was told of rules to come. */
  #told: string | null = null;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Tells of the newest block that could not be executed for what is in it, or of rules to come; `null`: there is nothing. */
  get notice(): string | null {
    return this.#notice ?? this.#rules.notice;
  }

  /** Why the rules are not known to be right at the newest head; `null`: they are. */
  get doubt(): string | null {
    return this.#rules.doubt;
  }

  /** The newest head cannot be read, for the reason given: its rules are not known. */
  cannotRead(reason: string): void {
    if (this.#rules.unreadable === null) this.#warn(reason);
    this.#rules.unreadable = reason;
  }

  /**
   * Brings the chain to `newest`. A head that is kept already is ignored, and for a while one that is lower than ours and
   * of another chain: a balancer may send one back to an older node. Rejects with UpstreamError and GivenUp; whatever
   * was taken over until then stays.
   */
  async follow(newest: UpstreamBlock): Promise<void> {
    const { chain } = this.#parts;
    this.#rules.unreadable = null;
    if (chain.find(newest.hash) !== null) return;
    const blocks = chain.tip === null ? null : await this.#upTo(newest);
    if (blocks === null && this.#isPassing(newest)) return;
    this.#lowerSinceMs = null;
    if (blocks === null) await this.#startAnew(newest);
    else await this.#take(blocks);
  }

  /** Begins anew at `newest`. `notice`: why, for the operator. Rejects with UpstreamError. */
  async beginAnew(newest: UpstreamBlock, notice: string): Promise<void> {
    this.#notice = notice;
    await this.#start(newest);
  }

  /** Whether a head that is not connected to our chain may come from a node that lags behind. */
  #isPassing({ number }: UpstreamBlock): boolean {
    const { chain, now } = this.#parts;
    if (chain.tip === null || number >= chain.tip.number) return false;
    this.#lowerSinceMs ??= now();
    return now() - this.#lowerSinceMs < LIMITS.lowerHeadMsMax;
  }

  async #startAnew(newest: UpstreamBlock): Promise<void> {
    const { chain } = this.#parts;
    if (chain.tip !== null) {
      chain.parts.counts.gaps++;
      chain.parts.sink.progress(`block ${newest.number} cannot be reached from block ${chain.tip.number}`);
    }
    await this.#start(newest);
  }

  /** The blocks from a kept one (without it) to `newest`; `null` when there are too many, or none is kept. */
  async #upTo(newest: UpstreamBlock): Promise<UpstreamBlock[] | null> {
    const { chain, upstream } = this.#parts;
    const blocks = [newest];
    while (blocks.length <= LIMITS.catchUpBlocksMax) {
      const parentHash = parentOf(blocks[0]!);
      if (chain.find(parentHash) !== null) return blocks;
      const parent = await upstream.block(parentHash);
      if (parent === null) break;
      blocks.unshift(parent);
    }
    return null;
  }

  async #take(blocks: readonly UpstreamBlock[]): Promise<void> {
    const { chain, take } = this.#parts;
    const parent = chain.find(parentOf(blocks[0]!))!;
    if (parent.number < chain.tip!.number) {
      chain.parts.counts.reorgs++;
      chain.parts.sink.progress(`reorg: block ${parent.number} is followed by another one`);
    }
    const newest = blocks.at(-1)!;
    for (const block of blocks) {
      if (block.unknownType !== null) return await this.#start(newest, block);
      if (!(await this.#isRuled(block))) return await this.#start(newest);
      const reason = await take(block).catch(onlyNotKept);
      if (this.#notice === BEFORE_OP_RULES) this.#notice = null;
      if (reason === null) continue;
      this.#mismatch(`block ${block.number}: ${reason}`);
      return await this.#start(newest);
    }
  }

  /**
   * Whether the block is executed by the rules that are served. Where its header contradicts them, and the node has no other ones,
   * that is a mismatch.
   */
  async #isRuled(block: UpstreamBlock): Promise<boolean> {
    const { number, timestamp } = decodeHeader(block.header);
    if (isBeforeOpRules(this.#rules, timestamp)) return false;
    const misfit = this.#parts.chain.misfit(block);
    const contradiction = misfit === null ? null : `block ${number}: ${misfit}`;
    this.#rules.compared(contradiction);
    const ruling = await this.#rules.rulingFor(timestamp);
    this.#tell();
    if (this.#rules.isInForce(ruling)) return true;
    if (contradiction !== null && ruling.doubt === contradiction) this.#mismatch(contradiction);
    return false;
  }

  /** The node may have other rules by now. */
  #mismatch(text: string): void {
    const { counts, sink } = this.#parts.chain.parts;
    counts.mismatches++;
    sink.progress(text);
    this.#rules.suspect();
  }

  /** `unknown`: the block that cannot be executed, where that is the reason. */
  async #start(block: UpstreamBlock, unknown = block): Promise<void> {
    const { chain, upstream, onStart } = this.#parts;
    this.#look(unknown);
    const isTold = this.#rules.doubt !== null || this.#notice === BEFORE_OP_RULES;
    const ruling = await this.#rules.rulingFor(decodeHeader(block.header).timestamp);
    const ancestors = await ancestorsOf(block, parentOf(block), upstream);
    this.#serve(block, ruling);
    chain.begin(block, ancestors);
    onStart(block);
    // States that begin anew with each block are told once.
    if (!isTold) chain.parts.sink.progress(`following from block ${block.number}`);
  }

  /** A state that begins with this block has these rules. Main hears of doubt before it has the state. */
  #serve(block: UpstreamBlock, ruling: Ruling): void {
    const { number, timestamp } = decodeHeader(block.header);
    const isNews = ruling.doubt !== null && this.#rules.doubt === null;
    this.#rules.serve(ruling);
    this.#tell();
    if (isNews) this.#warn(`the rules of block ${number} are not known to be right: ${ruling.doubt}`);
    if (isBeforeOpRules(this.#rules, timestamp)) this.#noteBeforeOpRules();
    const { sink } = this.#parts.chain.parts;
    sink.useChain(ruling.chain);
    this.#parts.report();
  }

  #warn(text: string): void {
    const { counts, sink } = this.#parts.chain.parts;
    counts.unknownRules++;
    sink.warn(`${text}: nothing is executed`);
  }

  /** Rules to come that are not known are told once. */
  #tell(): void {
    const { notice } = this.#rules;
    if (notice === this.#told) return;
    this.#told = notice;
    if (notice !== null) this.#parts.chain.parts.sink.warn(notice);
  }

  #noteBeforeOpRules(): void {
    if (this.#notice === BEFORE_OP_RULES) return;
    this.#notice = BEFORE_OP_RULES;
    this.#parts.chain.parts.sink.warn(BEFORE_OP_RULES);
  }

  get #rules(): RuleBook {
    return this.#parts.chain.parts.rules;
  }

  #look({ number, unknownType }: UpstreamBlock): void {
    if (unknownType === null) return;
    const type = `0x${unknownType.toString(16)}`;
    this.#notice = `block ${number} has a transaction of type ${type}, which is not known here: its state is the upstream's`;
    this.#parts.chain.parts.counts.unknownBlocks++;
    this.#parts.chain.parts.sink.progress(this.#notice);
  }
}

/** A reorg back to a block whose state the table has let go of: nothing to build on. */
function onlyNotKept(error: unknown): string {
  if (error instanceof VersionNotKept) return 'the state after its parent is not kept any more';
  throw error;
}

function isBeforeOpRules({ chain: { op } }: RuleBook, timestamp: bigint): boolean {
  return op !== null && opRulesAt(op, timestamp) === null;
}

function parentOf(block: UpstreamBlock): Uint8Array {
  return decodeHeader(block.header).parentHash;
}
