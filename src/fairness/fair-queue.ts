// A fair queue of work by client.

/**
 * Clients take turns, and each client's work is in the order in which it came: a client with much work only delays
 * itself.
 */
export class FairQueue<Work> {
  /** By client, the next one first; contains only clients with work. */
  readonly #waiting = new Map<string | undefined, Work[]>();

  /** The clients that have work, the next one first. */
  get clients(): Iterable<string | undefined> {
    return this.#waiting.keys();
  }

  /** Number of clients that have work. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Adds work. `client`: for whom; all without a name count as one. `isFirst`: it goes before whatever else the client
   * has.
   */
  add(client: string | undefined, work: Work, isFirst = false): void {
    const queue = this.#waiting.get(client);
    if (queue === undefined) this.#waiting.set(client, [work]);
    else if (isFirst) queue.unshift(work);
    else queue.push(work);
  }

  /** Removes the oldest work of `client`, which must have some; the client then goes to the end of the queue. */
  take(client: string | undefined): Work {
    const queue = this.#waiting.get(client)!;
    const work = queue.shift()!;
    this.#waiting.delete(client);
    if (queue.length > 0) this.#waiting.set(client, queue);
    return work;
  }
}
