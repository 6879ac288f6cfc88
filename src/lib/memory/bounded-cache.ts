// Keeps what was made last, within a bound on its weight. Runs on every thread.

interface Kept<Value> {
  readonly value: Value;
  readonly weight: number;
}

/** A map that lets go of what was used longest ago. `weight` is in whatever the bound is given in. */
export class BoundedCache<Key, Value> {
  readonly #weightMax: number;
  readonly #kept = new Map<Key, Kept<Value>>();
  #weight = 0;

  constructor(weightMax: number) {
    this.#weightMax = weightMax;
  }

  /** The value, which counts as used now; undefined where it is not kept. */
  get(key: Key): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Keeps `value`, unless it alone is over the bound. */
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
