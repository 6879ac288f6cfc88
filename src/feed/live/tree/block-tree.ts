// The tree of a live chain's blocks: canonical blocks whose state is in the table, and pre-confirmed blocks on top of
// them. The README.md of `live` shows their states and transitions.
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { latin1Key, latin1SlotKey } from '../../../lib/bytes/latin1-key.js';
import { LIMITS } from '../../../limits/index.js';
import type { BlockTags, StateChanges } from '../../../state/state-diff.js';
import type { ExecutedTransaction } from '../../../state/complete-block.js';
import { type AccountAndSlotKeys, type StateView, readKeyValues } from '../../../state/views/state-view.js';
import type { ConfirmedBlockVersion } from '../../feed.js';
import type { PayloadBase, Increment } from '../../pre-confirmation-stream-events.js';
import type { SealedBlock } from '../../../execution/block/block-executor.js';
import type { BlockAttributes } from '../executing/block-attributes.js';
import type { BlockInProgress } from '../executing/state-fetching-executor.js';
import type { BlockFromReportedChanges } from '../executing/block-from-reported-changes.js';
import { ChangedKeys } from './changed-keys.js';

/** A canonical block whose state can still be read in the table. */
export interface RetainedCanonicalBlock extends ConfirmedBlockVersion {
  /** The block's RLP header, against which a child is checked; `null` if the block was taken over without it. */
  readonly header: Uint8Array | null;
}

/**
 * Whether a payload has all its increments. `open`: none is missing so far. `interrupted`: the connection was lost
 * after the last one, so later increments may be missing. `broken`: increments in the middle are missing and may still
 * arrive; those before the gap are right. `rejected`: the payload must not be used.
 */
export type PayloadContinuity = 'open' | 'interrupted' | 'broken' | 'rejected';

/** How much of a payload readers can see, and the execution in progress. */
export interface PayloadProgress {
  readonly attributes: BlockAttributes;
  /** `parentVersion`: the state version on which the block was opened. `version`: the newest version of the block. */
  readonly parentVersion: number;
  version: number;
  /** Index of the last increment that readers can see. */
  index: number;
  /**
   * The block that is being executed; if the feed reports the changes of each increment, the block to which they are
   * applied.
   */
  readonly work: BlockInProgress | BlockFromReportedChanges;
  /** The transactions of all increments applied so far. */
  readonly transactions: ExecutedTransaction[];
  gasUsed: bigint;
  blobGasUsed: bigint;
  /** The sealed block; set once another block was opened on top of it. */
  sealed: SealedBlock | null;
}

/** Increments that arrived before earlier increments of the same payload, by index. */
export interface IncrementBuffer {
  readonly block: number;
  readonly payloadId: string;
  readonly buffered: Map<number, Increment>;
  /** Bytes of the increments in `buffered`, and of those that precede the first missing increment. */
  bytes: number;
}

/** A block as the feed announces it, before it is canonical: one payload that the block builder has made. */
export interface AnnouncedPayload extends IncrementBuffer {
  readonly base: PayloadBase;
  /** The increments in order, from index 0 on without a gap. */
  readonly increments: Increment[];
  continuity: PayloadContinuity;
  /**
   * Whether readers can see the payload. `gone`: it is no longer valid, but readers still see it until its replacement
   * is published.
   */
  state: 'announced' | 'executed' | 'gone';
  /** How much of the payload readers can see; `null` if nothing. */
  execution: PayloadProgress | null;
}

/** A payload of which readers can see at least the first increment. */
export interface ReadablePayload extends AnnouncedPayload {
  execution: PayloadProgress;
}

export interface PayloadLimits {
  /** Largest number of blocks by which visible payloads may be ahead of the canonical blocks. */
  readonly depth: number;
  /** Largest number of payloads: those that readers can see, and those that wait for their parent block. */
  readonly payloads: number;
  /** Largest size of the transactions in a payload. */
  readonly bytes: number;
}

