// Index of reads: from the name of an account or a slot to those whose answers hang on it. Runs on main.

/** Readers by name. Most names have one reader, which is kept without a set of its own. */
export class ReadIndex<Reader extends object> {
  readonly #readers = new Map<string, Reader | Set<Reader>>();
  #count = 0;

  /** Pairs of name and reader. */
  get count(): number {
    return this.#count;
  }

  /** Notes that `reader` has read these, each named once. */
  add(names: readonly string[], reader: Reader): void {
    for (const name of names) {
      const known = this.#readers.get(name);
      if (known === undefined) this.#readers.set(name, reader);
      else if (known instanceof Set) known.add(reader);
      else this.#readers.set(name, new Set([known, reader]));
    }
    this.#count += names.length;
  }

  /** Takes back what `add` has noted. */
  remove(names: readonly string[], reader: Reader): void {
    for (const name of names) {
      const known = this.#readers.get(name);
      if (!(known instanceof Set)) this.#readers.delete(name);
      else if (known.delete(reader) && known.size === 0) this.#readers.delete(name);
    }
    this.#count -= names.length;
  }

  /** Readers of this name. */
  *readersOf(name: string): Generator<Reader> {
    const known = this.#readers.get(name);
    if (known instanceof Set) yield* known;
    else if (known !== undefined) yield known;
  }
}
