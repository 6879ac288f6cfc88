// Operands for random programs; values around which results change are more frequent.
import type { Random, Weighted } from './random.js';

const WORD = 2n ** 256n;
const NEAR = [31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 248, 254, 255].map((bits) => 2n ** BigInt(bits));
const LOW = [0, 1, 2, 3, 5, 7, 8, 10, 16, 30, 31, 32, 33, 63, 64, 65, 96, 127, 128, 255, 256, 257];
const NEGATIVE = [1n, 2n, 3n, 31n, 32n, 33n, 255n, 256n, 2n ** 63n, 2n ** 64n, 2n ** 128n];
const EDGES = [
  ...LOW.map(BigInt),
  ...NEAR.flatMap((edge) => [edge - 1n, edge, edge + 1n]),
  ...NEGATIVE.map((below) => WORD - below),
];

/** A word, mostly near an edge case. */
export function randomWord(random: Random): bigint {
  switch (random.weighted(WORDS)) {
    case 'small':
      return BigInt(random.below(40));
    case 'edge':
      return random.pick(EDGES);
    case 'bits':
      return toNumber(random.bytes(32)) >> BigInt(random.chance(0.5) ? random.below(256) : random.below(32) * 8);
    case 'negative':
      return WORD - 1n - (toNumber(random.bytes(32)) >> BigInt(random.below(256)));
    case 'bytes':
      return toNumber(new Uint8Array(32).fill(random.below(256)));
  }
}

/** A word of 32 random bytes. */
export function largeWord(random: Random): bigint {
  return toNumber(random.bytes(32));
}

const WORDS: Weighted<'small' | 'edge' | 'bits' | 'negative' | 'bytes'> = [
  [6, 'small'],
  [6, 'edge'],
  [4, 'bits'],
  [1, 'negative'],
  [1, 'bytes'],
];

/** Memory offset: mostly low, at any byte; rarely so high that it is expensive. */
export function memoryOffset(random: Random): bigint {
  switch (random.weighted(PLACES)) {
    case 'word':
      return BigInt(random.below(16) * 32);
    case 'edge':
      return BigInt(random.below(16) * 32 + random.pick([1, 30, 31]));
    case 'odd':
      return BigInt(random.below(0x220));
    case 'far':
      return BigInt(random.below(6000));
    case 'dear':
      return BigInt(random.pick([50_000, 100_000, 400_000]));
    case 'huge':
      return random.pick(HUGE);
  }
}

const PLACES: Weighted<'word' | 'edge' | 'odd' | 'far' | 'dear' | 'huge'> = [
  [100, 'word'],
  [20, 'edge'],
  [70, 'odd'],
  [12, 'far'],
  [0.3, 'dear'],
  [0.1, 'huge'],
];

/** Offsets and lengths that no amount of gas pays for. */
export const HUGE: readonly bigint[] = [
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 63n,
  2n ** 64n - 33n,
  2n ** 64n - 32n,
  2n ** 64n - 1n,
  2n ** 64n,
  2n ** 128n,
  2n ** 255n,
  WORD - 32n,
  WORD - 1n,
];

/** Length of a memory region. */
export function memoryLength(random: Random): bigint {
  if (random.chance(0.15)) return 0n;
  if (random.chance(0.0007)) return random.pick(HUGE);
  return BigInt(
    random.chance(0.6) ? random.pick([1, 4, 20, 31, 32, 33, 64, 96, 135, 136, 137, 271, 272]) : random.below(300),
  );
}

/** Storage keys: few, so that programs share them. */
export const SLOTS: readonly bigint[] = [0n, 1n, 2n, 3n, 4n, 2n ** 128n, WORD - 1n];

/** Storage values: few, so that the same value is often written again. */
export function slotValue(random: Random): bigint {
  return random.chance(0.75) ? BigInt(random.below(3)) : randomWord(random);
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}
