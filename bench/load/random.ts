// Reproducible pseudo-random numbers. Runs in the generator and in the bench.

/** A source of numbers from 0 to 1, 1 excluded. */
export type Random = () => number;

/** Xorshift of 32 bits: the period is 2^32 - 1, far more than one turn takes. */
export function randomOf(seed: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A random element of a list. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

/** Eight hex digits. */
export function hex32(number: number): string {
  return (number >>> 0).toString(16).padStart(8, '0');
}
