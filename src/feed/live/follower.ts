// Follows the upstream node's canonical blocks: fetches what is new, executes it, and begins anew where that is not
// possible. Runs on the publisher.
import { decodeHeader } from '../../chain/header.js';
import { LIMITS } from '../../limits.js';
import { VersionNotKept } from '../../state/table/snapshot.js';
import type { Upstream, UpstreamBlock } from '../../upstream/upstream.js';
import { ancestorsOf } from './ancestors.js';
import type { LiveChain } from './live-chain.js';

/** What the follower works with. */
export interface FollowerParts {
  readonly chain: LiveChain;
  readonly upstream: Pick<Upstream, 'block' | 'read' | 'request'>;
  /** Takes a block whose parent is kept into the chain. Answers why it does not fit. */
  readonly take: (block: UpstreamBlock) => Promise<string | null>;
  /** The state has been begun anew with this block as its newest one. */
  readonly onStart: (block: UpstreamBlock) => void;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/** One call at a time. */
export class Follower {
  readonly #parts: FollowerParts;
  /** Since when all heads are lower than ours and of another chain; `null`: they are not. */
  #lowerSinceMs: number | null = null;
  #notice: string | null = null;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Tells of the newest block that could not be executed for what is in it; `null`: there was none. */
  get notice(): string | null {
    return this.#notice;
  }

  /**
   * Brings the chain to `newest`. A head that is kept already is ignored, and for a while one that is lower than ours and
   * of another chain: a balancer may send one back to an older node. Rejects with UpstreamError and GivenUp; whatever
   * was taken over until then stays.
   */
  async follow(newest: UpstreamBlock): Promise<void> {
    const { chain } = this.#parts;
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
    for (const block of blocks) {
      if (block.unknownType !== null) return await this.#start(blocks.at(-1)!, block);
      const reason = chain.misfit(block) ?? (await take(block).catch(onlyNotKept));
      if (reason === null) continue;
      chain.parts.counts.mismatches++;
      chain.parts.sink.progress(`block ${block.number}: ${reason}`);
      return await this.#start(blocks.at(-1)!);
    }
  }

  /** `unknown`: the block that cannot be executed, where that is the reason. */
  async #start(block: UpstreamBlock, unknown = block): Promise<void> {
    const { chain, upstream, onStart } = this.#parts;
    this.#look(unknown);
    const ancestors = await ancestorsOf(block, parentOf(block), upstream);
    chain.begin(block, ancestors);
    onStart(block);
    chain.parts.sink.progress(`following from block ${block.number}`);
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

function parentOf(block: UpstreamBlock): Uint8Array {
  return decodeHeader(block.header).parentHash;
}
