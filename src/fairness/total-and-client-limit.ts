// Limits the use of a resource by all clients together and by a single client.
import type { UsageKind } from './client-usage.js';
import type { UsageLedger } from './usage-ledger.js';

/**
 * The limits of one kind of resource, for all clients and for each. `take` refuses an amount that would exceed either.
 */
export class TotalAndClientLimit {
  readonly #ledger: UsageLedger;
  readonly #kind: UsageKind;
  readonly #allMax: number;
  readonly #clientMax: number;

  /** `allMax` is the limit for all clients together, `clientMax` the limit for one. */
  constructor(ledger: UsageLedger, kind: UsageKind, allMax: number, clientMax: number) {
    this.#ledger = ledger;
    this.#kind = kind;
    this.#allMax = allMax;
    this.#clientMax = clientMax;
  }

  /** Amount in use by all clients. */
  get all(): number {
    return this.#ledger.total(this.#kind);
  }

  /** True if all clients together exceed their limit. */
  get isOver(): boolean {
    return this.all > this.#allMax;
  }

  /** True if `client` exceeds its limit. */
  isClientOver(client: string | undefined): boolean {
    return this.#ledger.of(client)[this.#kind] > this.#clientMax;
  }

  /** True if `client` may acquire this amount now. */
  allows(client: string | undefined, amount: number): boolean {
    return this.all + amount <= this.#allMax && this.#ledger.of(client)[this.#kind] + amount <= this.#clientMax;
  }

  /** Acquires `amount` for `client`. If that is not allowed, returns false and acquires nothing. */
  take(client: string | undefined, amount: number): boolean {
    if (!this.allows(client, amount)) return false;
    this.count(client, amount);
    return true;
  }

  /** Releases an amount that the same client has acquired. */
  release(client: string | undefined, amount: number): void {
    this.count(client, -amount);
  }

  /** Adds an amount that `client` acquires, or a negative amount that it releases, without checking the limits. */
  count(client: string | undefined, amount: number): void {
    this.#ledger.count(this.#ledger.of(client), this.#kind, amount);
  }
}
