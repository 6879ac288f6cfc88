// The record of one state version: its position in the chain, its environment, and the block numbers of the tags at
// that time. Read on every thread, written by the publisher.
import { LIMITS } from '../../../limits/index.js';
import type { BlockEnv, Coordinates, BlockTags, StateDiff, StateChanges } from '../../state-diff.js';
import { VERSION_RECORD_FIELDS, VERSION_FLAG_BITS } from './table-layout.js';
import { copyToShared, copyFromShared } from '../../seqlock-word-copy.js';
import type { Table } from './table.js';

export interface VersionRecord extends Omit<StateDiff, keyof StateChanges> {
  readonly version: number;
  /** Milliseconds on the monotonic clock, which all threads share. */
  readonly publishedAtMs: number;
  /** The state version at which block `heads.latest` was complete; 0 if that was before the first version. */
  readonly latestVersion: number;
}

/** The fields of a state version's record that do not come from the diff; the writer adds them. */
export interface VersionFieldsBesideDiff extends Pick<VersionRecord, 'version' | 'publishedAtMs' | 'latestVersion'> {
  /** Ordinal of the record of the newest complete block. */
  readonly top: number;
}

/** A copy of a record outside of shared memory, in which fields are encoded and decoded. */
class Staging {
  readonly words = new Int32Array(VERSION_RECORD_FIELDS.words);
  readonly #bytes = new Uint8Array(this.words.buffer);
  readonly #floats = new Float64Array(this.words.buffer);
  readonly #longs = new BigUint64Array(this.words.buffer);

  number(at: number): number {
    return this.#floats[at / 2]!;
  }

  setNumber(at: number, value: number): void {
    this.#floats[at / 2] = value;
  }

  u64(at: number): bigint {
    return this.#longs[at / 2]!;
  }

  setU64(at: number, value: bigint): void {
    this.#longs[at / 2] = BigInt.asUintN(64, value);
  }

  u256(at: number): bigint {
    return this.u64(at) | (this.u64(at + 2) << 64n) | (this.u64(at + 4) << 128n) | (this.u64(at + 6) << 192n);
  }

  setU256(at: number, value: bigint): void {
    for (let i = 0n; i < 4n; i++) this.setU64(at + 2 * Number(i), value >> (64n * i));
  }

  bytes(at: number, length: number): Uint8Array {
    return this.#bytes.slice(at * 4, at * 4 + length);
  }

  setBytes(at: number, value: Uint8Array): void {
    this.#bytes.set(value, at * 4);
  }
}

const staging = new Staging();

/** Writes the record of a state version. It overwrites the record that is `LIMITS.versionsKeptMax` versions older. */
export function writeVersionRecord(table: Table, diff: StateDiff, stamp: VersionFieldsBesideDiff): void {
  const at = recordAt(table, stamp.version);
  stage(diff, stamp);
  Atomics.store(table.words, at + VERSION_RECORD_FIELDS.version, 0);
  staging.words[VERSION_RECORD_FIELDS.version] = 0;
  copyToShared(table.words, at, staging.words, VERSION_RECORD_FIELDS.words);
  Atomics.store(table.words, at + VERSION_RECORD_FIELDS.version, stamp.version);
}

/** Returns the record of a state version; `null` if the record of a newer version has overwritten it. */
export function readVersionRecord(table: Table, version: number): VersionRecord | null {
  const at = recordAt(table, version);
  if (version === 0 || Atomics.load(table.words, at + VERSION_RECORD_FIELDS.version) !== version) return null;
  copyFromShared(table.words, at, staging.words, VERSION_RECORD_FIELDS.words);
  if (Atomics.load(table.words, at + VERSION_RECORD_FIELDS.version) !== version) return null;
  return {
    version,
    coordinates: stagedCoordinates(),
    env: stagedEnv(),
    heads: stagedHeads(),
    publishedAtMs: staging.number(VERSION_RECORD_FIELDS.publishedAtMs),
    latestVersion: staging.words[VERSION_RECORD_FIELDS.latestVersion]!,
  };
}

/**
 * Returns the ordinal of the record of the newest complete block on a state version's chain; 0 if there is none, or if
 * the version is no longer retained.
 */
export function newestBlockOrdinal(table: Table, version: number): number {
  const at = recordAt(table, version);
  const top = Atomics.load(table.words, at + VERSION_RECORD_FIELDS.top);
  return Atomics.load(table.words, at + VERSION_RECORD_FIELDS.version) === version ? top : 0;
}

function recordAt({ regions }: Table, version: number): number {
  return regions.versions + (version & (LIMITS.versionsKeptMax - 1)) * VERSION_RECORD_FIELDS.words;
}

