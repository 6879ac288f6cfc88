// A view that goes on where state is not held: it answers absent or zero and writes down what was missing, so that one
// pass over an execution finds everything it lacks. What such a pass computes means nothing once something was missing.
// Runs on every thread.
import { LIMITS } from '../limits.js';
import { StateMiss } from './state-miss.js';
import type { AccountState, StateView } from './view.js';

/** State that is to be read from the upstream node: 20-byte addresses, 32-byte slots. */
export interface Wants {
  readonly accounts: readonly Uint8Array[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** A view that can say what it holds without reading it. */
export interface HeldView {
  holdsAccount(address: Uint8Array): boolean;
  holdsSlot(address: Uint8Array, slot: Uint8Array): boolean;
}

const ZERO_WORD = new Uint8Array(32);

/** One pass over one view. Throws StateMiss only when more is missing than LIMITS.wantsMax. */
export class RecordingView implements StateView {
  readonly #view: StateView;
  readonly #accounts = new Map<string, Uint8Array>();
  readonly #slots = new Map<string, { address: Uint8Array; slot: Uint8Array }>();

  constructor(view: StateView) {
    this.#view = view;
  }

  /** Whether anything was missing: then no result counts. */
  get hasMissed(): boolean {
    return this.count > 0;
  }

  /** Keys that were missing. */
  get count(): number {
    return this.#accounts.size + this.#slots.size;
  }

  /** What was missing, each key once. */
  get wants(): Wants {
    return { accounts: [...this.#accounts.values()], slots: [...this.#slots.values()] };
  }

  /** As StateView; `null` where it is not held. */
  account(address: Uint8Array): AccountState | null {
    try {
      return this.#view.account(address);
    } catch (miss) {
      this.#record(miss);
      return null;
    }
  }

  /** As StateView. */
  code(codeHash: Uint8Array): Uint8Array {
    return this.#view.code(codeHash);
  }

  /** As StateView; zero where it is not held. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    try {
      return this.#view.storage(address, slot);
    } catch (miss) {
      this.#record(miss);
      return ZERO_WORD;
    }
  }

  /** As StateView. */
  blockHash(number: number): Uint8Array | null {
    return this.#view.blockHash(number);
  }

  #record(miss: unknown): void {
    if (!(miss instanceof StateMiss) || this.count >= LIMITS.wantsMax) throw miss;
    const { address, slot } = miss;
    if (slot === null) this.#accounts.set(latin1(address), address);
    else this.#slots.set(latin1(address) + latin1(slot), { address, slot });
  }
}

/** Several lists of wants as one, each key once. */
export function mergedWants(all: readonly Wants[]): Wants {
  const accounts = new Map(all.flatMap((wants) => wants.accounts.map((address) => [latin1(address), address])));
  const slots = new Map(
    all.flatMap((wants) => wants.slots.map((key) => [latin1(key.address) + latin1(key.slot), key])),
  );
  return { accounts: [...accounts.values()], slots: [...slots.values()] };
}

/** Those of `wants` that the view does not hold. */
export function lackedBy(view: HeldView, { accounts, slots }: Wants): Wants {
  return {
    accounts: accounts.filter((address) => !view.holdsAccount(address)),
    slots: slots.filter(({ address, slot }) => !view.holdsSlot(address, slot)),
  };
}

/** Whether nothing is wanted. */
export function isEmpty({ accounts, slots }: Wants): boolean {
  return accounts.length + slots.length === 0;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
