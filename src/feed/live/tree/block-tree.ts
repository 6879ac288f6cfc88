// The blocks of a live chain: canonical ones whose state is in the table, and the pre-confirmed ones on top of them.
// README.md shows the states and their transitions.
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { latin1Key } from '../../../lib/bytes/latin1-key.js';
import { LIMITS } from '../../../limits/index.js';
import type { BlockTags, StateChanges } from '../../../state/state-diff.js';
import type { ExecutedTransaction } from '../../../state/complete-block.js';
import type { StateView } from '../../../state/views/state-view.js';
import type { ConfirmedBlockVersion } from '../../feed.js';
import type { PayloadBase, Increment } from '../../stream-events.js';
import type { SealedBlock } from '../../../execution/block/block-executor.js';
import type { BlockAttributes } from '../executing/block-attributes.js';
import type { BlockInProgress } from '../executing/live-executor.js';
import type { PrebuiltBlock } from '../executing/prebuilt-block.js';
import { ChangedKeys, type ChangedSlotKey } from './changed-keys.js';

/** A canonical block whose state is retained. */
export interface RetainedBlock extends ConfirmedBlockVersion {
  /** The RLP header, against which the child is checked; `null` if the block was adopted without it. */
  readonly header: Uint8Array | null;
}

/**
 * Whether a payload has all increments. `open`: none is missing. `interrupted`: the connection was lost after the last
 * one, so that more may have been sent. `broken`: the next ones are missing and may still come; those that are here are
 * right. `rejected`: the payload must not be used.
 */
export type PayloadContinuity = 'open' | 'interrupted' | 'broken' | 'rejected';

/** How much of a payload readers can see. */
export interface PayloadProgress {
  readonly attributes: BlockAttributes;
  /** The version of the state on which the block was opened, and the newest version of the block itself. */
  readonly parentVersion: number;
  version: number;
  /** Index of the last visible increment. */
  index: number;
  /** The increments' execution, or, if the feed reports their outcome, what was applied. */
  readonly work: BlockInProgress | PrebuiltBlock;
  /** The transactions of all increments so far. */
  readonly transactions: ExecutedTransaction[];
  gasUsed: bigint;
  blobGasUsed: bigint;
  /** The result of sealing it; set once a block has been opened on top of it. */
  sealed: SealedBlock | null;
}

/** Increments that arrived before those that they follow, by index. */
export interface IncrementBuffer {
  readonly block: number;
  readonly payloadId: string;
  readonly buffered: Map<number, Increment>;
  /** Bytes of these increments and of those that they wait for. */
  bytes: number;
}

/** A block as the feed announces it until it is canonical: one payload of its builder. */
export interface AnnouncedPayload extends IncrementBuffer {
  readonly base: PayloadBase;
  /** The increments, at their indices, from 0 on without a gap. */
  readonly increments: Increment[];
  continuity: PayloadContinuity;
  /** Whether readers see it. `gone`: until the payload that replaces it is executed, or its parent is shown. */
  state: 'announced' | 'executed' | 'gone';
  /** How much of it readers can see; `null` if nothing. */
  execution: PayloadProgress | null;
}

/** A payload that readers can see. */
export interface ExecutedPayload extends AnnouncedPayload {
  execution: PayloadProgress;
}

export interface PayloadBounds {
  /** Most blocks by which served payloads may be ahead of the canonical blocks. */
  readonly depth: number;
  /** Most payloads that are served or wait for their parent. */
  readonly payloads: number;
  /** Most bytes of a payload's transactions. */
  readonly bytes: number;
}

const BOUNDS: PayloadBounds = {
  depth: LIMITS.feedDepthBlocksMax,
  payloads: LIMITS.feedAheadBlocksMax,
  bytes: LIMITS.feedBlockBytesMax,
};

/** What one version has changed. */
interface Step {
  readonly version: number;
  readonly keys: ChangedKeys;
}

/**
 * Consecutive canonical blocks, and the keys that each version since the oldest of them has changed. The last
 * LIMITS.blocksKeptMax blocks are retained. So are the blocks of the last LIMITS.keptWindowMs, as far as
 * LIMITS.blocksInWindowMax and LIMITS.windowKeysBytesMax allow. On top of the newest block are payloads, in ascending
 * order of their blocks.
 */
export class LiveBlockTree {
  readonly bounds: PayloadBounds;
  #canonical: RetainedBlock[] = [];
  #steps: Step[] = [];
  /** Bytes of the changes of all versions. */
  #bytes = 0;
  #payloads: readonly AnnouncedPayload[] = [];
  /** Increments of the newest payload whose opening is missing; another source may still send it. */
  orphans: IncrementBuffer | null = null;
  /** The block whose missing opening was counted as a gap, so that it is not counted again. */
  unopened = -1;
  /** The blocks that the node calls safe and finalized. */
  tags: Omit<BlockTags, 'latest'> = { safe: null, finalized: null };

