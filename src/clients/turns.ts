// Work of clients that waits for its turn. Runs on main.

/** Clients take turns, and each has its own work done in the order in which it came: who has much waits for it alone. */
export class Turns<Work> {
  /** By client, the next one first; only clients with work are here. */
  readonly #waiting = new Map<string | undefined, Work[]>();

  /** The clients that have work, the next one first. */
  get clients(): Iterable<string | undefined> {
    return this.#waiting.keys();
  }

  /** Clients that have work. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Adds work. `client`: for whom; all without one are one. `isFirst`: it goes before what else the client has. */
  add(client: string | undefined, work: Work, isFirst = false): void {
    const line = this.#waiting.get(client);
    if (line === undefined) this.#waiting.set(client, [work]);
    else if (isFirst) line.unshift(work);
    else line.push(work);
  }

  /** Takes the oldest work of `client`, which has some; the client is the last one then. */
  take(client: string | undefined): Work {
    const line = this.#waiting.get(client)!;
    const work = line.shift()!;
    this.#waiting.delete(client);
    if (line.length > 0) this.#waiting.set(client, line);
    return work;
  }
}
