// The description of a chain from which every thread builds its rules: plain data, cloneable.
import { toHex } from '../lib/bytes/hex.js';
import type { NonEvmRow } from './non-evm-accounts.js';
import { OP_FORK_NAMES, type BlobSchedule, type OpFork } from './forks.table.js';

export type { BlobSchedule } from './forks.table.js';

/** A fork and where it starts: a block number up to the merge, a timestamp (seconds) after it. */
export interface ForkActivation {
  /** `@ethereumjs/common` hardfork name, e.g. `cancun`. */
  readonly name: string;
  readonly block: number | null;
  readonly timestamp: number | null;
}

/**
 * When each fork of the OP Stack starts, in seconds since 1970; `null` if it is not planned, or starts together with
 * the next planned one. On Base, Azul replaces Karst and brings Osaka as well, but without Karst's lower limit of
 * pairings. Beryl, Cobalt and Denim follow it on Base and change nothing in the EVM.
 */
export type OpForkTimes = Readonly<Record<OpFork, number | null>>;

/** What an OP-Stack chain adds. The Ethereum forks that come with its own are in `ChainDescription.forks`. */
export interface OpChain extends OpForkTimes {
  /** EIP-1559 parameters from Canyon until Holocene, when the parent's extra data begins to contain them. */
  readonly elasticity: number;
  readonly denominator: number;
}

/** Everything that distinguishes one chain's execution from another's. */
export interface ChainDescription {
  readonly chainId: bigint;
  /** In order of activation; the first one starts at block 0. */
  readonly forks: readonly ForkActivation[];
  readonly blobSchedule: Readonly<Record<string, BlobSchedule>>;
  readonly depositContract: Uint8Array | null;
  /** EIP-7825: from Osaka on, transactions over 16,777,216 gas are invalid; some chains disable that. */
  readonly transactionGasCap: boolean;
  /** `null`: not an OP-Stack chain. */
  readonly op: OpChain | null;
  /** Non-EVM accounts in addition to those that are known by the chain's id; absent if there are none. */
  readonly foreign?: readonly NonEvmRow[];
}

/** A fork in a genesis or rollup file that this program does not know. */
export interface UnknownFork {
  /** The key of its start in the file. */
  readonly key: string;
  /** Seconds since 1970; 0 if it starts at genesis, or at a block, whose time is not known yet. */
  readonly since: number;
}

export interface ParsedChainFile {
  /** The description without the unknown forks. */
  readonly chain: ChainDescription;
  /** The first unknown fork; `null`: there is none. */
  readonly unknown: UnknownFork | null;
}

export function isSameChain(a: ChainDescription, b: ChainDescription): boolean {
  return a === b || chainIdentity(a) === chainIdentity(b);
}

/** True if two descriptions are equal for all blocks up to this timestamp (seconds). */
export function isSameChainUntil(a: ChainDescription, b: ChainDescription, timestamp: bigint): boolean {
  return chainIdentity(upTo(a, timestamp)) === chainIdentity(upTo(b, timestamp));
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

/** A string that is the same for equal descriptions only. */
export function chainIdentity(chain: ChainDescription): string {
  return JSON.stringify(chain, (_name, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? toHex(value) : value;
  });
}
