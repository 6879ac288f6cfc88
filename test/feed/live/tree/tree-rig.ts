// A block tree whose payloads execute at once with the feed's results: inputs in, actions out as short lines. Each
// action is checked to be possible, and deciding is checked to change nothing.
import assert from 'node:assert/strict';
import {
  LiveBlockTree,
  type PayloadProgress,
  type AnnouncedPayload,
  type PayloadLimits,
  type RetainedCanonicalBlock,
} from '../../../../src/feed/live/tree/block-tree.js';
import {
  decideTreeActions,
  nextServingStep,
  type TreeAction,
  type CanonicalHead,
  type TreeInput,
  type ServingStep,
} from '../../../../src/feed/live/tree/decide-tree-actions.js';
import { applyTreeOnlyAction } from '../../../../src/feed/live/tree/tree-driver.js';
import type { BlockApplication } from '../../../../src/feed/diffs/choose-execution-or-diff.js';
import type { UpstreamBlock } from '../../../../src/upstream/upstream.js';
import type { CanonicalBlock, StreamEvent } from '../../../../src/feed/pre-confirmation-stream-events.js';
import { sameBytes } from '../../../../src/lib/bytes/byte-map.js';
import { toHex } from '../../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../../src/limits/index.js';
import { blockEnv } from '../../../support/jobs.js';

export class TreeRig {
  readonly tree: LiveBlockTree;
  readonly counts = { gaps: 0, filled: 0 };
  #lines: string[] = [];

  constructor(bounds: Partial<PayloadLimits> = {}) {
    this.tree = new LiveBlockTree(bounds);
  }

  /** The newest increment that readers see; `null` if nothing is pre-confirmed. */
  get tip(): { readonly block: number; readonly index: number } | null {
    const newest = this.tree.executed.at(-1);
    return newest === undefined ? null : { block: newest.block, index: newest.execution.index };
  }

  /** Transactions that readers see, as `block/payload: raw,raw`. */
  get seen(): string[] {
    return this.tree.executed.map(({ block, payloadId, increments, execution }) => {
      const raws = increments.slice(0, execution.index + 1).flatMap(({ transactions }) => transactions.map(toHex));
      return `${block}/${payloadId}: ${raws.join()}`;
    });
  }

  begin(block: CanonicalBlock): void {
    this.tree.begin(retained(block));
  }

  take(news: StreamEvent): string[] {
    if (news.kind === 'lapse') return [];
    return this.input('increment' in news ? { kind: 'increment', increment: news } : { kind: 'feedDown' });
  }

  /** A head whose parent is retained; like the head follower, it does not report the tip again. */
  canonical(block: CanonicalBlock, by: BlockApplication['by'] = 'execution'): string[] {
    const { tip } = this.tree;
    if (tip !== null && sameBytes(tip.hash, block.hash)) return [];
    return this.input({
      kind: 'head',
      head: { ...block, mode: { by } as BlockApplication, upstream: {} as UpstreamBlock },
    });
  }

  /** Execution disagrees with this block. */
  reject(block: number): string[] {
    const payload = this.tree.announced.find((each) => each.block === block);
    if (payload === undefined) return [];
    payload.continuity = 'rejected';
    if (payload.execution !== null) this.#abandon(block);
    this.#serve();
    return this.#takeLines();
  }

  input(input: TreeInput): string[] {
    const before = text(this.tree);
    const actions = decideTreeActions(this.tree, input);
    assert.equal(text(this.tree), before, 'deciding changes nothing');
    for (const action of actions) this.#act(action);
    assert.ok(this.tree.executed.length <= this.tree.bounds.depth);
    assert.ok(this.tree.announced.length <= LIMITS.feedAheadBlocksMax);
    return this.#takeLines();
  }

  #takeLines(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  #act(action: TreeAction): void {
    switch (action.kind) {
      case 'promote':
        return this.#promote(action.head);
      case 'replace':
        if (this.tree.executed.length > 0) this.#abandon(this.tree.executed[0]!.block);
        this.#lines.push(`execute ${action.head.number}`);
        return this.tree.add(retained(action.head));
      case 'serve':
        return this.#serve();
      case 'rollback':
      case 'tags':
        return assert.fail('not asked for here');
      case 'gap':
        this.counts.gaps++;
        this.#lines.push('gap');
        break;
      case 'filled':
        this.counts.filled++;
        this.#lines.push('filled');
        break;
      default:
    }
    applyTreeOnlyAction(this.tree, action);
  }

  #promote(head: CanonicalHead): void {
    const first = this.tree.executed[0];
    assert.equal(first?.block, head.number);
    this.#lines.push(`promote ${head.number}`);
    this.tree.promote(first);
    this.tree.add(retained(head));
  }

  #serve(): void {
    for (let step = nextServingStep(this.tree); step !== null; step = nextServingStep(this.tree)) this.#take(step);
  }

  #take({ kind, payload }: ServingStep): void {
    if (kind === 'abandon') return this.#abandon(payload.block);
    return kind === 'open' ? this.#open(payload) : this.#append(payload);
  }

  #open(payload: AnnouncedPayload): void {
    const { tree } = this;
    const { block, base } = payload;
    const isAgain = tree.executed.some((each) => each.block === block);
    tree.revert(block);
    const below = tree.executed.at(-1);
    assert.equal(block, (below?.block ?? tree.tip!.number) + 1);
    if (below === undefined && base.parentHash !== null) assert.equal(toHex(base.parentHash), toHex(tree.tip!.hash));
    if (below !== undefined) assert.equal(below.execution.index + 1, below.increments.length, 'built on a whole block');
    tree.execute(payload, { index: 0 } as PayloadProgress);
    this.#lines.push(`${isAgain ? 'replace' : 'open'} ${block}`);
  }

  #append(payload: AnnouncedPayload): void {
    const newest = this.tree.executed.at(-1)!;
    assert.equal(payload, newest);
    const index = ++newest.execution.index;
    assert.equal(payload.increments[index]?.index, index, 'no hole');
    this.#lines.push(`append ${payload.block}/${index}`);
  }

  #abandon(block: number): void {
    assert.ok(this.tree.executed.some((each) => each.block === block));
    this.tree.revert(block);
    this.#lines.push(`abandon ${block}`);
  }
}

/** A rig at this canonical block. */
export function rigAt(block: CanonicalBlock, bounds: Partial<PayloadLimits> = {}): TreeRig {
  const rig = new TreeRig(bounds);
  rig.begin(block);
  return rig;
}

function retained({ number, hash, parentHash }: CanonicalBlock): RetainedCanonicalBlock {
  return { number, index: 0, hash, parentHash, env: blockEnv({ number }), version: number, header: null };
}

function text({ announced, executed, orphans, unopened, tip }: LiveBlockTree): string {
  const waiting = orphans === null ? null : [orphans.block, [...orphans.buffered.keys()], orphans.bytes];
  return JSON.stringify([announced.map(brief), executed.map(brief), waiting, unopened, tip?.number]);
}

function brief(payload: AnnouncedPayload): unknown[] {
  const { block, payloadId, increments, buffered, bytes, continuity, state, execution } = payload;
  return [block, payloadId, increments.length, [...buffered.keys()], bytes, continuity, state, execution?.index];
}
