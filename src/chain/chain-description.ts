// Describes a chain as plain, cloneable data, from which every thread builds its rules.
import { toHex } from '../lib/bytes/hex.js';
import type { NonEvmRow } from './non-evm-accounts.js';
import { OP_FORK_NAMES, type BlobSchedule, type OpFork } from './forks.table.js';

export type { BlobSchedule } from './forks.table.js';

/** A fork and its start: a block number for forks up to the merge, a timestamp (seconds) for later ones. */
export interface ForkActivation {
  /** Name of the hardfork in `@ethereumjs/common`, e.g. `cancun`. */
  readonly name: string;
  readonly block: number | null;
  readonly timestamp: number | null;
}

/**
 * When each OP-Stack fork starts, in seconds since 1970; `null` if it is not planned, or starts together with the next
 * planned fork. On Base, Azul takes the place of Karst: it also brings Osaka, but not Karst's lower limit on the input
 * of the pairing precompiles. Beryl, Cobalt and Denim follow on Base and change nothing in the EVM.
 */
export type OpForkTimes = Readonly<Record<OpFork, number | null>>;

/**
 * What is specific to an OP-Stack chain. The Ethereum forks that its own forks include are in
 * `ChainDescription.forks`.
 */
export interface OpChain extends OpForkTimes {
  /** EIP-1559 parameters from Canyon until Holocene. From Holocene on, the parent header's extra data contains them. */
  readonly elasticity: number;
  readonly denominator: number;
}

/** Everything that distinguishes one chain's execution from another's. */
export interface ChainDescription {
  readonly chainId: bigint;
  /** Forks in order of activation; the first one starts at block 0. */
  readonly forks: readonly ForkActivation[];
  readonly blobSchedule: Readonly<Record<string, BlobSchedule>>;
  readonly depositContract: Uint8Array | null;
  /** Whether transactions over 16,777,216 gas are invalid from Osaka on (EIP-7825). Some chains disable this rule. */
  readonly transactionGasCap: boolean;
  /** OP-Stack part of the description; `null` for other chains. */
  readonly op: OpChain | null;
  /** Accounts with non-EVM code, in addition to those known by the chain's id; absent if there are none. */
  readonly foreign?: readonly NonEvmRow[];
}

/** A fork in a genesis or rollup file that this program does not know. */
export interface UnknownFork {
  /** Key in the file that sets the fork's start. */
  readonly key: string;
  /** Start in seconds since 1970; 0 if the fork starts at genesis, or if the file sets a block number, not a time. */
  readonly since: number;
}

export interface ParsedChainFile {
  /** The chain's description without the unknown forks. */
  readonly chain: ChainDescription;
  /** The first unknown fork; `null` if there is none. */
  readonly unknown: UnknownFork | null;
}

/** Returns the timestamps at which forks start, in ascending order and each once; without forks at genesis. */
export function activationTimesOf({ forks, op }: ChainDescription): number[] {
  return ascendingStarts([
    ...forks.map(({ timestamp }) => timestamp),
    ...OP_FORK_NAMES.map((name) => op?.[name] ?? null),
  ]);
}

/** Returns the starts of forks in ascending order, each once; without forks at genesis. */
export function ascendingStarts(starts: readonly (number | null)[]): number[] {
  return [...new Set(starts.filter((start) => start !== null && start > 0) as number[])].sort((a, b) => a - b);
}

export function isSameChain(a: ChainDescription, b: ChainDescription): boolean {
  return a === b || comparableChainDescription(a) === comparableChainDescription(b);
}

/** True if two descriptions give the same rules for all blocks up to this timestamp (seconds). */
export function isSameChainUntil(a: ChainDescription, b: ChainDescription, timestamp: bigint): boolean {
  return comparableChainDescription(upTo(a, timestamp)) === comparableChainDescription(upTo(b, timestamp));
}

function upTo(chain: ChainDescription, timestamp: bigint): ChainDescription {
  const { forks, blobSchedule, op } = chain;
  const isPast = (start: number | null): boolean => start === null || BigInt(start) <= timestamp;
  const past = forks.filter((fork) => isPast(fork.timestamp));
  const schedules = Object.entries(blobSchedule).filter(([name]) => past.some((fork) => fork.name === name));
  const times = OP_FORK_NAMES.map((name) => [name, op !== null && isPast(op[name]) ? op[name] : null]);
  return {
    ...chain,
    forks: past,
    blobSchedule: Object.fromEntries(schedules),
    op: op === null ? null : { ...op, ...(Object.fromEntries(times) as unknown as OpForkTimes) },
  };
}

/** Returns a string that is equal only for equal descriptions. */
export function comparableChainDescription(chain: ChainDescription): string {
  return JSON.stringify(chain, (_name, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? toHex(value) : value;
  });
}
