// Records what a response depends on: the accounts and slots that were read, and the block. They are encoded as bytes.
import { latin1Key, latin1SlotKey } from '../../lib/bytes/latin1-key.js';
import { LIMITS } from '../../limits/index.js';
import type { AccountState, StateView } from './state-view.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

/**
 * How a response depends on the block. `environment`: on its number, timestamp, fees and other values of its
 * environment. `anything`: also on hashes of earlier blocks, or the response has unknown dependencies.
 */
export type BlockDependency = 'none' | 'environment' | 'anything';

/** The recorded reads as bytes, so that only two arrays are passed between threads. */
export interface RecordedReadKeys {
  /** Addresses of the accounts that were read, 20 bytes each, in no particular order. */
  readonly accounts: Uint8Array;
  /** Keys of the slots that were read, 52 bytes each: address and slot. */
  readonly slots: Uint8Array;
  readonly block: BlockDependency;
}

/** Bytes of an account's key. A slot's key has 32 more. */
const ACCOUNT_BYTES = 20;
const SLOT_BYTES = 52;

/** The reads of a response that never changes. */
export const NOTHING_READ: RecordedReadKeys = { accounts: EMPTY_BYTES, slots: EMPTY_BYTES, block: 'none' };
/** The reads of a response with unknown dependencies, which every state version may change. */
export const ANYTHING_READ: RecordedReadKeys = { accounts: EMPTY_BYTES, slots: EMPTY_BYTES, block: 'anything' };

export function singleAccountRead(address: Uint8Array): RecordedReadKeys {
  return { ...NOTHING_READ, accounts: address };
}

export function singleSlotRead(address: Uint8Array, slot: Uint8Array): RecordedReadKeys {
  return { ...NOTHING_READ, slots: Uint8Array.from([...address, ...slot]) };
}

/** Returns the keys of the accounts and slots as strings, as `latin1Key` and `latin1SlotKey` return them. */
export function readKeysOf({ accounts, slots }: RecordedReadKeys): string[] {
  return [...chunks(accounts, ACCOUNT_BYTES), ...chunks(slots, SLOT_BYTES)];
}

/**
 * A view that records every key that is read, whether it exists or not. It stops recording after LIMITS.watchedReadsMax
 * keys.
 */
export class ReadRecordingView implements StateView {
  readonly #below: StateView;
  readonly #names = new Set<string>();
  #readsHashes = false;

  /**
   * This view has no `stamp`. With a stamp, an engine that has cached values of the same state would use these, and its
   * reads would not be recorded.
   */
  constructor(below: StateView) {
    this.#below = below;
  }

  account(address: Uint8Array): AccountState | null {
    this.#note(latin1Key(address));
    return this.#below.account(address);
  }

  /** Implements StateView. The read is not recorded, because the account that has this code is already recorded. */
  code(codeHash: Uint8Array): Uint8Array {
    return this.#below.code(codeHash);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    this.#note(latin1SlotKey({ address, slot }));
    return this.#below.storage(address, slot);
  }

  /** Implements StateView. Only the fact that a block hash was read is recorded. */
  blockHash(number: number): Uint8Array | null {
    this.#readsHashes = true;
    return this.#below.blockHash(number);
  }

  /** Returns true if the account was read. */
  has(address: Uint8Array): boolean {
    return this.#names.has(latin1Key(address));
  }

  /** Removes an account that was read but does not matter for the response. */
  forget(address: Uint8Array): void {
    this.#names.delete(latin1Key(address));
  }

  /** Returns the reads so far. `readsBlock` says whether the block's environment was read. */
  reads(readsBlock: boolean): RecordedReadKeys {
    if (this.#names.size > LIMITS.watchedReadsMax) return ANYTHING_READ;
    const names = [...this.#names];
    const ofLength = (length: number): Uint8Array =>
      Buffer.from(names.filter((name) => name.length === length).join(''), 'latin1');
    const block = this.#readsHashes ? 'anything' : readsBlock ? 'environment' : 'none';
    return { accounts: ofLength(ACCOUNT_BYTES), slots: ofLength(SLOT_BYTES), block };
  }

  #note(name: string): void {
    if (this.#names.size <= LIMITS.watchedReadsMax) this.#names.add(name);
  }
}

function chunks(bytes: Uint8Array, length: number): string[] {
  return Array.from({ length: bytes.length / length }, (_, at) =>
    latin1Key(bytes.subarray(at * length, (at + 1) * length)),
  );
}
