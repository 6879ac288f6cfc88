// The description of a chain that every thread needs to build its rules: plain data, cloneable. Runs on every thread.
import { toHex } from '../lib/bytes/hex.js';
import type { ForeignRow } from './foreign.js';
import { OP_FORKS, type BlobSchedule, type OpFork } from './forks.table.js';

export type { BlobSchedule } from './forks.table.js';

/** A fork and where it starts: by block number up to the merge, by timestamp (seconds) after it. */
export interface ForkActivation {
  /** `@ethereumjs/common` hardfork name, e.g. `cancun`. */
  readonly name: string;
  readonly block: number | null;
  readonly timestamp: number | null;
}

/**
 * When the OP Stack's forks start, seconds since 1970; `null`: not planned, or with the next one that is. Azul is Base's way to
 * Osaka, in place of Karst: the same without Karst's lower limit of pairings. Beryl, Cobalt and Denim follow it there, and change
 * nothing in the EVM.
 */
export type OpForkTimes = Readonly<Record<OpFork, number | null>>;

/**
 * Rules that an OP-Stack chain adds. Ethereum forks that come with OP-Stack ones are in `ChainDescription.forks` as
 * always.
 */
export interface OpChain extends OpForkTimes {
  /** EIP-1559 from Canyon to Holocene, where the parent's extra data takes over. */
  readonly elasticity: number;
  readonly denominator: number;
}

/** All that distinguishes one chain's execution from another's. */
export interface ChainDescription {
  readonly chainId: bigint;
  /** In order of activation; the first one starts at block 0. */
  readonly forks: readonly ForkActivation[];
  /** Blob schedules by fork name. */
  readonly blobSchedule: Readonly<Record<string, BlobSchedule>>;
  readonly depositContract: Uint8Array | null;
  /** EIP-7825: transactions over 16,777,216 gas are refused from Osaka on; some chains switch that off. */
  readonly transactionGasCap: boolean;
  /** `null`: not an OP-Stack chain. */
  readonly op: OpChain | null;
  /** Foreign accounts beside those that the chain's id stands for; absent: none. */
  readonly foreign?: readonly ForeignRow[];
}

/** A fork that a file names and that is not known here. */
export interface UnknownFork {
  /** The key of its start in the file. */
  readonly key: string;
  /** Seconds since 1970; 0 where it starts with the chain, or at a block, whose time nobody has told. */
  readonly since: number;
}

/** A chain as a file describes it. */
export interface FileChain {
  /** Without the forks that are not known here. */
  readonly chain: ChainDescription;
  /** The first of those; `null`: there are none. */
  readonly unknown: UnknownFork | null;
}

/** True if two descriptions say the same. */
export function sameChain(a: ChainDescription, b: ChainDescription): boolean {
  return a === b || identityOf(a) === identityOf(b);
}

/** True if two descriptions say the same of all blocks up to this timestamp (seconds). */
export function sameUpTo(a: ChainDescription, b: ChainDescription, timestamp: bigint): boolean {
  return identityOf(upTo(a, timestamp)) === identityOf(upTo(b, timestamp));
}

function upTo(chain: ChainDescription, timestamp: bigint): ChainDescription {
  const { forks, blobSchedule, op } = chain;
  const isPast = (start: number | null): boolean => start === null || BigInt(start) <= timestamp;
  const past = forks.filter((fork) => isPast(fork.timestamp));
  const schedules = Object.entries(blobSchedule).filter(([name]) => past.some((fork) => fork.name === name));
  const times = OP_FORKS.map((name) => [name, op !== null && isPast(op[name]) ? op[name] : null]);
  return {
    ...chain,
    forks: past,
    blobSchedule: Object.fromEntries(schedules),
    op: op === null ? null : { ...op, ...(Object.fromEntries(times) as unknown as OpForkTimes) },
  };
}

/** Text by which a description is known again. */
export function identityOf(chain: ChainDescription): string {
  return JSON.stringify(chain, (_name, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? toHex(value) : value;
  });
}
