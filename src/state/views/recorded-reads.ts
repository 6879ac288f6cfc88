// The reads on which a response depends: accounts, slots and the block, encoded as bytes.
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import { LIMITS } from '../../limits/index.js';
import type { AccountState, StateView } from './state-view.js';

/** `environment`: number, time, fees and similar. `anything`: also hashes of earlier blocks, or unknown. */
export type BlockDependency = 'none' | 'environment' | 'anything';

/** Encoded reads, so that only two byte arrays are passed between threads. */
export interface RecordedReads {
  /** Addresses, 20 bytes each, in no particular order. */
  readonly accounts: Uint8Array;
  /** Slots, 52 bytes each: address and slot. */
  readonly slots: Uint8Array;
  readonly block: BlockDependency;
}

/** Bytes of an account's key. A slot's key has 32 more. */
const ACCOUNT_BYTES = 20;
const SLOT_BYTES = 52;

const NO_BYTES = new Uint8Array();

/** The reads of a response that never changes. */
export const NOTHING_READ: RecordedReads = { accounts: NO_BYTES, slots: NO_BYTES, block: 'none' };
/** The reads of a response whose dependencies are not known, so that every version may change it. */
export const ANYTHING_READ: RecordedReads = { accounts: NO_BYTES, slots: NO_BYTES, block: 'anything' };

export function singleAccountRead(address: Uint8Array): RecordedReads {
  return { ...NOTHING_READ, accounts: address };
}

export function singleSlotRead(address: Uint8Array, slot: Uint8Array): RecordedReads {
  return { ...NOTHING_READ, slots: Uint8Array.from([...address, ...slot]) };
}

/** Keys of accounts and slots in the form of `accountReadKey` and `slotReadKey`. */
export function readKeysOf({ accounts, slots }: RecordedReads): string[] {
  return [...chunks(accounts, ACCOUNT_BYTES), ...chunks(slots, SLOT_BYTES)];
}

/** The account as a map key. */
export function accountReadKey(address: Uint8Array): string {
  return latin1Key(address);
}

/** The slot as a map key. */
export function slotReadKey(address: Uint8Array, slot: Uint8Array): string {
  return latin1Key(address) + latin1Key(slot);
}

/** Records every key that is read, present or not. After LIMITS.watchedReadsMax keys it stops. */
export class ReadRecordingView implements StateView {
  readonly #below: StateView;
  readonly #names = new Set<string>();
  #readsHashes = false;

  /** It has no stamp: an engine that had cached the state of an earlier run would not read it again. */
  constructor(below: StateView) {
    this.#below = below;
  }

  account(address: Uint8Array): AccountState | null {
    this.#note(accountReadKey(address));
    return this.#below.account(address);
  }

  /** See StateView. Not recorded, because the account with this code is. */
  code(codeHash: Uint8Array): Uint8Array {
    return this.#below.code(codeHash);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    this.#note(slotReadKey(address, slot));
    return this.#below.storage(address, slot);
  }

  /** See StateView. Only records that a block hash was read. */
  blockHash(number: number): Uint8Array | null {
    this.#readsHashes = true;
    return this.#below.blockHash(number);
  }

  /** True if the account was read. */
  has(address: Uint8Array): boolean {
    return this.#names.has(accountReadKey(address));
  }

  /** Removes an account that was read but does not matter. */
  forget(address: Uint8Array): void {
    this.#names.delete(accountReadKey(address));
  }

  /** The reads so far. `readsBlock` is whether the block's environment was read. */
  reads(readsBlock: boolean): RecordedReads {
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