const BOUNDS: PayloadLimits = {
  depth: LIMITS.feedDepthBlocksMax,
  payloads: LIMITS.feedAheadBlocksMax,
  bytes: LIMITS.feedBlockBytesMax,
};

/** The keys that one state version has changed. */
interface Step {
  readonly version: number;
  readonly keys: ChangedKeys;
}

/**
 * Consecutive canonical blocks, and on top of the newest one the announced payloads, in ascending order of their
 * numbers. The last LIMITS.blocksKeptMax canonical blocks are retained. The blocks of the last LIMITS.keptWindowMs are
 * also retained, within LIMITS.blocksInWindowMax and LIMITS.windowKeysBytesMax. For all state versions since the oldest
 * retained block, the tree has the keys that each version has changed.
 */
export class LiveBlockTree {
  readonly bounds: PayloadLimits;
  #canonical: RetainedCanonicalBlock[] = [];
  #steps: Step[] = [];
  /** Bytes of the changed keys of all state versions. */
  #bytes = 0;
  #payloads: readonly AnnouncedPayload[] = [];
  /**
   * Increments of the newest payload while its first increment is missing, which another source of the feed may still
   * send. `null` if that is not the case.
   */
  orphans: IncrementBuffer | null = null;
  /**
   * Number of the block whose missing increment 0 was counted as a gap, so that it is not counted again; -1 for none.
   */
  unopened = -1;
  /** Numbers of the node's safe and finalized blocks. */
  tags: Omit<BlockTags, 'latest'> = { safe: null, finalized: null };

  constructor(bounds: Partial<PayloadLimits> = {}) {
    this.bounds = { ...BOUNDS, ...bounds };
  }

  /** The newest canonical block; `null` before the first one. */
  get tip(): RetainedCanonicalBlock | null {
    return this.#canonical.at(-1) ?? null;
  }

  /** Number of the oldest retained canonical block; `Infinity` before the first one. */
  get firstNumber(): number {
    return this.#canonical[0]?.number ?? Infinity;
  }

  /**
   * Mean milliseconds between retained blocks by their timestamps; `null` if there are too few, or all timestamps are
   * equal.
   */
  get blockMs(): number | null {
    const { tip } = this;
    const ms = this.#retainedMs;
    return tip === null || ms <= 0 ? null : ms / (tip.number - this.firstNumber);
  }

  /** Returns the canonical block with this hash (32 bytes); `null` if it is not retained. */
  find(hash: Uint8Array): RetainedCanonicalBlock | null {
    return this.#canonical.findLast((block) => sameBytes(block.hash, hash)) ?? null;
  }

  /** Starts a new state at its first block. Everything that was announced before is dropped. */
  begin(block: RetainedCanonicalBlock): void {
    this.forget();
    this.#canonical = [block];
    this.#steps = [];
    this.#bytes = 0;
  }

