// A bound on a resource that all clients use together, and one on the share of a single client.
import type { UsageKind } from './client.js';
import type { Usage } from './usage.js';

/** The bounds of one kind of the ledger; `take` refuses what would exceed the bound or the share. */
export class Quota {
  readonly #ledger: Usage;
  readonly #kind: UsageKind;
  readonly #allMax: number;
  readonly #clientMax: number;

  /** `allMax`: for all clients together. `clientMax`: for one client. */
  constructor(ledger: Usage, kind: UsageKind, allMax: number, clientMax: number) {
    this.#ledger = ledger;
    this.#kind = kind;
    this.#allMax = allMax;
    this.#clientMax = clientMax;
  }

  /** Total of all clients. */
  get all(): number {
    return this.#ledger.total(this.#kind);
  }

  /** True if all clients together exceed the bound. */
  get isOver(): boolean {
    return this.all > this.#allMax;
  }

  /** True if `client` exceeds its share. */
  isClientOver(client: string | undefined): boolean {
    return this.#ledger.of(client)[this.#kind] > this.#clientMax;
  }

  /** True if `client` may acquire that much now. */
  allows(client: string | undefined, amount: number): boolean {
    return this.all + amount <= this.#allMax && this.#ledger.of(client)[this.#kind] + amount <= this.#clientMax;
  }

  /** Acquires `amount` for `client`; false, and nothing is acquired, if it is not allowed. */
  take(client: string | undefined, amount: number): boolean {
    if (!this.allows(client, amount)) return false;
    this.count(client, amount);
    return true;
  }

  /** Releases what the same client has acquired. */
  release(client: string | undefined, amount: number): void {
    this.count(client, -amount);
  }

  /** Adds what `client` acquires, or releases if negative, regardless of the bounds. */
  count(client: string | undefined, amount: number): void {
    this.#ledger.count(this.#ledger.of(client), this.#kind, amount);
  }
}
