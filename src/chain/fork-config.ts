// What EIP-7910 tells of a fork: when it starts, its blobs, precompiles and system contracts. Runs on main.
import { crc32 } from 'node:zlib';
import { toHex, toQuantity } from '../lib/hex.js';
import { toBytes } from '../lib/words.js';
import { CONSOLIDATION_REQUESTS, DEPOSIT_CONTRACT, WITHDRAWAL_REQUESTS } from './execution-requests.js';
import { activeFork, blobScheduleAt, includesFork } from './forks.js';
import type { BlobSchedule, ChainDescription, ForkActivation } from './spec.js';
import { BEACON_ROOTS, BLOCK_HASHES } from './system-contracts.js';

/** One fork. Addresses by the EIP's names, `0x` hex. */
export interface ForkConfig {
  /** Seconds since 1970; 0 for a fork that starts with the chain, or at a block. */
  readonly activationTime: number;
  /** `null` before Cancun. */
  readonly blobSchedule: BlobSchedule | null;
  readonly chainId: string;
  /** EIP-2124: checksum of the genesis hash and of the forks up to this one. */
  readonly forkId: string;
  readonly precompiles: Readonly<Record<string, string>>;
  readonly systemContracts: Readonly<Record<string, string>>;
}

/** The fork in force, the next one and the last one that is planned; the latter are `null` where none is. */
export interface ForkConfigs {
  readonly current: ForkConfig;
  readonly next: ForkConfig | null;
  readonly last: ForkConfig | null;
}

/** By the fork that brought them: names in the order of their addresses from there on, which follow each other. */
const PRECOMPILES: readonly (readonly [fork: string, first: number, names: readonly string[]])[] = [
  ['chainstart', 0x01, ['ECREC', 'SHA256', 'RIPEMD160', 'ID']],
  ['byzantium', 0x05, ['MODEXP', 'BN254_ADD', 'BN254_MUL', 'BN254_PAIRING']],
  ['istanbul', 0x09, ['BLAKE2F']],
  ['cancun', 0x0a, ['KZG_POINT_EVALUATION']],
  ['prague', 0x0b, ['BLS12_G1ADD', 'BLS12_G1MSM', 'BLS12_G2ADD', 'BLS12_G2MSM', 'BLS12_PAIRING_CHECK']],
  ['prague', 0x10, ['BLS12_MAP_FP_TO_G1', 'BLS12_MAP_FP2_TO_G2']],
  ['osaka', 0x100, ['P256VERIFY']],
];

/** The forks of a chain as seen from a block with this number and timestamp (seconds). */
export function forkConfigs(
  chain: ChainDescription,
  genesisHash: Uint8Array,
  at: { readonly number: number; readonly timestamp: bigint },
): ForkConfigs {
  const config = (index: number): ForkConfig => forkConfig(chain, genesisHash, index);
  const current = activeFork(chain.forks, at.number, at.timestamp);
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
    blobSchedule: includesFork(name, 'cancun') ? blobScheduleAt(chain, index) : null,
    chainId: toQuantity(chain.chainId),
    forkId: forkId(chain, genesisHash, chain.forks[index]!),
    precompiles: precompilesOf(name),
    systemContracts: systemContractsOf(name, chain),
  };
}

function precompilesOf(fork: string): Record<string, string> {
  const brought = PRECOMPILES.filter(([since]) => includesFork(fork, since));
  return Object.fromEntries(
    brought.flatMap(([, first, names]) => names.map((name, at) => [name, toHex(toBytes(BigInt(first + at), 20))])),
  );
}

function systemContractsOf(fork: string, { depositContract }: ChainDescription): Record<string, string> {
  if (!includesFork(fork, 'cancun')) return {};
  const cancun = { BEACON_ROOTS_ADDRESS: toHex(BEACON_ROOTS) };
  if (!includesFork(fork, 'prague')) return cancun;
  return {
    ...cancun,
    CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS: toHex(CONSOLIDATION_REQUESTS),
    DEPOSIT_CONTRACT_ADDRESS: toHex(depositContract ?? DEPOSIT_CONTRACT),
    HISTORY_STORAGE_ADDRESS: toHex(BLOCK_HASHES),
    WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: toHex(WITHDRAWAL_REQUESTS),
  };
}

/** When forks of the OP Stack start that are none of Ethereum's. */
const OP_STARTS = ['ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian', 'karst', 'azul'] as const;

/** Blocks before times; what starts with the chain, or with another fork, does not count. */
function forkId({ forks, op }: ChainDescription, genesisHash: Uint8Array, upTo: ForkActivation): string {
  const blocks = forks.map(({ block }) => block);
  const times = [...forks.map(({ timestamp }) => timestamp), ...OP_STARTS.map((name) => op?.[name] ?? null)];
  const passed =
    upTo.block === null
      ? [...startsUpTo(blocks, Infinity), ...startsUpTo(times, upTo.timestamp ?? 0)]
      : startsUpTo(blocks, upTo.block);
  const checksum = passed.reduce((sum, start) => crc32(toBytes(BigInt(start), 8), sum), crc32(genesisHash));
  return toHex(toBytes(BigInt(checksum), 4));
}

function startsUpTo(starts: readonly (number | null)[], last: number): number[] {
  const passed = starts.filter((start) => start !== null && start > 0 && start <= last) as number[];
  return [...new Set(passed)].sort((a, b) => a - b);
}
