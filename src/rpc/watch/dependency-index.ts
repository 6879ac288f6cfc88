// An index from accounts and slots to the readers whose results depend on them. A name is the address of an account, or
// the address and key of a slot.

/** Readers by the name of an account or slot. Most names have a single reader, which is stored without a set. */
export class DependencyIndex<Reader extends object> {
  readonly #readers = new Map<string, Reader | Set<Reader>>();
  #count = 0;

  /** Number of dependencies: each is one reader and one account or slot. */
  get count(): number {
    return this.#count;
  }

  /** Records that `reader` has read these accounts and slots, each of which is listed once. */
  add(names: readonly string[], reader: Reader): void {
    for (const name of names) {
      const known = this.#readers.get(name);
      if (known === undefined) this.#readers.set(name, reader);
      else if (known instanceof Set) known.add(reader);
      else this.#readers.set(name, new Set([known, reader]));
    }
    this.#count += names.length;
  }

  /** Removes what `add` has recorded for the same names and reader. */
  remove(names: readonly string[], reader: Reader): void {
    for (const name of names) {
      const known = this.#readers.get(name);
      if (!(known instanceof Set)) this.#readers.delete(name);
      else if (known.delete(reader) && known.size === 0) this.#readers.delete(name);
    }
    this.#count -= names.length;
  }

  *readersOf(name: string): Generator<Reader> {
    const known = this.#readers.get(name);
    if (known instanceof Set) yield* known;
    else if (known !== undefined) yield known;
  }
}
