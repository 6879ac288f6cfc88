// Decides which actions an input requires on the tree of blocks. The result is a list of named actions, which
// `tree-driver.ts` carries out in order. No other file makes these decisions. They never depend on the hash and the
// state root of an unfinished block, because builders leave them out of increments. Pure.
import { isDeepStrictEqual } from 'node:util';
import { decodeHeader } from '../../../chain/block/header.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { keccak256 } from '../../../lib/bytes/keccak-wasm.js';
import type { BlockTags } from '../../../state/state-diff.js';
import type { BlockNumberAndHash, UpstreamBlock, UpstreamHead } from '../../../upstream/upstream.js';
import type { BlockApplication } from '../../diffs/choose-execution-or-diff.js';
import type {
  AppendedIncrement,
  CanonicalBlock,
  ExecutionOutcome,
  Increment,
  OpeningIncrement,
  ReportedIncrement,
} from '../../pre-confirmation-stream-events.js';
import {
  blockTagsFor,
  type LiveBlockTree,
  type IncrementBuffer,
  type PayloadContinuity,
  type AnnouncedPayload,
  type RetainedCanonicalBlock,
} from './block-tree.js';

/** A canonical block whose parent is retained, and how it is applied. */
export interface CanonicalHead extends CanonicalBlock {
  readonly upstream: UpstreamBlock;
  readonly mode: BlockApplication;
}

/** All inputs that can change the tree of blocks. */
export type TreeInput =
  | { readonly kind: 'increment'; readonly increment: ReportedIncrement }
  | { readonly kind: 'head'; readonly head: CanonicalHead }
  /**
   * Everything above block `to` is no longer valid, because the node has rolled back to that block, or because all
   * pre-confirmed blocks are to be dropped. `to` is `null` if there is no canonical block yet.
   */
  | { readonly kind: 'rollback'; readonly to: RetainedCanonicalBlock | null }
  | { readonly kind: 'tags'; readonly tags: Omit<BlockTags, 'latest'> }
  /** The connection to the feed was lost: the increments after the last one may be missing. */
  | { readonly kind: 'feedDown' };

/** One action on the tree of blocks or on what readers see. Actions are carried out one after the other. */
export type TreeAction =
  | { readonly kind: 'announce'; readonly payload: AnnouncedPayload }
  | ({ readonly kind: 'extend'; readonly payload: AnnouncedPayload } & Extension)
  | { readonly kind: 'buffer'; readonly buffer: IncrementBuffer; readonly increment: Increment; readonly bytes: number }
  /** Increments of a payload whose opening (first increment) is missing are collected in this buffer from now on. */
  | { readonly kind: 'orphans'; readonly buffer: IncrementBuffer }
  | { readonly kind: 'mark'; readonly payload: AnnouncedPayload; readonly continuity: PayloadContinuity }
  /** Increments are missing. `unopened`: number of the block if its first increment is among them; otherwise `null`. */
  | { readonly kind: 'gap'; readonly unopened: number | null }
  /** Increments that were missing have arrived after all. */
  | { readonly kind: 'filled' }
  /** The canonical block is equal to the first executed payload, so it need not be executed again. */
  | { readonly kind: 'promote'; readonly head: CanonicalHead }
  /** The canonical block replaces all blocks above its parent. */
  | { readonly kind: 'replace'; readonly head: CanonicalHead }
  /**
   * Payloads up to block number `upTo` are no longer valid. With `isOther`, payloads without a parent hash are not
   * valid either.
   */
  | { readonly kind: 'leave'; readonly upTo: number; readonly isOther: boolean }
  | { readonly kind: 'rollback'; readonly to: RetainedCanonicalBlock | null }
  /** The node's tags have changed. `isNew`: they must be published, because they differ from those that readers see. */
  | { readonly kind: 'tags'; readonly tags: Omit<BlockTags, 'latest'>; readonly isNew: boolean }
  /** Makes announced payloads visible to readers, in the steps that `nextServingStep` returns. */
  | { readonly kind: 'serve' };

interface Extension {
  /** Increments that are appended to the payload's present increments. */
  readonly increments: readonly Increment[];
  readonly bytes: number;
  readonly continuity: PayloadContinuity;
}

/**
 * One step that brings what readers see closer to the announced payloads. `open`: executes the payload's first
 * increment; the visible block with this number and all above it are replaced. `append`: executes the payload's next
 * increment. `abandon`: hides the payload and all above it.
 */
export interface ServingStep {
  readonly kind: 'open' | 'append' | 'abandon';
  readonly payload: AnnouncedPayload;
}

