// Table of all forks, one row each: their keys in genesis files, what they introduced, and how they are recognized in a
// node's eth_config. A new fork needs a row here, code for its EIPs, and its opcodes (src/evm/opcodes.table.ts).
import {
  BUILDER_DEPOSIT_QUEUE_ADDRESS,
  BUILDER_EXIT_QUEUE_ADDRESS,
  CONSOLIDATION_QUEUE_ADDRESS,
  DEPOSIT_CONTRACT_ADDRESS,
  WITHDRAWAL_QUEUE_ADDRESS,
} from './block/execution-requests.js';
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from './block-start-system-contracts.js';

/** Blob parameters of a fork (a row of EIP-7892's blob schedule). */
export interface BlobSchedule {
  readonly target: number;
  readonly max: number;
  readonly baseFeeUpdateFraction: number;
}

/** EIPs that the code queries by number. They change the validation of transactions, blobs, or the header. */
export type Eip =
  | 1559
  | 2780
  | 3860
  | 4788
  | 4844
  | 4895
  | 7594
  | 7623
  | 7685
  | 7708
  | 7825
  | 7843
  | 7918
  | 7928
  | 7954
  | 7976
  | 7981
  | 8037
  | 8038
  | 8246
  | 8282;

/** OP-Stack forks after Jovian, where the chains diverge: a chain has either the superchain's forks or Base's. */
export const OP_FORKS_BY_LINEAGE = { superchain: ['karst'], base: ['azul', 'beryl', 'cobalt', 'denim'] } as const;

/** OP-Stack forks in order of activation. The superchain's forks after Jovian come before Base's. */
export const OP_FORK_NAMES = [
  'ecotone',
  'fjord',
  'granite',
  'holocene',
  'isthmus',
  'jovian',
  ...OP_FORKS_BY_LINEAGE.superchain,
  ...OP_FORKS_BY_LINEAGE.base,
] as const;

export type OpFork = (typeof OP_FORK_NAMES)[number];

/**
 * Addresses at which the node runs native code instead of EVM code, by fork. This program cannot execute them. Beryl
 * adds a factory of native tokens, a registry of token policies and a registry of activations.
 */
export const NON_EVM_ADDRESSES_BY_FORK = {
  beryl: [
    '0xb20f000000000000000000000000000000000000',
    '0x8453000000000000000000000000000000000002',
    '0x8453000000000000000000000000000000000001',
  ],
} as const satisfies Readonly<Partial<Record<OpFork, readonly string[]>>>;

export interface ForkRow {
  /** Name of the hardfork in `@ethereumjs/common`. */
  readonly name: string;
  /** Key in geth's genesis files that sets the fork's start (block number or time); `null` if it has none. */
  readonly genesisKey: string | null;
  readonly eips?: readonly Eip[];
  /** Blob parameters of the fork, unless the chain's description has others. */
  readonly blobs?: BlobSchedule;
  /** Precompiles by their names in EIP-7910. The names of one item have consecutive addresses from `first` on. */
  readonly precompiles?: readonly (readonly [first: number, names: readonly string[]])[];
  /** System contracts by their names in EIP-7910. */
  readonly systemContracts?: Readonly<Record<string, Uint8Array>>;
  /** Matches the name of a precompile or system contract that identifies this fork in a node's eth_config. */
  readonly mark?: RegExp;
  /** OP-Stack forks that include this Ethereum fork. */
  readonly op?: readonly ('canyon' | OpFork)[];
  /** True if the fork only changes blob parameters (EIP-7892). */
  readonly isOfBlobs?: true;
}

/** Numbers of the forks that only change blob parameters (BPO1 to BPO5). They follow Osaka, and again Amsterdam. */
const OF_BLOBS = [1, 2, 3, 4, 5];