function stage({ coordinates, env, heads }: StateDiff, stamp: VersionFieldsBesideDiff): void {
  const { words } = staging;
  words.fill(0);
  words[VERSION_RECORD_FIELDS.index] = coordinates.index;
  words[VERSION_RECORD_FIELDS.flags] =
    (coordinates.hash === null ? 0 : VERSION_FLAG_BITS.hash) |
    (heads.safe === null ? 0 : VERSION_FLAG_BITS.safe) |
    (heads.finalized === null ? 0 : VERSION_FLAG_BITS.finalized) |
    (env.slotNumber === undefined ? 0 : VERSION_FLAG_BITS.slotNumber);
  words[VERSION_RECORD_FIELDS.latestVersion] = stamp.latestVersion;
  words[VERSION_RECORD_FIELDS.top] = stamp.top;
  staging.setNumber(VERSION_RECORD_FIELDS.block, coordinates.block);
  staging.setNumber(VERSION_RECORD_FIELDS.latest, heads.latest);
  staging.setNumber(VERSION_RECORD_FIELDS.safe, heads.safe ?? 0);
  staging.setNumber(VERSION_RECORD_FIELDS.finalized, heads.finalized ?? 0);
  staging.setNumber(VERSION_RECORD_FIELDS.publishedAtMs, stamp.publishedAtMs);
  if (coordinates.hash !== null) staging.setBytes(VERSION_RECORD_FIELDS.hash, coordinates.hash);
  staging.setBytes(VERSION_RECORD_FIELDS.parentHash, coordinates.parentHash);
  stageEnv(env);
}

function stageEnv(env: BlockEnv): void {
  staging.setNumber(VERSION_RECORD_FIELDS.number, env.number);
  staging.setU64(VERSION_RECORD_FIELDS.timestamp, env.timestamp);
  staging.setU64(VERSION_RECORD_FIELDS.gasLimit, env.gasLimit);
  staging.setU64(VERSION_RECORD_FIELDS.excessBlobGas, env.excessBlobGas);
  staging.setU256(VERSION_RECORD_FIELDS.baseFee, env.baseFeePerGas);
  staging.setU256(VERSION_RECORD_FIELDS.difficulty, env.difficulty);
  staging.setBytes(VERSION_RECORD_FIELDS.prevRandao, env.prevRandao);
  staging.setBytes(VERSION_RECORD_FIELDS.beaconRoot, env.parentBeaconBlockRoot);
  staging.setBytes(VERSION_RECORD_FIELDS.coinbase, env.coinbase);
  staging.setU64(VERSION_RECORD_FIELDS.slotNumber, env.slotNumber ?? 0n);
}

function stagedCoordinates(): Coordinates {
  const hasHash = (staging.words[VERSION_RECORD_FIELDS.flags]! & VERSION_FLAG_BITS.hash) !== 0;
  return {
    block: staging.number(VERSION_RECORD_FIELDS.block),
    index: staging.words[VERSION_RECORD_FIELDS.index]!,
    hash: hasHash ? staging.bytes(VERSION_RECORD_FIELDS.hash, 32) : null,
    parentHash: staging.bytes(VERSION_RECORD_FIELDS.parentHash, 32),
  };
}

function stagedHeads(): BlockTags {
  const flags = staging.words[VERSION_RECORD_FIELDS.flags]!;
  return {
    latest: staging.number(VERSION_RECORD_FIELDS.latest),
    safe: (flags & VERSION_FLAG_BITS.safe) === 0 ? null : staging.number(VERSION_RECORD_FIELDS.safe),
    finalized: (flags & VERSION_FLAG_BITS.finalized) === 0 ? null : staging.number(VERSION_RECORD_FIELDS.finalized),
  };
}

function stagedEnv(): BlockEnv {
  const hasSlot = (staging.words[VERSION_RECORD_FIELDS.flags]! & VERSION_FLAG_BITS.slotNumber) !== 0;
  return {
    number: staging.number(VERSION_RECORD_FIELDS.number),
    timestamp: staging.u64(VERSION_RECORD_FIELDS.timestamp),
    gasLimit: staging.u64(VERSION_RECORD_FIELDS.gasLimit),
    baseFeePerGas: staging.u256(VERSION_RECORD_FIELDS.baseFee),
    coinbase: staging.bytes(VERSION_RECORD_FIELDS.coinbase, 20),
    prevRandao: staging.bytes(VERSION_RECORD_FIELDS.prevRandao, 32),
    difficulty: staging.u256(VERSION_RECORD_FIELDS.difficulty),
    excessBlobGas: staging.u64(VERSION_RECORD_FIELDS.excessBlobGas),
    parentBeaconBlockRoot: staging.bytes(VERSION_RECORD_FIELDS.beaconRoot, 32),
    ...(hasSlot ? { slotNumber: staging.u64(VERSION_RECORD_FIELDS.slotNumber) } : {}),
  };
}