/** Estimated memory, in bytes, of an object with some arrays of 20 to 32 bytes. */
const OBJECT_BYTES = 256;
const SERVE = { kind: 'serve' } as const;

/** Decides which actions an input requires. The tree changes only by these actions. */
export function decideTreeActions(tree: LiveBlockTree, input: TreeInput): TreeAction[] {
  switch (input.kind) {
    case 'increment':
      return onIncrement(tree, input.increment);
    case 'head':
      return onHead(tree, input.head);
    case 'rollback':
      return [{ kind: 'rollback', to: input.to }];
    case 'tags':
      return [{ kind: 'tags', tags: input.tags, isNew: isNewTags(tree, input.tags) }];
    case 'feedDown': {
      const newest = tree.announced.at(-1);
      return newest?.continuity === 'open' ? [{ kind: 'mark', payload: newest, continuity: 'interrupted' }] : [];
    }
  }
}

/**
 * Returns the payloads that readers should see: consecutive announced blocks on top of the newest canonical block, each
 * complete except the last one; none if there are more than the allowed depth. All other payloads wait. So a block that
 * was hidden because of the depth or a reorganization is executed again when its parent is canonical.
 */
function servedPayloads({ tip, announced, bounds }: LiveBlockTree): readonly AnnouncedPayload[] {
  const served: AnnouncedPayload[] = [];
  if (tip === null) return served;
  for (const payload of announced) {
    if (payload.block !== tip.number + 1 + served.length || payload.continuity === 'rejected') break;
    const { parentHash } = payload.base;
    // Without a parent hash, a block waits until the block before it is canonical: only then is it certain which block
    // is the parent.
    if (served.length > 0 && parentHash === null) break;
    if (served.length === 0 && !isParent(payload, tip.hash)) break;
    served.push(payload);
    if (payload.continuity !== 'open') break;
  }
  return served.length > bounds.depth ? [] : served;
}

/**
 * Returns the next step; `null` if readers see what they should. If a block gets more increments after another block
 * was executed on top of it, the lower block is executed again from its first increment.
 */
export function nextServingStep(tree: LiveBlockTree): ServingStep | null {
  const { executed } = tree;
  const served = servedPayloads(tree);
  const last = executed.length - 1;
  const end = executed.findIndex((payload, at) => payload !== served[at] || (at < last && !isWholeExecuted(payload)));
  const [stale, next] = end < 0 ? [undefined, served[executed.length]] : [executed[end], served[end]];
  const newest = executed[last];
  if (stale === undefined && newest !== undefined && !isWholeExecuted(newest))
    return { kind: 'append', payload: newest };
  if (next !== undefined) return { kind: 'open', payload: next };
  return stale === undefined ? null : { kind: 'abandon', payload: stale };
}

/** Returns true if an increment in the queue starts the newest visible block, or one below it, again. */
export function restartsVisibleBlock(tree: LiveBlockTree, reported: ReportedIncrement): boolean {
  const newest = servedPayloads(tree).at(-1);
  if (newest === undefined || reported.kind !== 'open' || reported.block > newest.block) return false;
  const payload = payloadOf(tree, reported);
  return payload !== undefined && !isRepeated(payload, reported);
}

/**
 * Returns true if an announced head replaces a block: it has the same number but another hash, or it is the next block
 * but has another parent.
 */
export function isBlockReplacedByHead({ number, hash, parentHash }: UpstreamHead, block: BlockNumberAndHash): boolean {
  if (number === block.number) return !sameBytes(hash, block.hash);
  return number === block.number + 1 && !sameBytes(parentHash, block.hash);
}

/**
 * Returns true if a canonical block that waits in the queue invalidates everything pre-confirmed, because it replaces
 * the first pre-confirmed block or that block's parent.
 */
export function contradictsPreConfirmed(tree: LiveBlockTree, block: UpstreamBlock): boolean {
  return compareCanonicalWithPayload(servedPayloads(tree)[0], canonicalBlockFromUpstream(block)) === 'other';
}

/**
 * Handles an increment. Increment 0 of a payload (its opening) starts the block again, unless it only repeats the
 * increment 0 that we have. Any other increment belongs to the payload with the same block number and payload id.
 */
function onIncrement(tree: LiveBlockTree, reported: ReportedIncrement): TreeAction[] {
  if (tree.tip !== null && reported.block <= tree.tip.number) return [];
  const payload = payloadOf(tree, reported);
  if (reported.kind === 'append') return onFollower(tree, payload, reported);
  return payload !== undefined && isRepeated(payload, reported) ? [] : [...open(tree, reported), SERVE];
}

