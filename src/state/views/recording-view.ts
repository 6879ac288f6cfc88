// A view that continues on a state miss: it returns absent, zero or plenty and records what was missing, so that one
// run of an execution finds all keys it lacks. The result of such a run is meaningless once anything was missing.
import { LIMITS } from '../../limits/index.js';
import { StateMiss } from './state-miss.js';
import type { AccountState, StateView } from './view.js';
import { latin1 } from '../../lib/bytes/latin1.js';
import { ZERO_WORD } from '../../lib/bytes/words.js';

/** Missing keys, to be fetched from the upstream node: 20-byte addresses, 32-byte slots. */
export interface MissingKeys {
  readonly accounts: readonly Uint8Array[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** No missing keys. */
export const NO_MISSING_KEYS: MissingKeys = { accounts: [], slots: [] };

/** A view that can say whether a key is resident without reading it. */
export interface ResidentView {
  hasAccount(address: Uint8Array): boolean;
  hasSlot(address: Uint8Array, slot: Uint8Array): boolean;
}

/** 2^96: no token amount comes near it, and it fits the 112 bits of a pool's reserve. */
const PLENTY_WORD = Uint8Array.from({ length: 32 }, (_, at) => (at === 19 ? 1 : 0));
/** Leading bytes of a slot, which are zero if it is not a hash. */
const HASH_BYTES = 4;

/**
 * Value assumed for a missing slot: zero, or in mappings plenty, so that an execution continues past the checks of
 * balances and allowances.
 */
type Assumed = 'zero' | 'plenty';

/** One run over one view. Throws StateMiss only when more is missing than LIMITS.missingKeysMax. */
export class RecordingView implements StateView {
  /** The view underneath. */
  readonly below: StateView;
  readonly #assumed: Assumed;
  readonly #names = new Set<string>();
  /** In the order in which they were found. */
  readonly #missed: StateMiss[] = [];

  constructor(view: StateView, assumed: Assumed = 'zero') {
    this.below = view;
    this.#assumed = assumed;
  }

  /** True if anything was missing: the result is then invalid. */
  get hasMissed(): boolean {
    return this.count > 0;
  }

  /** Number of missing keys. */
  get count(): number {
    return this.#missed.length;
  }

  /** True if the account was missing. */
  misses(address: Uint8Array): boolean {
    return this.#names.has(latin1(address));
  }

  /** Missing keys, each once. */
  get wants(): MissingKeys {
    return this.missingAfter(0);
  }

  /** Missing keys, without the first `count`. */
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

  /** See StateView. */
  code(codeHash: Uint8Array): Uint8Array {
    return this.below.code(codeHash);
  }

  /** See StateView; the assumed value if it is not resident. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    try {
      return this.below.storage(address, slot);
    } catch (miss) {
      this.#record(miss);
      return this.#assumed === 'plenty' && isHash(slot) ? PLENTY_WORD : ZERO_WORD;
    }
  }

  /** See StateView. */
  blockHash(number: number): Uint8Array | null {
    return this.below.blockHash(number);
  }

  #record(miss: unknown): void {
    if (!(miss instanceof StateMiss) || this.count >= LIMITS.missingKeysMax) throw miss;
    const { address, slot } = miss;
    const name = latin1(address) + (slot === null ? '' : latin1(slot));
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#missed.push(miss);
  }
}

function nameOfSlot({ address, slot }: MissingKeys['slots'][number]): string {
  return latin1(address) + latin1(slot);
}

function isHash(slot: Uint8Array): boolean {
  return slot.subarray(0, HASH_BYTES).some((byte) => byte !== 0);
}

/** Merges several lists of keys, each key once. */
export function mergedMissingKeys(all: readonly MissingKeys[]): MissingKeys {
  const accounts = new Map(all.flatMap((keys) => keys.accounts.map((address) => [latin1(address), address])));
  const slots = new Map(all.flatMap((keys) => keys.slots.map((key) => [nameOfSlot(key), key])));
  return { accounts: [...accounts.values()], slots: [...slots.values()] };
}

/** Those of `keys` that are not resident in the view. */
export function missingFrom(view: ResidentView, { accounts, slots }: MissingKeys): MissingKeys {
  return {
    accounts: accounts.filter((address) => !view.hasAccount(address)),
    slots: slots.filter(({ address, slot }) => !view.hasSlot(address, slot)),
  };
}

/** True if all of `keys` are resident in the view; stops at the first that is not. */
export function hasAll(view: StateView, { accounts, slots }: MissingKeys): boolean {
  try {
    for (const address of accounts) view.account(address);
    for (const { address, slot } of slots) view.storage(address, slot);
    return true;
  } catch (miss) {
    if (miss instanceof StateMiss) return false;
    throw miss;
  }
}

/** True if there are no keys. */
export function hasNoKeys({ accounts, slots }: MissingKeys): boolean {
  return accounts.length + slots.length === 0;
}
