// Reads that an answer hangs on: accounts, slots and the block, as packed bytes. Runs on main and on the estimators.
import { latin1 } from '../../lib/bytes/latin1.js';
import { LIMITS } from '../../limits/index.js';
import type { AccountState, StateView } from './view.js';

/**
 * Part of its block that an answer may hang on beside the state. `environment`: number, time, fees and such.
 * `anything`: also hashes of earlier blocks, or nobody knows.
 */
export type BlockUse = 'none' | 'environment' | 'anything';

/** Packed, so that a thread hands over two byte strings. */
export interface Reads {
  /** 20 bytes each, in no promised order. */
  readonly accounts: Uint8Array;
  /** 52 bytes each: address and slot. */
  readonly slots: Uint8Array;
  readonly block: BlockUse;
}

/** Bytes of an account's name; a slot's has 32 more. */
const ACCOUNT_BYTES = 20;
const SLOT_BYTES = 52;

const NO_BYTES = new Uint8Array();

/** Of an answer that never changes. */
export const NOTHING_READ: Reads = { accounts: NO_BYTES, slots: NO_BYTES, block: 'none' };
/** Of an answer of which nothing is known: every version may change it. */
export const ANYTHING_READ: Reads = { accounts: NO_BYTES, slots: NO_BYTES, block: 'anything' };

/** The reads of an account alone. */
export function accountRead(address: Uint8Array): Reads {
  return { ...NOTHING_READ, accounts: address };
}

/** The reads of a slot alone. */
export function slotRead(address: Uint8Array, slot: Uint8Array): Reads {
  return { ...NOTHING_READ, slots: Uint8Array.from([...address, ...slot]) };
}

/** Names of accounts and slots, as `accountName` and `slotName` make them. */
export function namesOf({ accounts, slots }: Reads): string[] {
  return [...chunks(accounts, ACCOUNT_BYTES), ...chunks(slots, SLOT_BYTES)];
}

/** The account as a key. */
export function accountName(address: Uint8Array): string {
  return latin1(address);
}

/** The slot as a key. */
export function slotName(address: Uint8Array, slot: Uint8Array): string {
  return latin1(address) + latin1(slot);
}

/** A view that notes all that is read, present or not; of more than LIMITS.watchedReadsMax keys it notes no more. */
export class NotingView implements StateView {
  readonly #below: StateView;
  readonly #names = new Set<string>();
  #asksHashes = false;

  /** It has no stamp: an engine that knew the state from an earlier run would not read it again. */
  constructor(below: StateView) {
    this.#below = below;
  }

  /** See StateView. */
  account(address: Uint8Array): AccountState | null {
    this.#note(accountName(address));
    return this.#below.account(address);
  }

  /** See StateView; the account that has the code is noted. */
  code(codeHash: Uint8Array): Uint8Array {
    return this.#below.code(codeHash);
  }

  /** See StateView. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    this.#note(slotName(address, slot));
    return this.#below.storage(address, slot);
  }

  /** See StateView; of hashes nothing is said but that they were asked for. */
  blockHash(number: number): Uint8Array | null {
    this.#asksHashes = true;
    return this.#below.blockHash(number);
  }

  /** True if the account was looked at. */
  has(address: Uint8Array): boolean {
    return this.#names.has(accountName(address));
  }

  /** An account that was looked at and does not count. */
  forget(address: Uint8Array): void {
    this.#names.delete(accountName(address));
  }

  /** Reads so far. `asksBlock`: whether the block's environment was. */
  reads(asksBlock: boolean): Reads {
    if (this.#names.size > LIMITS.watchedReadsMax) return ANYTHING_READ;
    const names = [...this.#names];
    const ofLength = (length: number): Uint8Array =>
      Buffer.from(names.filter((name) => name.length === length).join(''), 'latin1');
    const block = this.#asksHashes ? 'anything' : asksBlock ? 'environment' : 'none';
    return { accounts: ofLength(ACCOUNT_BYTES), slots: ofLength(SLOT_BYTES), block };
  }

  #note(name: string): void {
    if (this.#names.size <= LIMITS.watchedReadsMax) this.#names.add(name);
  }
}

function chunks(bytes: Uint8Array, length: number): string[] {
  return Array.from({ length: bytes.length / length }, (_, at) =>
    latin1(bytes.subarray(at * length, (at + 1) * length)),
  );
}