function onFollower(
  tree: LiveBlockTree,
  payload: AnnouncedPayload | undefined,
  reported: AppendedIncrement,
): TreeAction[] {
  const { block, attempt, increment } = reported;
  if (payload?.payloadId !== attempt) {
    const isNew = payload === undefined && tree.unopened !== block;
    return [...buffer(tree, orphansOf(tree, reported), increment), ...(isNew ? [gap(block)] : [])];
  }
  if (payload.continuity === 'rejected') return [];
  const known = payload.increments[increment.index];
  // The same increment has come with different contents, so the payload cannot be trusted.
  if (known !== undefined) return isSameIncrement(known, increment) ? [] : [mark(payload, 'rejected'), SERVE];
  if (increment.index === payload.increments.length) return extend(tree, payload, increment);
  const isNew = payload.continuity !== 'broken';
  return [...buffer(tree, payload, increment), ...(isNew ? [mark(payload, 'broken'), gap()] : [])];
}

function open(tree: LiveBlockTree, { block, attempt: payloadId, base, increment }: OpeningIncrement): TreeAction[] {
  const { orphans, unopened } = tree;
  const early = orphans?.block === block && orphans.payloadId === payloadId ? orphans : null;
  const buffered = new Map(early?.buffered);
  const increments = withFollowers(increment, buffered);
  for (const { index } of increments) buffered.delete(index);
  const continuity = buffered.size === 0 ? 'open' : 'broken';
  const bytes = (early?.bytes ?? 0) + incrementBytes(increment);
  const announced = { block, payloadId, base, increments, buffered, bytes, continuity } as const;
  const payload: AnnouncedPayload = { ...announced, state: 'announced', execution: null };
  const counted: TreeAction[] = unopened === block ? [{ kind: 'filled' }] : [];
  return [{ kind: 'announce', payload }, ...counted, ...(continuity === 'broken' ? [gap()] : [])];
}

function extend({ bounds }: LiveBlockTree, payload: AnnouncedPayload, increment: Increment): TreeAction[] {
  const wasBroken = payload.continuity === 'broken';
  const bytes = payload.bytes + incrementBytes(increment);
  if (bytes > bounds.bytes) {
    const none = { kind: 'extend', payload, increments: [], bytes, continuity: 'broken' } as const;
    return wasBroken ? [none] : [none, gap()];
  }
  const increments = withFollowers(increment, payload.buffered);
  const continuity = increments.length > payload.buffered.size ? 'open' : 'broken';
  const isFilled = wasBroken && continuity === 'open';
  return [
    { kind: 'extend', payload, increments, bytes, continuity },
    ...(isFilled ? [{ kind: 'filled' } as const] : []),
    SERVE,
  ];
}

/**
 * Puts an increment into a buffer. Drops it if the buffer would exceed its bounds; the payload then keeps a gap at this
 * increment.
 */
function buffer({ orphans, bounds }: LiveBlockTree, to: IncrementBuffer, increment: Increment): TreeAction[] {
  const isOrphan = !('base' in to) && to !== orphans;
  const actions: TreeAction[] = isOrphan ? [{ kind: 'orphans', buffer: to }] : [];
  const bytes = to.bytes + incrementBytes(increment);
  if (to.buffered.has(increment.index) || bytes > bounds.bytes) return actions;
  return [...actions, { kind: 'buffer', buffer: to, increment, bytes }];
}

/** Returns the buffer for increments of the newest payload, whose opening (first increment) is missing. */
function orphansOf({ orphans }: LiveBlockTree, { block, attempt: payloadId }: AppendedIncrement): IncrementBuffer {
  if (orphans?.block === block && orphans.payloadId === payloadId) return orphans;
  return { block, payloadId, buffered: new Map(), bytes: 0 };
}

function onHead(tree: LiveBlockTree, head: CanonicalHead): TreeAction[] {
  const found = compareCanonicalWithPayload(tree.executed[0], head);
  const isOther = found === 'other' || (tree.tip !== null && head.number <= tree.tip.number);
  const kind = found === 'same' && head.mode.by === 'execution' ? 'promote' : 'replace';
  return [{ kind, head }, { kind: 'leave', upTo: head.number, isOther }, SERVE];
}

/** Returns the parts of a block that are compared with a pre-confirmed block. */
export function canonicalBlockFromUpstream({ number, hash, header, transactions }: UpstreamBlock): CanonicalBlock {
  const { parentHash } = decodeHeader(header);
  return { number, hash, parentHash, transactionHashes: transactions.map((transaction) => transaction.hash) };
}

/**
 * Compares a canonical block with the first pre-confirmed block. `same`: they are the same. `incomplete`: the canonical
 * block has further transactions after the same ones. `other`: they differ, or the pre-confirmed block has another
 * parent. `unrelated`: anything else.
 */