  /** Adds a canonical block whose parent is retained. It replaces the canonical blocks from its number on. */
  add(block: RetainedCanonicalBlock): void {
    this.#canonical = this.#canonical.slice(0, block.number - this.firstNumber);
    this.#canonical.push(block);
    while (this.#canonical.length > LIMITS.blocksKeptMax && this.#isOver()) this.#forgetFirst();
  }

  /** Records the keys that a published state version has changed. */
  record(version: number, changes: StateChanges): void {
    const keys = new ChangedKeys(changes);
    this.#steps.push({ version, keys });
    this.#bytes += keys.byteLength;
  }

  /** Returns the changes that turn the newest state into the state at `version`, which `view` reads. */
  undo(version: number, view: StateView): StateChanges {
    const accounts = new Map<string, AccountAndSlotKeys['accounts'][number]>();
    const slots = new Map<string, AccountAndSlotKeys['slots'][number]>();
    for (const { version: changedAt, keys } of this.#steps) {
      if (changedAt <= version) continue;
      for (const key of keys.accounts()) accounts.set(latin1Key(key.address), key);
      for (const key of keys.slots()) slots.set(latin1SlotKey(key), key);
    }
    return readKeyValues(view, { accounts: [...accounts.values()], slots: [...slots.values()] });
  }

  /** The valid payloads (not `gone`), one for each block number, in ascending order. */
  get announced(): readonly AnnouncedPayload[] {
    return this.#payloads.filter(({ state }) => state !== 'gone');
  }

  /**
   * The payloads of which readers can see at least the first increment. They are consecutive blocks, starting right
   * after the newest canonical block.
   */
  get executed(): readonly ReadablePayload[] {
    return this.#payloads.filter((payload): payload is ReadablePayload => payload.execution !== null);
  }

  /**
   * Adds an announced payload. It replaces payloads with the same or a higher block number. If there are more payloads
   * than `bounds` allow, those with the lowest block numbers are dropped.
   */
  announce(payload: AnnouncedPayload): void {
    const below = this.announced.filter(({ block }) => block < payload.block);
    const kept = new Set(below.slice(1 - this.bounds.payloads));
    this.leave((each) => !kept.has(each));
    this.#payloads = [...this.#payloads, payload];
    this.orphans = null;
    this.unopened = -1;
  }

  /** Records that readers can see the first increment of a payload. */
  execute(payload: AnnouncedPayload, execution: PayloadProgress): void {
    payload.execution = execution;
    payload.state = 'executed';
  }

  /** Called when a payload has become a canonical block unchanged. Removes the payload. */
  promote(payload: AnnouncedPayload): void {
    payload.execution = null;
    this.leave((each) => each === payload);
  }

  /**
   * Called before a state version is published in which readers no longer see the payloads from block number `from` on.
   */
  revert(from: number): void {
    for (const payload of this.#payloads) {
      if (payload.block < from || payload.execution === null) continue;
      payload.execution = null;
      if (payload.state === 'executed') payload.state = 'announced';
    }
    this.#sweep();
  }

  /** Marks payloads as no longer valid. Those that readers can see stay in the tree until they are replaced. */
  leave(isLeft: (payload: AnnouncedPayload) => boolean): void {
    for (const payload of this.#payloads) if (isLeft(payload)) payload.state = 'gone';
    this.#sweep();
  }

  /** Drops all payloads: nothing is pre-confirmed any more, and everything that the feed has announced is forgotten. */
  forget(): void {
    this.#payloads = [];
    this.orphans = null;
    this.unopened = -1;
  }

  #sweep(): void {
    this.#payloads = this.#payloads.filter(({ state, execution }) => state !== 'gone' || execution !== null);
  }

  get #retainedMs(): number {
    const [first] = this.#canonical;
    return first === undefined ? 0 : Number(this.tip!.env.timestamp - first.env.timestamp) * 1000;
  }

  /** Returns true if the oldest block is too old to be retained, or the bounds are exceeded. */
  #isOver(): boolean {
    const isFull = this.#canonical.length > LIMITS.blocksInWindowMax || this.#bytes > LIMITS.windowKeysBytesMax;
    return isFull || this.#retainedMs > LIMITS.keptWindowMs;
  }

  #forgetFirst(): void {
    this.#canonical.shift();
    const oldest = this.#canonical[0]!.version;
    while (this.#steps.length > 0 && this.#steps[0]!.version <= oldest)
      this.#bytes -= this.#steps.shift()!.keys.byteLength;
  }
}

/**
 * Returns the block numbers of the tags if block `latest` is our newest block. A safe or finalized block of the node
 * that is above `latest` is lowered to `latest`.
 */
export function blockTagsFor({ safe, finalized }: LiveBlockTree['tags'], latest: number): BlockTags {
  const known = (tag: number | null): number | null => (tag === null ? null : Math.min(tag, latest));
  return { latest, safe: known(safe), finalized: known(finalized) };
}
