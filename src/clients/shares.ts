// A bound that many clients use together, and the share of it that one of them may have. Runs on main.
import type { Kind } from './client.js';
import type { Ledger } from './ledger.js';

/** The bounds of one kind of the ledger; `take` refuses what would pass the bound or the share. */
export class Shares {
  readonly #ledger: Ledger;
  readonly #kind: Kind;
  readonly #allMax: number;
  readonly #clientMax: number;

  /** `allMax`: of all clients together. `clientMax`: of one. */
  constructor(ledger: Ledger, kind: Kind, allMax: number, clientMax: number) {
    this.#ledger = ledger;
    this.#kind = kind;
    this.#allMax = allMax;
    this.#clientMax = clientMax;
  }

  /** Amount that all clients hold. */
  get all(): number {
    return this.#ledger.held(this.#kind);
  }

  /** True if all clients together hold more than the bound. */
  get isOver(): boolean {
    return this.all > this.#allMax;
  }

  /** True if `client` holds more than its share. */
  isClientOver(client: string | undefined): boolean {
    return this.#ledger.of(client)[this.#kind] > this.#clientMax;
  }

  /** True if `client` may take that much now. */
  allows(client: string | undefined, amount: number): boolean {
    return this.all + amount <= this.#allMax && this.#ledger.of(client)[this.#kind] + amount <= this.#clientMax;
  }

  /** Takes `amount` for `client`; false, and nothing is taken, where it is not allowed. */
  take(client: string | undefined, amount: number): boolean {
    if (!this.allows(client, amount)) return false;
    this.count(client, amount);
    return true;
  }

  /** Gives back what was taken by the same client. */
  give(client: string | undefined, amount: number): void {
    this.count(client, -amount);
  }

  /** Counts what `client` takes, or gives back, whatever the bounds are. */
  count(client: string | undefined, amount: number): void {
    this.#ledger.count(this.#ledger.of(client), this.#kind, amount);
  }
}
