// The blocks of a live chain: canonical ones whose state the table retains, and the pre-confirmed ones on top of them.
// README.md draws the states and their transitions.
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { latin1 } from '../../../lib/bytes/latin1.js';
import { LIMITS } from '../../../limits/index.js';
import type { BlockTags, StateChanges } from '../../../state/diff.js';
import type { ConfirmedTransaction } from '../../../state/block.js';
import type { StateView } from '../../../state/views/view.js';
import type { ConfirmedPosition } from '../../feed.js';
import type { BlockBase, Increment } from '../../stream.js';
import type { SealedBlock } from '../../../execution/block/executor.js';
import type { BlockAttributes } from '../executing/block-attributes.js';
import type { Work } from '../executing/live-executor.js';
import type { PrebuiltBlock } from '../executing/prebuilt-block.js';
import { ChangedKeys, type ChangedSlotKey } from './changed-keys.js';

/** A canonical block whose state is retained. */
export interface RetainedBlock extends ConfirmedPosition {
  /** RLP, which its child is checked against; `null` if the block was adopted without it. */
  readonly header: Uint8Array | null;
}

/**
 * `open`: nothing is missing. `interrupted`: the connection was lost after the last increment, more of them may have
 * been sent. `broken`: the next increments are missing, and may still come; those here are right. `rejected`: not to be
 * used.
 */
export type Continuity = 'open' | 'interrupted' | 'broken' | 'rejected';

/** What readers see of a payload. */
export interface PayloadProgress {
  readonly attributes: BlockAttributes;
  /** Version of the state that the block was opened on, and its own newest one. */
  readonly parentVersion: number;
  version: number;
  /** Of the last increment. */
  index: number;
  /** Its increments are executed, or applied as the feed reports their outcome. */
  readonly work: Work | PrebuiltBlock;
  /** Of all increments so far. */
  readonly transactions: ConfirmedTransaction[];
  gasUsed: bigint;
  blobGasUsed: bigint;
  /** The result of sealing it, once a block has been opened on it. */
  sealed: SealedBlock | null;
}

/** Increments that came before those they follow, by their index. */
export interface Buffer {
  readonly block: number;
  readonly payloadId: string;
  readonly buffered: Map<number, Increment>;
  /** Of these, and of those they wait for. */
  bytes: number;
}

/** A block as the feed announces it, until it is canonical: one payload of its builder. */
export interface Payload extends Buffer {
  readonly base: BlockBase;
  /** Increment i at index i, from 0 on without a gap. */
  readonly increments: Increment[];
  continuity: Continuity;
  /** `gone`: another payload replaces it; readers see it until that is executed, or the parent is shown. */
  state: 'announced' | 'executed' | 'gone';
  /** What readers see of it; `null`: nothing. */
  execution: PayloadProgress | null;
}

/** A payload that readers see. */
export interface ExecutedPayload extends Payload {
  execution: PayloadProgress;
}

/** Bounds of what is announced and served. */
export interface PayloadBounds {
  /** How many blocks the served ones may be ahead of the canonical ones. */
  readonly depth: number;
  /** Payloads, served or waiting for their parent. */
  readonly payloads: number;
  /** Bytes of transactions of one payload. */
  readonly bytes: number;
}

const BOUNDS: PayloadBounds = {
  depth: LIMITS.feedDepthBlocksMax,
  payloads: LIMITS.feedAheadBlocksMax,
  bytes: LIMITS.feedBlockBytesMax,
};

/** The changes of one version. */
interface Step {
  readonly version: number;
  readonly keys: ChangedKeys;
}

/**
 * Consecutive canonical blocks, and what every version since the oldest has changed: the last LIMITS.blocksKeptMax, and
 * those within LIMITS.keptWindowMs, as far as LIMITS.blocksInWindowMax and LIMITS.windowKeysBytesMax allow. On top of
 * the newest of them payloads, ascending by their block.
 */
export class BlockTree {
  readonly bounds: PayloadBounds;
  #canonical: RetainedBlock[] = [];
  #steps: Step[] = [];
  /** Bytes of all steps. */
  #bytes = 0;
  #payloads: readonly Payload[] = [];
  /** Increments of the newest payload whose opening is missing: another source may still send it. */
  orphans: Buffer | null = null;
  /** Block whose missing opening was counted as a gap, so that it is counted once. */
  unopened = -1;
  /** Blocks that the node calls safe and finalized. */
  tags: Omit<BlockTags, 'latest'> = { safe: null, finalized: null };

  constructor(bounds: Partial<PayloadBounds> = {}) {
    this.bounds = { ...BOUNDS, ...bounds };
  }

