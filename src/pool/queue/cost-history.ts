// Remembers how long jobs ran, by the contract function that they call. So jobs that are likely to block a worker
// thread are recognized before they start.
import { randomInt } from 'node:crypto';
import type { Job } from '../../transaction/evm-job.js';
import { LIMITS } from '../../limits/index.js';

const SLOTS = LIMITS.costsKeptMax;
const SELECTOR_BYTES = 4;
/** If a job supplies code, only this many of the code's first bytes are hashed. Codes that share them share a key. */
const CODE_BYTES = 256;

/**
 * Records execution times in a hash table of LIMITS.costsKeptMax buckets with one key each. A look-up takes about 20
 * ns.
 */
export class CostHistory {
  readonly #salt = randomInt(1, 2 ** 31);
  readonly #keys = new Int32Array(SLOTS);
  readonly #ms = new Float32Array(SLOTS);

  /**
   * Returns the key of a job, which is never zero. It is a hash of the recipient and the function selector. If the job
   * supplies the code itself, as an override or to create a contract, it is a hash of that code, because the call data
   * name no known function.
   */
  keyOf({ call, stateOverride, blocks, replay, trace, bundle }: Job): number {
    const { to, data } = call;
    // If a job has several calls, its key is made from the first call. A different salt keeps the keys of such jobs
    // apart from those of single calls and of jobs that first execute a block. A trace takes longer than its call, so
    // it has that salt, too.
    const isOne = blocks === undefined && trace === undefined && bundle === undefined;
    const salt = (isOne ? this.#salt : ~this.#salt) ^ ((replay ?? bundle)?.transactions.length ?? 0);
    if (to === null) return hash(data, CODE_BYTES, salt);
    const code = overridingCode(to, stateOverride);
    if (code !== undefined) return hash(code, CODE_BYTES, salt);
    return hash(data, SELECTOR_BYTES, hash(to, to.length, salt));
  }

  /** Returns how many milliseconds a job with this key is expected to take; `null` if none has run. */
  expectedMs(key: number): number | null {
    const index = key & (SLOTS - 1);
    return this.#keys[index] === key ? this.#ms[index]! : null;
  }

  /**
   * Records the time of a run that ended or was stopped. The first time for a key counts half. Later, the expected time
   * rises by a sixteenth of the difference, because a thread may have been preempted, which says nothing about the job.
   * It falls by a quarter of the difference.
   */
  record(key: number, tookMs: number): void {
    const was = this.expectedMs(key);
    this.#set(key, was === null ? tookMs / 2 : was + (tookMs - was) * (tookMs > was ? 1 / 16 : 1 / 4));
  }

  /**
   * Records a run that was stopped after `tookMs` by the short time limit of the worker reserved for short jobs. If the
   * key has no time yet, all of `tookMs` counts, because the job takes even longer.
   */
  recordTrial(key: number, tookMs: number): void {
    if (this.expectedMs(key) === null) this.#set(key, tookMs);
    else this.record(key, tookMs);
  }

  #set(key: number, ms: number): void {
    const index = key & (SLOTS - 1);
    this.#keys[index] = key;
    this.#ms[index] = ms;
  }
}

function overridingCode(to: Uint8Array, stateOverride: Job['stateOverride']): Uint8Array | undefined {
  return stateOverride.find(({ address }) => Buffer.compare(address, to) === 0)?.code;
}

/** Computes the FNV-1a hash of the first bytes. */
function hash(bytes: Uint8Array, bytesMax: number, salt: number): number {
  const length = Math.min(bytes.length, bytesMax);
  let value = salt ^ length;
  for (let at = 0; at < length; at++) value = Math.imul(value ^ bytes[at]!, 0x01000193);
  value ^= value >>> 15;
  return value === 0 ? 1 : value;
}
