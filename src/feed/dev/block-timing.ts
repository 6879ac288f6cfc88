// Computes when the dev chain's blocks start and end, and the environment in which each is executed.
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { nextBaseFee, nextSlotNumber, type Header } from '../../chain/block/header.js';
import type { ChainRules } from '../../evm/reference/fork-rules.js';
import type { BlockEnv, BlockTags } from '../../state/state-diff.js';
import { DEV_FEE_RECIPIENT, DEV_GAS_LIMIT } from './genesis.js';
import type { Clock } from '../../lib/clock.js';

/** Time between two blocks. */
export const BLOCK_INTERVAL_MS = 2000;
/**
 * Time between two increments, the partial blocks that are published while a block is built. `BLOCK_INTERVAL_MS` is a
 * multiple of it.
 */
const INCREMENT_INTERVAL_MS = 200;
/** Minimum time between increments that are triggered by arriving transactions. A burst thus shares one increment. */
const INCREMENT_MS_MIN = 20;
/** `safe` and `finalized` stay this many blocks behind `latest`. */
const SAFE_BLOCKS = 4;
const FINALIZED_BLOCKS = 8;

/**
 * Returns the next time after `atMs` and `nowMs` that is a whole number of steps after `atMs`. A block that is late
 * therefore delays none of the blocks after it.
 */
export function nextScheduledMs(atMs: number, stepMs: number, nowMs: number): number {
  return atMs + stepMs * Math.max(1, Math.floor((nowMs - atMs) / stepMs) + 1);
}

/**
 * Returns the start of the next regular increment: a time after now, a whole number of increment intervals before the
 * block's end. Returns the end if that has passed.
 */
export function nextIncrementAt(nowMs: number, endMs: number): number {
  return endMs - INCREMENT_INTERVAL_MS * Math.max(0, Math.ceil((endMs - nowMs) / INCREMENT_INTERVAL_MS) - 1);
}

/**
 * Returns when the next increment starts once transactions have arrived: now, but not earlier than INCREMENT_MS_MIN
 * after the last increment, which started at `lastMs`. If the next regular increment is due less than INCREMENT_MS_MIN
 * after that, returns its time instead.
 */
export function nextInstantIncrementAt(nowMs: number, lastMs: number, endMs: number): number {
  const soonestMs = Math.max(nowMs, lastMs + INCREMENT_MS_MIN);
  const tickMs = nextIncrementAt(nowMs, endMs);
  return soonestMs + INCREMENT_MS_MIN > tickMs ? tickMs : soonestMs;
}

/**
 * Returns the environment of the block after `header`, with a timestamp of `seconds` or later. The same arguments
 * always give the same environment.
 */
export function nextBlockEnv(hash: Uint8Array, header: Header, seconds: number, rules: ChainRules): BlockEnv {
  const number = header.number + 1;
  const earliest = header.timestamp + 1n;
  const timestamp = seconds > earliest ? BigInt(seconds) : earliest;
  const fork = rules.at(number, timestamp);
  const baseFee = header.baseFeePerGas ?? 0n;
  const prevRandao = keccak256(hash);
  return {
    number,
    timestamp,
    gasLimit: DEV_GAS_LIMIT,
    baseFeePerGas: nextBaseFee(header),
    coinbase: DEV_FEE_RECIPIENT,
    prevRandao,
    difficulty: 0n,
    excessBlobGas: fork.nextExcessBlobGas(header.excessBlobGas ?? 0n, header.blobGasUsed ?? 0n, baseFee),
    parentBeaconBlockRoot: keccak256(prevRandao),
    ...nextSlotNumber(header, fork),
  };
}

/** Returns the block numbers of the tags when block `latest` is complete. They are never below the genesis block. */
export function blockTagsForLatest(latest: number): BlockTags {
  return { latest, safe: Math.max(0, latest - SAFE_BLOCKS), finalized: Math.max(0, latest - FINALIZED_BLOCKS) };
}

/** If the wall clock has moved by more than this against the monotonic clock, somebody has set it. Less is drift. */
const CLOCK_SET_MS = 500;

/** Remembers the offset between the monotonic clock and the wall clock. */
export class WallClockOffset {
  readonly #clock: Pick<Clock, 'now' | 'wall'>;
  #offsetMs = 0;

  constructor(clock: Pick<Clock, 'now' | 'wall'>) {
    this.#clock = clock;
  }

  /** Returns the wall-clock time, in seconds since 1970, at time `timeMs` of the monotonic clock. */
  secondsAt(timeMs: number): number {
    this.#offsetMs = wallOffsetMs(this.#offsetMs, this.#clock.wall() - this.#clock.now());
    return Math.floor((timeMs + this.#offsetMs) / 1000);
  }
}

/**
 * Returns the offset between the clocks: the known offset as long as only drift was measured, the measured offset if
 * the wall clock was set. If the measured offset were always used, the results would vary by a millisecond.
 */
function wallOffsetMs(knownMs: number, measuredMs: number): number {
  return Math.abs(measuredMs - knownMs) < CLOCK_SET_MS ? knownMs : measuredMs;
}
