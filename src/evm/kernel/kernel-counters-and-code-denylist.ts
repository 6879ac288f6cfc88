// Counters of the kernel in shared memory, and the denylist: hashes of code for which the kernel has given wrong
// results.
//
//   byte 0               8 x counters       + 8                                                     COUNTERS_BYTES
//        +---------------+------------------+------------+------------+-----------------------------+
//        | 2 x u32 each … | DENYLISTED i32   | code hash  | code hash  | ...                         |
//        +---------------+------------------+------------+------------+-----------------------------+
//
//   DENYLISTED   number of code hashes; increased after a hash is written. One more than the capacity means all code.
//
// All threads increment counters. Only the main thread adds code hashes. The memory outlives the threads: a thread that
// replaces another one continues its counts.
import { LIMITS } from '../../limits/index.js';
import type { FallbackReason } from './kernel-engine.js';

/**
 * `executions`: messages passed to the kernel engine, including those that the reference engine then executed (these
 * are also counted by reason). `checks`: results that were compared with the reference engine's. `skipped`: results
 * that could not be compared, or whose comparison would have taken too long. `traces`: compiled traces.
 */
export type KernelCounter = 'executions' | 'checks' | 'skipped' | 'mismatches' | 'traces' | FallbackReason;

const REASONS: readonly FallbackReason[] = [
  'fork',
  'bounds',
  'moved-precompile',
  'denylisted',
  'full',
  'trap',
  'memory',
];
const COUNTERS: readonly KernelCounter[] = ['executions', 'checks', 'skipped', 'mismatches', ...REASONS, 'traces'];
const INDEX = Object.fromEntries(COUNTERS.map((name, index) => [name, index])) as Record<KernelCounter, number>;

const TWO_32 = 2 ** 32;
const HASH_BYTES = 32;
const DENYLISTED_AT = 8 * COUNTERS.length;
const HASHES_AT = DENYLISTED_AT + 8;
const COUNTERS_BYTES = HASHES_AT + HASH_BYTES * LIMITS.denylistedCodesMax;

/** The counters of all threads. Each thread has its own object on the same shared memory. */
export class KernelCounters {
  readonly buffer: SharedArrayBuffer;
  readonly #counts: Int32Array;
  readonly #denylistedCount: Int32Array;
  readonly #hashes: readonly Buffer[];

  /** Creates new counters, or opens those in `buffer`. */
  constructor(buffer = new SharedArrayBuffer(COUNTERS_BYTES)) {
    this.buffer = buffer;
    this.#counts = new Int32Array(buffer, 0, DENYLISTED_AT / 4);
    this.#denylistedCount = new Int32Array(buffer, DENYLISTED_AT, 1);
    this.#hashes = Array.from({ length: LIMITS.denylistedCodesMax }, (_, index) =>
      Buffer.from(buffer, HASHES_AT + index * HASH_BYTES, HASH_BYTES),
    );
  }

  /** Adds `count` (below 2^31) to a counter; returns the new total. */
  add(counter: KernelCounter, count = 1): number {
    const at = 2 * INDEX[counter];
    const low = (Atomics.add(this.#counts, at, count) >>> 0) + count;
    if (low >= TWO_32) Atomics.add(this.#counts, at + 1, 1);
    return this.#counts[at + 1]! * TWO_32 + (low % TWO_32);
  }

  count(counter: KernelCounter): number {
    const at = 2 * INDEX[counter];
    return Atomics.load(this.#counts, at + 1) * TWO_32 + (Atomics.load(this.#counts, at) >>> 0);
  }

  /** Returns how many messages the reference engine executed in place of the kernel, by reason. */
  fallbacks(): readonly (readonly [reason: FallbackReason, count: number])[] {
    return REASONS.map((reason) => [reason, this.count(reason)]);
  }

  /** Number of codes on the denylist. */
  get denylisted(): number {
    return Math.min(Atomics.load(this.#denylistedCount, 0), LIMITS.denylistedCodesMax);
  }

  /**
   * Puts code on the denylist, so that no thread runs it on the kernel. If the list is full, no code at all runs on the
   * kernel. Only for the main thread.
   */
  denylist(codeHash: Uint8Array): void {
    if (this.isDenylisted(codeHash)) return;
    const count = Atomics.load(this.#denylistedCount, 0);
    this.#hashes[count]?.set(codeHash);
    Atomics.store(this.#denylistedCount, 0, count + 1);
  }

  /** True if code with this hash must not run on the kernel. */
  isDenylisted(codeHash: Uint8Array): boolean {
    const count = Atomics.load(this.#denylistedCount, 0);
    if (count > LIMITS.denylistedCodesMax) return true;
    for (let index = 0; index < count; index++) if (this.#hashes[index]!.equals(codeHash)) return true;
    return false;
  }
}
