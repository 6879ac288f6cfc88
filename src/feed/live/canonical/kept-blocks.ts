// The confirmed blocks whose state the table keeps, and what each version has changed: how to get back to an earlier one.
// Runs on the publisher.
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { LIMITS } from '../../../limits/index.js';
import type { StateChanges } from '../../../state/diff.js';
import type { StateView } from '../../../state/views/view.js';
import { latin1 } from '../../../lib/bytes/latin1.js';
import type { ConfirmedPlace } from '../../feed.js';
import { ChangedKeys, type ChangedSlot } from './changed-keys.js';

/** A confirmed block as it is kept. */
export interface KeptBlock extends ConfirmedPlace {
  /** RLP, which the block after it is checked against; `null` where the block was taken over without it. */
  readonly header: Uint8Array | null;
}

interface Step {
  readonly version: number;
  readonly keys: ChangedKeys;
}

/**
 * Blocks in a row, the newest last, and the steps since the oldest one: the last LIMITS.blocksKeptMax, and those within
 * LIMITS.keptWindowMs, as far as LIMITS.blocksInWindowMax and LIMITS.windowKeysBytesMax go.
 */
export class KeptBlocks {
  #blocks: KeptBlock[];
  #steps: Step[] = [];
  /** Bytes of all steps. */
  #bytes = 0;

  constructor(first: KeptBlock) {
    this.#blocks = [first];
  }

  /** The newest one. */
  get tip(): KeptBlock {
    return this.#blocks.at(-1)!;
  }

  /** The oldest one. */
  get first(): KeptBlock {
    return this.#blocks[0]!;
  }

  /** The block with this hash (32 bytes); `null`: it is not kept. */
  find(hash: Uint8Array): KeptBlock | null {
    return this.#blocks.findLast((block) => sameBytes(block.hash, hash)) ?? null;
  }

  /** The block takes the place of those from its number on. Its parent is kept. */
  add(block: KeptBlock): void {
    this.#blocks = this.#blocks.slice(0, block.number - this.first.number);
    this.#blocks.push(block);
    while (this.#blocks.length > LIMITS.blocksKeptMax && this.#isOver()) this.#forgetFirst();
  }

  /** Changes were published as a version. */
  record(version: number, changes: StateChanges): void {
    const keys = new ChangedKeys(changes);
    this.#steps.push({ version, keys });
    this.#bytes += keys.byteLength;
  }

  /** Mean time between the blocks, ms, by the chain's own clock; `null`: there are too few, or it stands still. */
  get blockMs(): number | null {
    const { tip, first } = this;
    const ms = Number(tip.env.timestamp - first.env.timestamp) * 1000;
    return ms <= 0 ? null : ms / (tip.number - first.number);
  }

  /** The oldest block is kept for its time no more. */
  #isOver(): boolean {
    const ageMs = Number(this.tip.env.timestamp - this.first.env.timestamp) * 1000;
    const isFull = this.#blocks.length > LIMITS.blocksInWindowMax || this.#bytes > LIMITS.windowKeysBytesMax;
    return isFull || ageMs > LIMITS.keptWindowMs;
  }

  #forgetFirst(): void {
    this.#blocks.shift();
    const oldest = this.first.version;
    while (this.#steps.length > 0 && this.#steps[0]!.version <= oldest)
      this.#bytes -= this.#steps.shift()!.keys.byteLength;
  }

  /** Changes that take the newest state back to the one at `version`, which `view` reads. */
  undo(version: number, view: StateView): StateChanges {
    const accounts = new Map<string, Uint8Array>();
    const slots = new Map<string, ChangedSlot>();
    for (const { version: changedAt, keys } of this.#steps) {
      if (changedAt <= version) continue;
      for (const address of keys.addresses()) accounts.set(latin1(address), address);
      for (const place of keys.slots()) slots.set(latin1(place.address) + latin1(place.slot), place);
    }
    return {
      accounts: [...accounts.values()].map((address) => ({ address, account: view.account(address) })),
      slots: [...slots.values()].map(({ address, slot }) => ({ address, slot, value: view.storage(address, slot) })),
      codes: [],
    };
  }
}
