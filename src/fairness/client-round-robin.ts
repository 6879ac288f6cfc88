// A fair queue: clients take turns, whatever the amount of their work.

/** A queue in which clients take turns, each with its work in order: one with much work delays only itself. */
export class ClientRoundRobin<Work> {
  /** Waiting work by client; the client whose turn is next is first. Clients without work are removed. */
  readonly #waiting = new Map<string | undefined, Work[]>();

  /** Clients that have work, in the order of their turns. */
  get clients(): Iterable<string | undefined> {
    return this.#waiting.keys();
  }

  /** Number of clients that have work. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Adds work for `client`; all work without a client name counts as one client's. `isFirst` puts it before the
   * client's other work.
   */
  add(client: string | undefined, work: Work, isFirst = false): void {
    const queue = this.#waiting.get(client);
    if (queue === undefined) this.#waiting.set(client, [work]);
    else if (isFirst) queue.unshift(work);
    else queue.push(work);
  }

  /**
   * Removes and returns the oldest work of `client`, which must have some, and moves the client to the end of the
   * queue.
   */
  take(client: string | undefined): Work {
    const queue = this.#waiting.get(client)!;
    const work = queue.shift()!;
    this.#waiting.delete(client);
    if (queue.length > 0) this.#waiting.set(client, queue);
    return work;
  }
}
