// A cache that bounds the total weight of its values and evicts the least recently used ones.

interface Kept<Value> {
  readonly value: Value;
  readonly weight: number;
}

/** A map that evicts its least recently used values. A value's weight is in the unit of the bound. */
export class BoundedCache<Key, Value> {
  readonly #weightMax: number;
  readonly #kept = new Map<Key, Kept<Value>>();
  #weight = 0;

  constructor(weightMax: number) {
    this.#weightMax = weightMax;
  }

  /** Returns the cached value, which becomes the most recently used; undefined if it is not cached. */
  get(key: Key): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Caches `value`, unless it alone exceeds the bound. */
  set(key: Key, value: Value, weight: number): void {
    this.#forget(key);
    if (weight > this.#weightMax) return;
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#weightMax) break;
      this.#forget(oldest);
    }
  }

  #forget(key: Key): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}