export function compareCanonicalWithPayload(
  first: AnnouncedPayload | undefined,
  block: CanonicalBlock,
): 'same' | 'incomplete' | 'other' | 'unrelated' {
  if (block.number === (first?.block ?? 0) - 1) return isParent(first!, block.hash) ? 'unrelated' : 'other';
  if (block.number !== first?.block) return 'unrelated';
  if (!isParent(first, block.parentHash)) return 'other';
  const ours = first.increments.flatMap(({ transactions }) => transactions.map((raw) => keccak256(raw)));
  const theirs = block.transactionHashes;
  if (!ours.every((hash, index) => index < theirs.length && sameBytes(hash, theirs[index]!))) return 'other';
  const rest = theirs.slice(ours.length);
  return rest.length === 0 || (rest.length === 1 && isEnding(first, rest[0]!)) ? 'same' : 'incomplete';
}

/** Returns true for the transaction of type 0x7D that the feed has announced. It ends the block and is not executed. */
function isEnding({ increments }: AnnouncedPayload, hash: Uint8Array): boolean {
  const { ending } = increments.at(-1)!;
  return ending !== null && sameBytes(keccak256(ending), hash);
}

/**
 * Returns true if the block with this hash is the payload's parent. Always true if the feed sends no parent hash: the
 * caller passes the block before the payload.
 */
function isParent({ base: { parentHash } }: AnnouncedPayload, hash: Uint8Array): boolean {
  return parentHash === null || sameBytes(parentHash, hash);
}

function isNewTags({ tip, tags: before }: LiveBlockTree, tags: Omit<BlockTags, 'latest'>): boolean {
  if (tip === null) return false;
  return !isDeepStrictEqual(blockTagsFor(before, tip.number), blockTagsFor(tags, tip.number));
}

function isWholeExecuted({ execution, increments }: AnnouncedPayload): boolean {
  return execution !== null && execution.index + 1 >= increments.length;
}

function payloadOf({ announced }: LiveBlockTree, { block: number }: ReportedIncrement): AnnouncedPayload | undefined {
  return announced.find(({ block }) => block === number);
}

/** Returns an increment and the buffered increments that directly follow it. */
function withFollowers(first: Increment, buffered: ReadonlyMap<number, Increment>): Increment[] {
  const increments = [first];
  for (let next = buffered.get(first.index + 1); next !== undefined; next = buffered.get(next.index + 1))
    increments.push(next);
  return increments;
}

/**
 * Returns true if `reported` only repeats the increment 0 of this payload. If the payload was rejected, returns false,
 * so that the block is executed again.
 */
function isRepeated(
  { block, payloadId: attempt, base, increments, continuity }: AnnouncedPayload,
  reported: OpeningIncrement,
): boolean {
  return (
    continuity !== 'rejected' && isSamePayloadOpening({ block, attempt, base, increment: increments[0]! }, reported)
  );
}

/** Returns true if two openings belong to the same payload and have the same contents. */
export function isSamePayloadOpening(a: OpeningIncrement, b: OpeningIncrement): boolean {
  return a.attempt === b.attempt && isDeepStrictEqual(a.base, b.base) && isSameIncrement(a.increment, b.increment);
}

/** Returns true if two increments at the same position have the same contents, as far as they affect the execution. */
function isSameIncrement(a: Increment, b: Increment): boolean {
  if (a.gasUsed !== b.gasUsed || a.transactions.length !== b.transactions.length) return false;
  const isSame = a.transactions.every((raw, index) => sameBytes(raw, b.transactions[index]!));
  return isSame && isDeepStrictEqual(a.outcome, b.outcome);
}

function mark(payload: AnnouncedPayload, continuity: PayloadContinuity): TreeAction {
  return { kind: 'mark', payload, continuity };
}

function gap(unopened: number | null = null): TreeAction {
  return { kind: 'gap', unopened };
}

function incrementBytes({ transactions, outcome }: Increment): number {
  return transactions.reduce((total, raw) => total + raw.length, outcome === null ? 0 : outcomeBytes(outcome));
}

/** Returns an estimate of the memory, in bytes, that a reported outcome takes. */
function outcomeBytes({ receipts, accounts }: ExecutionOutcome): number {
  const logs = receipts.flatMap((receipt) => receipt.logs);
  const logBytes = logs.reduce((total, { topics, data }) => total + OBJECT_BYTES + 32 * topics.length + data.length, 0);
  return accounts.reduce(
    (total, { slots, code }) => total + OBJECT_BYTES * (1 + slots.length) + (code?.length ?? 0),
    logBytes,
  );
}
