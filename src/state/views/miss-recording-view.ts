// A view for dry runs: it continues when state is missing. It returns an assumed value (absent, zero or a large number)
// and records the missing key, so that one execution finds as many missing keys as possible. If any key was missing,
// the result of the execution is invalid.
import { LIMITS } from '../../limits/index.js';
import { StateMiss } from './state-miss.js';
import type { AccountState, StateView } from './state-view.js';
import { latin1Key, latin1SlotKey } from '../../lib/bytes/latin1-key.js';
import { ZERO_WORD } from '../../lib/bytes/big-endian.js';

/** Keys that are missing, to be fetched from the upstream node: addresses of 20 bytes and slots of 32 bytes. */
export interface MissingKeys {
  readonly accounts: readonly Uint8Array[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

export const NO_MISSING_KEYS: MissingKeys = { accounts: [], slots: [] };

/** A view that can tell whether it has a key, without reading the value. */
export interface KeyPresenceView {
  hasAccount(address: Uint8Array): boolean;
  hasSlot(address: Uint8Array, slot: Uint8Array): boolean;
}

/** 2^96: larger than any token amount, and small enough for the 112 bits of a liquidity pool's reserve. */
const PLENTY_WORD = Uint8Array.from({ length: 32 }, (_, at) => (at === 19 ? 1 : 0));
/**
 * Number of leading bytes by which it is guessed whether a slot's key is a hash, as for an entry of a mapping: it is
 * one unless all of them are zero.
 */
const HASH_BYTES = 4;

/**
 * The value that is assumed for a missing slot. `zero`: always zero. `plenty`: a large number for an entry of a
 * mapping, so that checks of token balances succeed; zero for all other slots.
 */
type Assumed = 'zero' | 'plenty';

/** A view for one execution. Throws StateMiss only if more than LIMITS.missingKeysMax keys are missing. */
export class MissRecordingView implements StateView {
  /** The view from which values are read, unless they are missing there. */
  readonly below: StateView;
  readonly #assumed: Assumed;
  readonly #names = new Set<string>();
  /** The missing keys in the order in which they were found. */
  readonly #missed: StateMiss[] = [];

  constructor(view: StateView, assumed: Assumed = 'zero') {
    this.below = view;
    this.#assumed = assumed;
  }

  /** True if any key was missing, so that the result of the execution is invalid. */
  get hasMissed(): boolean {
    return this.count > 0;
  }

  get count(): number {
    return this.#missed.length;
  }

  misses(address: Uint8Array): boolean {
    return this.#names.has(latin1Key(address));
  }

  /** The missing keys; each occurs once. */
  get missingKeys(): MissingKeys {
    return this.missingAfter(0);
  }

  /** Returns the missing keys except for the `count` that were found first. */
  missingAfter(count: number): MissingKeys {
    const missed = this.#missed.slice(count);
    return {
      accounts: missed.flatMap(({ address, slot }) => (slot === null ? [address] : [])),
      slots: missed.flatMap(({ address, slot }) => (slot === null ? [] : [{ address, slot }])),
    };
  }

  /** Implements StateView. Returns `null` if the account does not exist, or is missing; the latter is recorded. */
  account(address: Uint8Array): AccountState | null {
    try {
      return this.below.account(address);
    } catch (miss) {
      this.#record(miss);
      return null;
    }
  }

  code(codeHash: Uint8Array): Uint8Array {
    return this.below.code(codeHash);
  }

  /** Implements StateView; returns the assumed value if the slot is missing. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    try {
      return this.below.storage(address, slot);
    } catch (miss) {
      this.#record(miss);
      return this.#assumed === 'plenty' && isHash(slot) ? PLENTY_WORD : ZERO_WORD;
    }
  }

  blockHash(number: number): Uint8Array | null {
    return this.below.blockHash(number);
  }

  #record(miss: unknown): void {
    if (!(miss instanceof StateMiss) || this.count >= LIMITS.missingKeysMax) throw miss;
    const { address, slot } = miss;
    const name = slot === null ? latin1Key(address) : latin1SlotKey({ address, slot });
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#missed.push(miss);
  }
}

function isHash(slot: Uint8Array): boolean {
  return slot.subarray(0, HASH_BYTES).some((byte) => byte !== 0);
}

/** Merges several lists of keys; each key occurs once. */
export function mergedMissingKeys(all: readonly MissingKeys[]): MissingKeys {
  const accounts = new Map(all.flatMap((keys) => keys.accounts.map((address) => [latin1Key(address), address])));
  const slots = new Map(all.flatMap((keys) => keys.slots.map((key) => [latin1SlotKey(key), key])));
  return { accounts: [...accounts.values()], slots: [...slots.values()] };
}

/** Returns the keys that the view does not have. */
export function keysMissingFrom(view: KeyPresenceView, { accounts, slots }: MissingKeys): MissingKeys {
  return {
    accounts: accounts.filter((address) => !view.hasAccount(address)),
    slots: slots.filter(({ address, slot }) => !view.hasSlot(address, slot)),
  };
}

/** Returns true if the view has all of `keys`. Stops at the first one that is missing. */
export function hasAllKeys(view: StateView, { accounts, slots }: MissingKeys): boolean {
  try {
    for (const address of accounts) view.account(address);
    for (const { address, slot } of slots) view.storage(address, slot);
    return true;
  } catch (miss) {
    if (miss instanceof StateMiss) return false;
    throw miss;
  }
}

export function isEmptyKeySet({ accounts, slots }: MissingKeys): boolean {
  return accounts.length + slots.length === 0;
}
