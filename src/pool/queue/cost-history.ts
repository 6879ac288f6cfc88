// Times that jobs took, by the function that they call: jobs that are likely to hold a worker are known before they begin. Runs on
// main.
import { randomInt } from 'node:crypto';
import type { Job } from '../../transaction/call-request.js';
import { LIMITS } from '../../limits/index.js';

const PLACES = LIMITS.costsKeptMax;
const SELECTOR_BYTES = 4;
/** Bytes looked at of code that a job brings along; codes that begin with the same bytes share a key. */
const CODE_BYTES = 256;

/** A table of LIMITS.costsKeptMax places; a key replaces the one that it collides with. A look-up costs some 20 ns. */
export class CostHistory {
  readonly #salt = randomInt(1, 2 ** 31);
  readonly #keys = new Int32Array(PLACES);
  readonly #ms = new Float32Array(PLACES);

  /**
   * The key of a job, not zero: a hash of receiver and function; or of the code that the job brings along, by an override of
   * the receiver or to create a contract, as its data then name no known function.
   */
  keyOf({ call, stateOverride, blocks, replay, trace, bundle }: Job): number {
    const { to, data } = call;
    // Of several calls the first has to stand for all, but not for such calls alone, nor for a block that is executed before. A
    // trace takes longer than its call.
    const isOne = blocks === undefined && trace === undefined && bundle === undefined;
    const salt = (isOne ? this.#salt : ~this.#salt) ^ ((replay ?? bundle)?.transactions.length ?? 0);
    if (to === null) return hash(data, CODE_BYTES, salt);
    const code = overridingCode(to, stateOverride);
    if (code !== undefined) return hash(code, CODE_BYTES, salt);
    return hash(data, SELECTOR_BYTES, hash(to, to.length, salt));
  }

  /** Milliseconds that a job with this key is likely to take; `null` when none has run. */
  expectedMs(key: number): number | null {
    const place = key & (PLACES - 1);
    return this.#keys[place] === key ? this.#ms[place]! : null;
  }

  /**
   * Records what a run took until it ended or was stopped. The first time counts half. Later the value rises by a sixteenth of
   * the difference, as a thread that lost its core for a while says nothing about its job, and falls by a quarter.
   */
  record(key: number, tookMs: number): void {
    const was = this.expectedMs(key);
    this.#set(key, was === null ? tookMs / 2 : was + (tookMs - was) * (tookMs > was ? 1 / 16 : 1 / 4));
  }

  /** Records a trial that had a core for its time, `tookMs`, and did not end. The first run of a new kind counts in full. */
  recordTrial(key: number, tookMs: number): void {
    if (this.expectedMs(key) === null) this.#set(key, tookMs);
    else this.record(key, tookMs);
  }

  #set(key: number, ms: number): void {
    const place = key & (PLACES - 1);
    this.#keys[place] = key;
    this.#ms[place] = ms;
  }
}

function overridingCode(to: Uint8Array, stateOverride: Job['stateOverride']): Uint8Array | undefined {
  return stateOverride.find(({ address }) => Buffer.compare(address, to) === 0)?.code;
}

/** FNV-1a over the first bytes. */
function hash(bytes: Uint8Array, bytesMax: number, salt: number): number {
  const length = Math.min(bytes.length, bytesMax);
  let value = salt ^ length;
  for (let at = 0; at < length; at++) value = Math.imul(value ^ bytes[at]!, 0x01000193);
  value ^= value >>> 15;
  return value === 0 ? 1 : value;
}
