// A view that continues after a state miss: it returns absent, zero or a large value, and records what was missing, so
// that one run of an execution finds as many missing keys as possible. If anything was missing, the result of the run
// means nothing.
import { LIMITS } from '../../limits/index.js';
import { StateMiss } from './state-miss.js';
import type { AccountState, StateView } from './state-view.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import { ZERO_WORD } from '../../lib/bytes/big-endian.js';

/** Missing keys, to be fetched from the upstream node: addresses of 20 bytes and slots of 32 bytes. */
export interface MissingKeys {
  readonly accounts: readonly Uint8Array[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

export const NO_MISSING_KEYS: MissingKeys = { accounts: [], slots: [] };

/** A view that can say whether a key is resident without reading it. */
export interface ResidentView {
  hasAccount(address: Uint8Array): boolean;
  hasSlot(address: Uint8Array, slot: Uint8Array): boolean;
}

/** 2^96: larger than any token amount, and small enough for the 112 bits of a pool's reserve. */
const PLENTY_WORD = Uint8Array.from({ length: 32 }, (_, at) => (at === 19 ? 1 : 0));
/** First bytes of a slot that are all zero unless it is a hash. */
const HASH_BYTES = 4;

/** The value assumed for a missing slot: zero, or a large one in mappings, to pass checks of balances. */
type Assumed = 'zero' | 'plenty';

/** One run over one view. Throws StateMiss only if more than LIMITS.missingKeysMax keys are missing. */
export class MissRecordingView implements StateView {
  /** The view that is read. */
  readonly below: StateView;
  readonly #assumed: Assumed;
  readonly #names = new Set<string>();
  /** Missing keys in the order in which they were found. */
  readonly #missed: StateMiss[] = [];

  constructor(view: StateView, assumed: Assumed = 'zero') {
    this.below = view;
    this.#assumed = assumed;
  }

  /** True if anything was missing, so that the result is invalid. */
  get hasMissed(): boolean {
    return this.count > 0;
  }

  get count(): number {
    return this.#missed.length;
  }

  misses(address: Uint8Array): boolean {
    return this.#names.has(latin1Key(address));
  }

  /** The missing keys, each once. */
  get missingKeys(): MissingKeys {
    return this.missingAfter(0);
  }

  /** The missing keys without the first `count`. */
  missingAfter(count: number): MissingKeys {
    const missed = this.#missed.slice(count);
    return {
      accounts: missed.flatMap(({ address, slot }) => (slot === null ? [address] : [])),
      slots: missed.flatMap(({ address, slot }) => (slot === null ? [] : [{ address, slot }])),
    };
  }

  /** See StateView; `null` if it is not resident. */
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

  /** See StateView; returns the assumed value if it is not resident. */
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
    const name = latin1Key(address) + (slot === null ? '' : latin1Key(slot));
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#missed.push(miss);
  }
}

function nameOfSlot({ address, slot }: MissingKeys['slots'][number]): string {
  return latin1Key(address) + latin1Key(slot);
}

function isHash(slot: Uint8Array): boolean {
  return slot.subarray(0, HASH_BYTES).some((byte) => byte !== 0);
}

/** Merges several lists of keys, each key once. */
export function mergedMissingKeys(all: readonly MissingKeys[]): MissingKeys {
  const accounts = new Map(all.flatMap((keys) => keys.accounts.map((address) => [latin1Key(address), address])));
  const slots = new Map(all.flatMap((keys) => keys.slots.map((key) => [nameOfSlot(key), key])));
  return { accounts: [...accounts.values()], slots: [...slots.values()] };
}

/** The keys that are not resident in the view. */
export function keysMissingFrom(view: ResidentView, { accounts, slots }: MissingKeys): MissingKeys {
  return {
    accounts: accounts.filter((address) => !view.hasAccount(address)),
    slots: slots.filter(({ address, slot }) => !view.hasSlot(address, slot)),
  };
}

/** True if all of `keys` are resident in the view. Stops at the first one that is not. */
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
