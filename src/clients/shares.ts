// A bound that many clients use together, and the share of it that one of them may have. Runs on main.

/** Amounts (bytes, connections) taken and given back by client; `take` refuses what would pass the bound or the share. */
export class Shares {
  readonly #allMax: number;
  readonly #clientMax: number;
  /** Only clients that hold something are here. */
  readonly #held = new Map<string, number>();
  #all = 0;

  constructor(allMax: number, clientMax: number) {
    this.#allMax = allMax;
    this.#clientMax = clientMax;
  }

  /** Whether `client` may take that much now. */
  allows(client: string, amount: number): boolean {
    return this.#all + amount <= this.#allMax && (this.#held.get(client) ?? 0) + amount <= this.#clientMax;
  }

  /** Takes `amount` for `client`; false, and nothing is taken, where it is not allowed. */
  take(client: string, amount: number): boolean {
    if (!this.allows(client, amount)) return false;
    this.#add(client, amount);
    return true;
  }

  /** Gives back what was taken by the same client. */
  give(client: string, amount: number): void {
    this.#add(client, -amount);
  }

  #add(client: string, amount: number): void {
    const held = (this.#held.get(client) ?? 0) + amount;
    this.#all += amount;
    if (held === 0) this.#held.delete(client);
    else this.#held.set(client, held);
  }
}