/** All forks in order. Each one builds on those before it: a chain that starts with a fork has all earlier ones too. */
export const FORKS: readonly ForkRow[] = [
  { name: 'chainstart', genesisKey: null, precompiles: [[0x01, ['ECREC', 'SHA256', 'RIPEMD160', 'ID']]] },
  { name: 'homestead', genesisKey: 'homesteadBlock' },
  { name: 'tangerineWhistle', genesisKey: 'eip150Block' },
  { name: 'spuriousDragon', genesisKey: 'eip158Block' },
  {
    name: 'byzantium',
    genesisKey: 'byzantiumBlock',
    precompiles: [[0x05, ['MODEXP', 'BN254_ADD', 'BN254_MUL', 'BN254_PAIRING']]],
  },
  { name: 'constantinople', genesisKey: 'constantinopleBlock' },
  { name: 'petersburg', genesisKey: 'petersburgBlock' },
  { name: 'istanbul', genesisKey: 'istanbulBlock', precompiles: [[0x09, ['BLAKE2F']]] },
  { name: 'muirGlacier', genesisKey: 'muirGlacierBlock' },
  { name: 'berlin', genesisKey: 'berlinBlock' },
  { name: 'london', genesisKey: 'londonBlock', eips: [1559] },
  { name: 'arrowGlacier', genesisKey: 'arrowGlacierBlock' },
  { name: 'grayGlacier', genesisKey: 'grayGlacierBlock' },
  { name: 'paris', genesisKey: null },
  { name: 'mergeNetsplitBlock', genesisKey: null },
  { name: 'shanghai', genesisKey: 'shanghaiTime', eips: [3860, 4895], op: ['canyon'] },
  {
    name: 'cancun',
    genesisKey: 'cancunTime',
    eips: [4788, 4844],
    // Blob parameters of EIP-4844.
    blobs: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
    precompiles: [[0x0a, ['KZG_POINT_EVALUATION']]],
    systemContracts: { BEACON_ROOTS_ADDRESS: BEACON_ROOTS_ADDRESS },
    mark: /^KZG/,
    op: ['ecotone'],
  },
  {
    name: 'prague',
    genesisKey: 'pragueTime',
    eips: [7623, 7685],
    // Blob parameters of EIP-7691.
    blobs: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
    precompiles: [
      [0x0b, ['BLS12_G1ADD', 'BLS12_G1MSM', 'BLS12_G2ADD', 'BLS12_G2MSM', 'BLS12_PAIRING_CHECK']],
      [0x10, ['BLS12_MAP_FP_TO_G1', 'BLS12_MAP_FP2_TO_G2']],
    ],
    systemContracts: {
      CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS: CONSOLIDATION_QUEUE_ADDRESS,
      DEPOSIT_CONTRACT_ADDRESS: DEPOSIT_CONTRACT_ADDRESS,
      HISTORY_STORAGE_ADDRESS: HISTORY_STORAGE_ADDRESS,
      WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: WITHDRAWAL_QUEUE_ADDRESS,
    },
    mark: /^BLS12_/,
    op: ['isthmus'],
  },
  {
    name: 'osaka',
    genesisKey: 'osakaTime',
    eips: [7594, 7825, 7918],
    precompiles: [[0x100, ['P256VERIFY']]],
    mark: /^P256VERIFY$/,
    op: ['karst', 'azul', 'beryl', 'cobalt', 'denim'],
  },
  ...OF_BLOBS.map((count): ForkRow => ({ name: `bpo${count}`, genesisKey: `bpo${count}Time`, isOfBlobs: true })),
  {
    name: 'amsterdam',
    genesisKey: 'amsterdamTime',
    eips: [2780, 7708, 7843, 7928, 7954, 7976, 7981, 8037, 8038, 8246, 8282],
    systemContracts: {
      BUILDER_DEPOSIT_CONTRACT_ADDRESS: BUILDER_DEPOSIT_QUEUE_ADDRESS,
      BUILDER_EXIT_CONTRACT_ADDRESS: BUILDER_EXIT_QUEUE_ADDRESS,
    },
    mark: /^BUILDER_/,
  },
  // go-ethereum's genesis files have keys only for the BPO forks before Amsterdam. The BPO forks after it have no key:
  // only a node's eth_config reports them.
  ...OF_BLOBS.map((count): ForkRow => ({ name: `amsterdamBpo${count}`, genesisKey: null, isOfBlobs: true })),
];
