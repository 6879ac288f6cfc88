// Minimum and maximum of integers, as `Math.min` and `Math.max` do not take bigints.

export function minBigInt(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function maxBigInt(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
