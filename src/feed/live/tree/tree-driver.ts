// Changes the tree of blocks: decides which actions each input requires, and carries them out.

// When a confirmed block is fetched, transactions that the feed has already announced are not fetched again. See
// DECISIONS.md.
import { NonEvmCodeError } from '../../../evm/non-evm-code-error.js';
import type { AnnouncedTransaction } from '../../../state/complete-block.js';
import { UpstreamError, type UpstreamBlock } from '../../../upstream/upstream.js';
import type { BlockApplication, NotAppliedReason } from '../../diffs/choose-execution-or-diff.js';
import type { LiveSink } from '../../feed.js';
import type { ReportedIncrement } from '../../pre-confirmation-stream-events.js';
import type { LiveFeedCounters } from '../../live-feed-counters.js';
import type { CanonicalChain } from './canonical-chain.js';
import { messageOfInvalidBlockError } from '../../../execution/block/block-executor.js';
import { ExecutionAborted, type ExecutionTimeLimiter } from '../executing/execution-time-limiter.js';
import type { ForkScheduleTracker } from '../rules/fork-schedule-tracker.js';
import type { LiveBlockTree, AnnouncedPayload, RetainedCanonicalBlock } from './block-tree.js';
import {
  canonicalBlockFromUpstream,
  decideTreeActions,
  nextServingStep,
  type TreeAction,
  type CanonicalHead,
  type TreeInput,
  type ServingStep,
} from './decide-tree-actions.js';
import type { PayloadExecutor, ExecutionDifference } from './payload-executor.js';

interface TreeDriverDeps {
  readonly tree: LiveBlockTree;
  readonly chain: CanonicalChain;
  readonly payloads: PayloadExecutor;
  readonly sink: Pick<LiveSink, 'newest' | 'progress'>;
  readonly counts: LiveFeedCounters;
  readonly time: ExecutionTimeLimiter;
  readonly rules: ForkScheduleTracker;
}

/** Handles the inputs to the tree of blocks, one at a time. */
export class TreeDriver {
  readonly #deps: TreeDriverDeps;

  constructor(deps: TreeDriverDeps) {
    this.#deps = deps;
  }

  /** Returns the transactions of a pre-confirmed block that were executed so far. */
  announced(number: number): readonly AnnouncedTransaction[] {
    return this.#deps.tree.executed.find(({ block }) => block === number)?.execution.transactions ?? [];
  }

  /**
   * Handles an increment. If it needs state that the node does not provide, all pre-confirmed blocks are dropped and
   * this is logged.
   */
  async increment(increment: ReportedIncrement): Promise<void> {
    try {
      await this.take({ kind: 'increment', increment });
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const { counts, sink } = this.#deps;
      counts.upstreamFailures++;
      sink.progress(`pre-confirmed block ${increment.block} is dropped: ${error.message}`);
      await this.drop();
    }
  }

  /**
   * Applies a canonical block whose parent is retained. If it is applied as a diff, all visible pre-confirmed blocks
   * are replaced. Returns the same as CanonicalChain's `take`. Rejects with UpstreamError and ExecutionAborted.
   */
  async head(upstream: UpstreamBlock, mode: BlockApplication): Promise<NotAppliedReason | null> {
    try {
      return await this.take({ kind: 'head', head: { ...canonicalBlockFromUpstream(upstream), upstream, mode } });
    } catch (error) {
      if (error instanceof UpstreamError || error instanceof ExecutionAborted) await this.drop();
      throw error;
    }
  }

