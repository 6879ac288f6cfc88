// Describes a chain's forks in the form of eth_config (EIP-7910): start, blob schedule, precompiles, system contracts.
import { crc32 } from 'node:zlib';
import { toHex, toQuantity } from '../lib/bytes/hex.js';
import { toBytes } from '../lib/bytes/big-endian.js';
import { DEPOSIT_CONTRACT_ADDRESS } from './block/execution-requests.js';
import { activeForkIndex, blobScheduleOfFork, forkRowsUpTo } from './active-forks.js';
import {
  activationTimesOf,
  ascendingStarts,
  type BlobSchedule,
  type ChainDescription,
  type ForkActivation,
} from './chain-description.js';

/** Configuration of one fork. Precompiles and system contracts have their names in EIP-7910; addresses are `0x` hex. */
export interface ForkConfig {
  /** Start in seconds since 1970; 0 if the fork starts at genesis or at a block number. */
  readonly activationTime: number;
  /** Blob parameters; `null` before Cancun. */
  readonly blobSchedule: BlobSchedule | null;
  readonly chainId: string;
  /** Fork hash of EIP-2124: checksum of the genesis hash and of all forks up to this one. */
  readonly forkId: string;
  readonly precompiles: Readonly<Record<string, string>>;
  readonly systemContracts: Readonly<Record<string, string>>;
}

/** The current fork, the next fork, and the last scheduled fork; `null` if there is none. */
export interface ForkConfigs {
  readonly current: ForkConfig;
  readonly next: ForkConfig | null;
  readonly last: ForkConfig | null;
}

/** Returns the fork configurations as seen from a block with this number and timestamp (seconds). */
export function forkConfigs(
  chain: ChainDescription,
  genesisHash: Uint8Array,
  at: { readonly number: number; readonly timestamp: bigint },
): ForkConfigs {
  const config = (index: number): ForkConfig => forkConfig(chain, genesisHash, index);
  const current = activeForkIndex(chain.forks, at.number, at.timestamp);
  const last = chain.forks.length - 1;
  const isPlanned = current < last;
  return {
    current: config(current),
    next: isPlanned ? config(current + 1) : null,
    last: isPlanned ? config(last) : null,
  };
}

function forkConfig(chain: ChainDescription, genesisHash: Uint8Array, index: number): ForkConfig {
  const { name, timestamp } = chain.forks[index]!;
  return {
    activationTime: timestamp ?? 0,
    blobSchedule: forkRowsUpTo(name).some(({ blobs }) => blobs !== undefined) ? blobScheduleOfFork(chain, index) : null,
    chainId: toQuantity(chain.chainId),
    forkId: forkId(chain, genesisHash, chain.forks[index]!),
    precompiles: precompilesOf(name),
    systemContracts: systemContractsOf(name, chain),
  };
}

function precompilesOf(fork: string): Record<string, string> {
  const brought = forkRowsUpTo(fork).flatMap(({ precompiles = [] }) => precompiles);
  return Object.fromEntries(
    brought.flatMap(([first, names]) => names.map((name, at) => [name, toHex(toBytes(BigInt(first + at), 20))])),
  );
}

function systemContractsOf(fork: string, { depositContract }: ChainDescription): Record<string, string> {
  const brought = forkRowsUpTo(fork).flatMap(({ systemContracts = {} }) => Object.entries(systemContracts));
  return Object.fromEntries(
    brought.map(([name, address]) => [
      name,
      toHex(address === DEPOSIT_CONTRACT_ADDRESS ? (depositContract ?? address) : address),
    ]),
  );
}

/**
 * Computes the fork hash of EIP-2124 over the forks that start at a block number, then over those that start at a time.
 * Skips forks at genesis, and a fork with the same start as another one.
 */
function forkId(chain: ChainDescription, genesisHash: Uint8Array, { block, timestamp }: ForkActivation): string {
  const blocks = ascendingStarts(chain.forks.map((fork) => fork.block));
  const times = activationTimesOf(chain).filter((time) => time <= (timestamp ?? 0));
  const passed = block === null ? [...blocks, ...times] : blocks.filter((start) => start <= block);
  const checksum = passed.reduce((sum, start) => crc32(toBytes(BigInt(start), 8), sum), crc32(genesisHash));
  return toHex(toBytes(BigInt(checksum), 4));
}
