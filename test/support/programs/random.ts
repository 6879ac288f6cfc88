// Random numbers that are determined by a seed, for repeatable tests.

/** 64 bits; seeds below 2^53 may be numbers. */
export type Seed = bigint | number;

/** The seed `steps` after `seed`; wraps around to 0. */
export function nextSeed(seed: Seed, steps: number): bigint {
  return BigInt.asUintN(64, BigInt(seed) + BigInt(steps));
}

/** Parses decimal or 0x. Throws if it is not a 64-bit number. */
export function parseSeed(text: string): bigint {
  const seed = BigInt(text);
  if (seed !== BigInt.asUintN(64, seed)) throw new Error(`a seed is a number of 64 bits, not ${text}`);
  return seed;
}

/** Items with their relative frequencies. */
export type Weighted<T> = readonly (readonly [weight: number, item: T])[];

/** Marsaglia's xorshift with 128 bits of state: the same seed yields the same numbers on every machine. */
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

  /** `low` to `high`, both inclusive. */
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