  /** Drops all pre-confirmed blocks: `pending` means `latest` until the feed starts another block. */
  async drop(): Promise<void> {
    await this.take({ kind: 'rollback', to: this.#deps.tree.tip });
  }

  /**
   * Handles an input. If the block of a head was not applied, returns why. Readers then still see the same canonical
   * blocks, but pre-confirmed blocks may have been dropped.
   */
  async take(input: TreeInput): Promise<NotAppliedReason | null> {
    for (const action of decideTreeActions(this.#deps.tree, input)) {
      const untaken = await this.#act(action);
      if (untaken !== null) return untaken;
    }
    return null;
  }

  async #act(action: TreeAction): Promise<NotAppliedReason | null> {
    const { tree, counts, payloads } = this.#deps;
    switch (action.kind) {
      case 'promote':
        return (await this.#promote(action.head.upstream)) ? null : this.#replace(action.head);
      case 'replace':
        return this.#replace(action.head);
      case 'rollback':
        this.#rollback(action.to);
        return null;
      case 'tags':
        tree.tags = action.tags;
        if (action.isNew) payloads.showAgain();
        return null;
      case 'serve':
        await this.#serve();
        return null;
      case 'gap':
        counts.gaps++;
        break;
      case 'filled':
        counts.gapsFilled++;
    }
    applyTreeOnlyAction(tree, action);
    return null;
  }

  async #promote(block: UpstreamBlock): Promise<boolean> {
    const { payloads, counts, sink } = this.#deps;
    const reason = await payloads.promote(block).catch(messageOfInvalidBlockError);
    if (reason === null) return true;
    counts.mismatches++;
    sink.progress(`block ${block.number} as it was pre-confirmed: ${reason}`);
    return false;
  }

  #replace({ number: block, hash, upstream, mode }: CanonicalHead): Promise<NotAppliedReason | null> {
    const { tree, chain, counts, time } = this.#deps;
    if (tree.executed.length > 0) counts.fallbacks++;
    tree.revert(0);
    return time.during({ kind: 'block', block, hash }, () => chain.take(upstream, mode));
  }

  /** Rolls back to a retained block. Throws VersionNotKept, without any change, if its state can no longer be read. */
  #rollback(to: RetainedCanonicalBlock | null): void {
    const { tree, chain, counts, sink } = this.#deps;
    if (to !== null && sink.newest !== to.version) chain.returnTo(to);
    if (tree.executed.length > 0) counts.fallbacks++;
    tree.forget();
  }

  async #serve(): Promise<void> {
    const { tree } = this.#deps;
    for (let step = nextServingStep(tree); step !== null; step = nextServingStep(tree)) await this.#take(step);
  }

  /**
   * Carries out a step. A payload is rejected if its result contradicts the feed, if it runs non-EVM code, or if it
   * takes too long. It and the payloads above it are then hidden from readers.
   */
  async #take({ kind, payload }: ServingStep): Promise<void> {
    const { counts, sink, payloads } = this.#deps;
    const { block } = payload;
    if (kind === 'abandon') return payloads.abandon(block);
    const reason = await this.#execute(kind, payload).catch(onlyDropped);
    if (reason === null) return;
    if (typeof reason === 'string') counts.mismatches++;
    sink.progress(`pre-confirmed block ${block}: ${typeof reason === 'string' ? reason : reason.message}`);
    payload.continuity = 'rejected';
    payloads.abandon(block);
  }

  async #execute(kind: 'open' | 'append', payload: AnnouncedPayload): Promise<ExecutionDifference> {
    const { time, payloads } = this.#deps;
    if (kind === 'open') await this.#checkRules(payload);
    return time.during({ kind: 'increment', block: payload.block }, () =>
      payloads[kind](payload).catch(messageOfInvalidBlockError),
    );
  }

  /** Throws if the payload needs other rules than those in use: new rules come into use only with a confirmed block. */
  async #checkRules({ block, base: { env } }: AnnouncedPayload): Promise<void> {
    const { rules } = this.#deps;
    if (rules.isInForce(await rules.rulingFor(env.timestamp))) return;
    throw new ExecutionAborted(
      'superseded',
      `block ${block} waits until it is confirmed: its rules are not those before`,
    );
  }
}

/**
 * Returns an error after which it is enough to drop the payload, because the error does not mean that our state is
 * wrong. Throws any other error.
 */
function onlyDropped(error: unknown): ExecutionAborted | NonEvmCodeError {
  if (error instanceof ExecutionAborted || error instanceof NonEvmCodeError) return error;
  throw error;
}

/** Actions that have no effect outside of the tree of blocks. */
type TreeOnlyAction = Exclude<TreeAction, { readonly kind: 'promote' | 'replace' | 'rollback' | 'tags' | 'serve' }>;

/** Carries out an action that changes nothing but the tree of blocks. */
export function applyTreeOnlyAction(tree: LiveBlockTree, action: TreeOnlyAction): void {
  switch (action.kind) {
    case 'announce':
      return tree.announce(action.payload);
    case 'extend': {
      const { payload, increments, bytes, continuity } = action;
      payload.increments.push(...increments);
      for (const { index } of increments) payload.buffered.delete(index);
      Object.assign(payload, { bytes, continuity });
      return;
    }
    case 'buffer':
      action.buffer.buffered.set(action.increment.index, action.increment);
      action.buffer.bytes = action.bytes;
      return;
    case 'orphans':
      tree.orphans = action.buffer;
      return;
    case 'mark':
      action.payload.continuity = action.continuity;
      return;
    case 'gap':
      tree.unopened = action.unopened ?? tree.unopened;
      return;
    case 'leave':
      return tree.leave(({ block, base }) => block <= action.upTo || (action.isOther && base.parentHash === null));
    case 'filled':
  }
}
