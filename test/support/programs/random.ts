// Random numbers determined by a seed, for tests that have to be repeatable.

/** 64 bits; those below 2^53 may be given as a number. */
export type Seed = bigint | number;

/** The seed `steps` after `seed`; after the last one comes 0. */
export function nextSeed(seed: Seed, steps: number): bigint {
  return BigInt.asUintN(64, BigInt(seed) + BigInt(steps));
}

/** Decimal or 0x. Throws where it is no number of 64 bits. */
export function parseSeed(text: string): bigint {
  const seed = BigInt(text);
  if (seed !== BigInt.asUintN(64, seed)) throw new Error(`a seed is a number of 64 bits, not ${text}`);
  return seed;
}

/** An item and how often it is taken, relative to the others. */
export type Weighted<T> = readonly (readonly [weight: number, item: T])[];

/** Marsaglia's xorshift over 128 bits: the same seed, the same numbers, on every machine. */
export class Random {
  private readonly state = new Uint32Array(4);

  constructor(seed: Seed) {
    const low = Number(BigInt.asUintN(32, BigInt(seed)));
    const high = Number(BigInt.asUintN(32, BigInt(seed) >> 32n));
    this.state.set([low ^ 0x9e3779b9, high ^ 0x243f6a88, 0xb7e15162, 0xdeadbeef]);
    for (let i = 0; i < 20; i++) this.next();
  }

  /** 32 random bits. */
  next(): number {
    const { state } = this;
    let x = state[3]!;
    x ^= x << 11;
    x ^= x >>> 8;
    state.copyWithin(1, 0, 3);
    state[0] = x ^ state[0]! ^ (state[0]! >>> 19);
    return state[0];
  }

  /** 0 to `n` - 1. */
  below(n: number): number {
    return Math.floor((this.next() / 2 ** 32) * n);
  }

  /** `low` to `high`, both possible. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() / 2 ** 32 < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  weighted<T>(items: Weighted<T>): T {
    let left = (this.next() / 2 ** 32) * items.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of items) if ((left -= weight) < 0) return item;
    return items.at(-1)![1];
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }
}
