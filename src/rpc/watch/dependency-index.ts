// An index of reads: for an account or slot (by name), the readers whose results depend on it.

/** Readers by name. Most names have a single reader, which is stored without a set. */
export class DependencyIndex<Reader extends object> {
  readonly #readers = new Map<string, Reader | Set<Reader>>();
  #count = 0;

  /** Number of pairs of name and reader. */
  get count(): number {
    return this.#count;
  }

  /** Records that `reader` has read these names, each of which is listed once. */
  add(names: readonly string[], reader: Reader): void {
    for (const name of names) {
      const known = this.#readers.get(name);
      if (known === undefined) this.#readers.set(name, reader);
      else if (known instanceof Set) known.add(reader);
      else this.#readers.set(name, new Set([known, reader]));
    }
    this.#count += names.length;
  }

  /** Undoes `add`. */
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
