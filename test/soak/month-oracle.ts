// The expected values of the simulated month as a pure function: which slots a block writes, and a slot's value after a
// block. It needs no memory, however many slots there are. Runs on every thread of the soak test.
import type { CodeChange } from '../../src/state/state-diff.js';

/** Words of a packed key: 5 for the address, 8 for the slot. */
export const KEY_WORDS = 13;
const VALUE_WORDS = 8;
/** Minimum length of a code. */
const CODE_BYTES = 256;
/** Slots that are written all the time; their indices are negative. */
export const HOT_SLOTS = 256;
/** Longest period of writes to a hot slot, in blocks. */
const HOT_PERIOD_MAX = 64;
/**
 * A slot that is rewritten n times is rewritten 1, 2, 4 … blocks after its first write; n depends on its position in
 * the block.
 */
const REWRITTEN: readonly (readonly [share: number, times: number])[] = [
  [1 / 128, 13],
  [1 / 32, 7],
  [1 / 8, 3],
];

/** Every block writes this many slots for the first time. */
export class MonthOracle {
  readonly #newSlots: number;

  constructor(newSlots: number) {
    this.#newSlots = newSlots;
  }

  /** Indices of the slots that a block writes. `block` starts at 1. */
  *writesOf(block: number): IterableIterator<number> {
    for (let hot = 0; hot < HOT_SLOTS; hot++) if (block % periodOf(hot) === 0) yield -1 - hot;
    for (let place = 0; place < this.#newSlots; place++) yield this.slotAt(block, place);
    for (let time = 0; 2 ** time < block; time++) {
      for (let place = 0; this.#timesOf(place) > time; place++) yield this.slotAt(block - 2 ** time, place);
    }
  }

  /** Index of the slot at this position in the list of slots that `block` wrote first. */
  slotAt(block: number, place: number): number {
    return (block - 1) * this.#newSlots + place;
  }

  /** The last block up to `block` that has written a slot; 0 for none. */
  writerOf(index: number, block: number): number {
    if (index < 0) return block - (block % periodOf(-1 - index));
    const first = 1 + Math.floor(index / this.#newSlots);
    const age = block - first;
    if (age < 0) return 0;
    const times = this.#timesOf(index % this.#newSlots);
    return age === 0 || times === 0 ? first : first + 2 ** Math.min(times - 1, Math.floor(Math.log2(age)));
  }

  #timesOf(place: number): number {
    return REWRITTEN.find(([share]) => place < this.#newSlots * share)?.[1] ?? 0;
  }
}

function periodOf(hot: number): number {
  return 1 + (hot % HOT_PERIOD_MAX);
}

/** Writes the key of a slot to `out`: one of a few hundred contracts, and a slot as in a mapping. */
export function keyOf(index: number, out: Uint32Array): void {
  out.fill(0);
  out[4] = 1 + (mixed(index) % 256);
  out[5] = index;
  out[6] = Math.floor(index / 2 ** 32);
  out[12] = mixed(index + 1);
}

/** Writes to `out` the value of a slot that was last written by `writer`; zero for 0. */
export function valueOf(index: number, writer: number, out: Uint32Array): void {
  out.fill(0);
  if (writer === 0) return;
  const hash = mixed(index ^ Math.imul(writer, 0x9e3779b1));
  for (let i = 0; i < VALUE_WORDS; i++) out[i] = hash + i;
  out[0] = writer;
}

/** Address of the contract that a block creates, 20 bytes. */
export function contractOf(block: number): Uint8Array {
  const address = Buffer.alloc(20, 0xcc);
  address.writeUInt32LE(block, 0);
  return new Uint8Array(address);
}

/** Its code: some hundred unique bytes, as only the hash matters. */
export function codeOf(block: number): CodeChange {
  const hash = Buffer.alloc(32, 0xc0);
  hash.writeUInt32LE(mixed(block), 0);
  hash.writeUInt32LE(block, 4);
  return { hash: new Uint8Array(hash), bytes: new Uint8Array(CODE_BYTES + (mixed(block) % CODE_BYTES)).fill(block) };
}

/** Murmur's finalizer. */
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Random numbers from 0 to 1, by a seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mixed(state) / 2 ** 32;
  };
}

/**
 * A slot to request after `block`: a hot one, one of a block of any age, older ones more rarely, or one never written.
 */
export function keysRequested(oracle: MonthOracle, newSlots: number, block: number, random: () => number): number {
  const kind = random();
  const place = Math.floor(random() * newSlots);
  if (kind < 0.4) return -1 - Math.floor(random() * HOT_SLOTS);
  if (kind < 0.8) return oracle.slotAt(1 + block - Math.ceil(block ** random()), place);
  if (kind < 0.9) return oracle.slotAt(1 + Math.floor(random() * block), place);
  return oracle.slotAt(block + 1 + Math.floor(random() * 1000), place);
}