  constructor(bounds: Partial<PayloadBounds> = {}) {
    this.bounds = { ...BOUNDS, ...bounds };
  }

  /** The newest canonical block; `null` before the first one. */
  get tip(): RetainedBlock | null {
    return this.#canonical.at(-1) ?? null;
  }

  /** Number of the oldest retained canonical block; `Infinity` before the first one. */
  get firstNumber(): number {
    return this.#canonical[0]?.number ?? Infinity;
  }

  /** Mean milliseconds between retained blocks by the chain's timestamps; `null` if too few, or all equal. */
  get blockMs(): number | null {
    const { tip } = this;
    const ms = this.#retainedMs;
    return tip === null || ms <= 0 ? null : ms / (tip.number - this.firstNumber);
  }

  /** The canonical block with this hash (32 bytes); `null` if it is not retained. */
  find(hash: Uint8Array): RetainedBlock | null {
    return this.#canonical.findLast((block) => sameBytes(block.hash, hash)) ?? null;
  }

  /** Starts a new state with its first block. Everything that was announced before is dropped. */
  begin(block: RetainedBlock): void {
    this.forget();
    this.#canonical = [block];
    this.#steps = [];
    this.#bytes = 0;
  }

  /** Adds a block, whose parent is retained. It replaces the blocks from its number on. */
  add(block: RetainedBlock): void {
    this.#canonical = this.#canonical.slice(0, block.number - this.firstNumber);
    this.#canonical.push(block);
    while (this.#canonical.length > LIMITS.blocksKeptMax && this.#isOver()) this.#forgetFirst();
  }

  /** Records changes that were published as a version. */
  record(version: number, changes: StateChanges): void {
    const keys = new ChangedKeys(changes);
    this.#steps.push({ version, keys });
    this.#bytes += keys.byteLength;
  }

  /** The changes that turn the newest state into the one at `version`, which `view` reads. */
  undo(version: number, view: StateView): StateChanges {
    const accounts = new Map<string, Uint8Array>();
    const slots = new Map<string, ChangedSlotKey>();
    for (const { version: changedAt, keys } of this.#steps) {
      if (changedAt <= version) continue;
      for (const address of keys.addresses()) accounts.set(latin1Key(address), address);
      for (const key of keys.slots()) slots.set(latin1Key(key.address) + latin1Key(key.slot), key);
    }
    return {
      accounts: [...accounts.values()].map((address) => ({ address, account: view.account(address) })),
      slots: [...slots.values()].map(({ address, slot }) => ({ address, slot, value: view.storage(address, slot) })),
      codes: [],
    };
  }

  /** The payloads that are still valid, one for each block, in ascending order. */
  get announced(): readonly AnnouncedPayload[] {
    return this.#payloads.filter(({ state }) => state !== 'gone');
  }

  /** The payloads that readers can see, from the block after the tip on, without a gap. */
  get executed(): readonly ExecutedPayload[] {
    return this.#payloads.filter((payload): payload is ExecutedPayload => payload.execution !== null);
  }

  /** Adds an announced payload. It replaces the payloads of its block and above; the limits may drop some below. */
  announce(payload: AnnouncedPayload): void {
    const below = this.announced.filter(({ block }) => block < payload.block);
    const kept = new Set(below.slice(1 - this.bounds.payloads));
    this.leave((each) => !kept.has(each));
    this.#payloads = [...this.#payloads, payload];
    this.orphans = null;
    this.unopened = -1;
  }

  /** Records that readers can see one more increment of a payload, or its first one. */
  execute(payload: AnnouncedPayload, execution: PayloadProgress): void {
    payload.execution = execution;
    payload.state = 'executed';
  }

  /** Records that a payload has become canonical, unchanged. */
  promote(payload: AnnouncedPayload): void {
    payload.execution = null;
    this.leave((each) => each === payload);
  }

  /** Called before readers see something else in place of the blocks from this number on. */
  revert(from: number): void {
    for (const payload of this.#payloads) {
      if (payload.block < from || payload.execution === null) continue;
      payload.execution = null;
      if (payload.state === 'executed') payload.state = 'announced';
    }
    this.#sweep();
  }

  /** Drops payloads that are no longer served. */
  leave(isLeft: (payload: AnnouncedPayload) => boolean): void {
    for (const payload of this.#payloads) if (isLeft(payload)) payload.state = 'gone';
    this.#sweep();
  }

  /** Drops all payloads: nothing is pre-confirmed, and everything that the feed has announced is forgotten. */
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

  /** True if the oldest block need not be retained any longer for its age. */
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

/** The blocks that tags refer to if this block is the latest one. A node may name a safe block that is above ours. */
export function blockTagsFor({ safe, finalized }: LiveBlockTree['tags'], latest: number): BlockTags {
  const known = (tag: number | null): number | null => (tag === null ? null : Math.min(tag, latest));
  return { latest, safe: known(safe), finalized: known(finalized) };
}