  /** The newest canonical block; `null` before the first one. */
  get tip(): RetainedBlock | null {
    return this.#canonical.at(-1) ?? null;
  }

  /** Number of the oldest canonical block that is retained; `Infinity` before the first one. */
  get firstNumber(): number {
    return this.#canonical[0]?.number ?? Infinity;
  }

  /**
   * Mean time between retained blocks, ms, by the chain's timestamps; `null`: there are too few, or they do not
   * advance.
   */
  get blockMs(): number | null {
    const { tip } = this;
    const ms = this.#retainedMs;
    return tip === null || ms <= 0 ? null : ms / (tip.number - this.firstNumber);
  }

  /** The canonical block with this hash (32 bytes); `null`: it is not retained. */
  find(hash: Uint8Array): RetainedBlock | null {
    return this.#canonical.findLast((block) => sameBytes(block.hash, hash)) ?? null;
  }

  /** The first block of a new state. Nothing that was announced before counts. */
  begin(block: RetainedBlock): void {
    this.forget();
    this.#canonical = [block];
    this.#steps = [];
    this.#bytes = 0;
  }

  /** The block replaces those from its number on. Its parent is retained. */
  add(block: RetainedBlock): void {
    this.#canonical = this.#canonical.slice(0, block.number - this.firstNumber);
    this.#canonical.push(block);
    while (this.#canonical.length > LIMITS.blocksKeptMax && this.#isOver()) this.#forgetFirst();
  }

  /** Changes were published as a version. */
  record(version: number, changes: StateChanges): void {
    const keys = new ChangedKeys(changes);
    this.#steps.push({ version, keys });
    this.#bytes += keys.byteLength;
  }

  /** Changes that revert the newest state to the one at `version`, which `view` reads. */
  undo(version: number, view: StateView): StateChanges {
    const accounts = new Map<string, Uint8Array>();
    const slots = new Map<string, ChangedSlotKey>();
    for (const { version: changedAt, keys } of this.#steps) {
      if (changedAt <= version) continue;
      for (const address of keys.addresses()) accounts.set(latin1(address), address);
      for (const key of keys.slots()) slots.set(latin1(key.address) + latin1(key.slot), key);
    }
    return {
      accounts: [...accounts.values()].map((address) => ({ address, account: view.account(address) })),
      slots: [...slots.values()].map(({ address, slot }) => ({ address, slot, value: view.storage(address, slot) })),
      codes: [],
    };
  }

  /** Payloads that are still valid, one a block, ascending. */
  get announced(): readonly Payload[] {
    return this.#payloads.filter(({ state }) => state !== 'gone');
  }

  /** Payloads that readers see, from the block after the tip on, without a gap. */
  get executed(): readonly ExecutedPayload[] {
    return this.#payloads.filter((payload): payload is ExecutedPayload => payload.execution !== null);
  }

  /** A payload is announced: it replaces those of its block and above, and the bounds may drop some below. */
  announce(payload: Payload): void {
    const below = this.announced.filter(({ block }) => block < payload.block);
    const kept = new Set(below.slice(1 - this.bounds.payloads));
    this.leave((each) => !kept.has(each));
    this.#payloads = [...this.#payloads, payload];
    this.orphans = null;
    this.unopened = -1;
  }

  /** Readers see one more increment of a payload, or its first one. */
  execute(payload: Payload, execution: PayloadProgress): void {
    payload.execution = execution;
    payload.state = 'executed';
  }

  /** A payload has become canonical as it is. */
  promote(payload: Payload): void {
    payload.execution = null;
    this.leave((each) => each === payload);
  }

  /** Readers are about to see something else instead of the blocks from this number on. */
  revert(from: number): void {
    for (const payload of this.#payloads) {
      if (payload.block < from || payload.execution === null) continue;
      payload.execution = null;
      if (payload.state === 'executed') payload.state = 'announced';
    }
    this.#sweep();
  }

  /** Payloads that are not served any more. */
  leave(isLeft: (payload: Payload) => boolean): void {
    for (const payload of this.#payloads) if (isLeft(payload)) payload.state = 'gone';
    this.#sweep();
  }

  /** Drops all payloads: nothing is pre-confirmed, and nothing that the feed has announced counts. */
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

  /** The oldest block need not be retained for its time any more. */
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

/** What the tags name if this block is the latest one: a node may name a safe block that is above ours. */
export function tagsOf({ safe, finalized }: BlockTree['tags'], latest: number): BlockTags {
  const known = (tag: number | null): number | null => (tag === null ? null : Math.min(tag, latest));
  return { latest, safe: known(safe), finalized: known(finalized) };
}
