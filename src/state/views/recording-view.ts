// A view that goes on where state is not held: it answers absent, zero or plenty and writes down what was missing, so that one
// pass over an execution finds everything it lacks. What such a pass computes means nothing once something was missing.
// Runs on every thread.
import { LIMITS } from '../../limits/index.js';
import { StateMiss } from './state-miss.js';
import type { AccountState, StateView } from './view.js';
import { latin1 } from '../../lib/bytes/latin1.js';

/** State that is to be read from the upstream node: 20-byte addresses, 32-byte slots. */
export interface Wants {
  readonly accounts: readonly Uint8Array[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** Nothing is wanted. */
export const NO_WANTS: Wants = { accounts: [], slots: [] };

/** A view that can say what it holds without reading it. */
export interface HeldView {
  holdsAccount(address: Uint8Array): boolean;
  holdsSlot(address: Uint8Array, slot: Uint8Array): boolean;
}

const ZERO_WORD = new Uint8Array(32);
/** 2^96: no token amount comes near it, and it fits the 112 bits of a pool's reserve. */
const PLENTY_WORD = Uint8Array.from({ length: 32 }, (_, at) => (at === 19 ? 1 : 0));
/** Bytes at the beginning of a slot, which are zero where it is no hash. */
const HASH_BYTES = 4;

/**
 * Value assumed for a slot that is missing: zero, or in mappings plenty, so that an execution goes on behind the
 * balances and allowances that it asks for.
 */
type Assumed = 'zero' | 'plenty';

/** One pass over one view. Throws StateMiss only when more is missing than LIMITS.wantsMax. */
export class RecordingView implements StateView {
  /** View that is read. */
  readonly below: StateView;
  readonly #assumed: Assumed;
  readonly #names = new Set<string>();
  /** In the order in which they were found. */
  readonly #missed: StateMiss[] = [];

  constructor(view: StateView, assumed: Assumed = 'zero') {
    this.below = view;
    this.#assumed = assumed;
  }

  /** True if anything was missing: then no result counts. */
  get hasMissed(): boolean {
    return this.count > 0;
  }

  /** Keys that were missing. */
  get count(): number {
    return this.#missed.length;
  }

  /** True if the account was missing. */
  lacks(address: Uint8Array): boolean {
    return this.#names.has(latin1(address));
  }

  /** Keys that were missing, each once. */
  get wants(): Wants {
    return this.wantsAfter(0);
  }

  /** Keys that were missing, without the first `count`. */
  wantsAfter(count: number): Wants {
    const missed = this.#missed.slice(count);
    return {
      accounts: missed.flatMap(({ address, slot }) => (slot === null ? [address] : [])),
      slots: missed.flatMap(({ address, slot }) => (slot === null ? [] : [{ address, slot }])),
    };
  }

  /** See StateView; `null` where it is not held. */
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

  /** See StateView; what is assumed where it is not held. */
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
    if (!(miss instanceof StateMiss) || this.count >= LIMITS.wantsMax) throw miss;
    const { address, slot } = miss;
    const name = latin1(address) + (slot === null ? '' : latin1(slot));
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#missed.push(miss);
  }
}

function nameOfSlot({ address, slot }: Wants['slots'][number]): string {
  return latin1(address) + latin1(slot);
}

function isHash(slot: Uint8Array): boolean {
  return slot.subarray(0, HASH_BYTES).some((byte) => byte !== 0);
}

/** Several lists of wants as one, each key once. */
export function mergedWants(all: readonly Wants[]): Wants {
  const accounts = new Map(all.flatMap((wants) => wants.accounts.map((address) => [latin1(address), address])));
  const slots = new Map(all.flatMap((wants) => wants.slots.map((key) => [nameOfSlot(key), key])));
  return { accounts: [...accounts.values()], slots: [...slots.values()] };
}

/** Those of `wants` that the view does not hold. */
export function lackedBy(view: HeldView, { accounts, slots }: Wants): Wants {
  return {
    accounts: accounts.filter((address) => !view.holdsAccount(address)),
    slots: slots.filter(({ address, slot }) => !view.holdsSlot(address, slot)),
  };
}

/** True if the view holds all of `wants`; looks no further than to the first that it does not. */
export function holds(view: StateView, { accounts, slots }: Wants): boolean {
  try {
    for (const address of accounts) view.account(address);
    for (const { address, slot } of slots) view.storage(address, slot);
    return true;
  } catch (miss) {
    if (miss instanceof StateMiss) return false;
    throw miss;
  }
}

/** True if nothing is wanted. */
export function isEmpty({ accounts, slots }: Wants): boolean {
  return accounts.length + slots.length === 0;
}
