// Chains known by their id: their names, and the fork times of OP-Stack chains. A new chain needs a row, with source
// and date of its data. Only forks known at that date are listed; later ones are queried from the chain's node.
import { OP_FORKS_BY_LINEAGE, OP_FORK_NAMES, type OpFork } from './forks.table.js';
import { opChainDescription, type OpChainOptions } from './op/forks.js';
import type { ChainDescription } from './chain-description.js';

/** Returns the description of a known OP-Stack chain; `null` for any other chain. */
export function knownOpChainDescription(chainId: bigint): ChainDescription | null {
  const row = rowOf(chainId);
  return row === undefined ? null : opChainDescription({ chainId, ...row.rules });
}

/** Returns the common name of a chain; `null` if the tables of this file do not contain the chain. */
export function chainName(chainId: bigint): string | null {
  return rowOf(chainId)?.name ?? ETHEREUM[chainId.toString()] ?? null;
}

/** How current a chain's fork times are: the last known fork, and date and source of the data. */
export interface ForkDataFreshness {
  /** The newest fork with a known time on the date `on`, past or planned; `null` if no fork has one. */
  readonly last: OpFork | null;
  /** Date of the data in ISO 8601. */
  readonly on: string;
  readonly from: string;
}

/** Returns how current the fork times of a chain are; `null` if the table of this file does not contain the chain. */
export function forkDataFreshnessOf(chainId: bigint): ForkDataFreshness | null {
  const row = rowOf(chainId);
  if (row === undefined) return null;
  const last = OP_FORK_NAMES.findLast((fork) => typeof row.rules[fork] === 'number') ?? null;
  return { last, ...row.read };
}

interface ChainRow {
  readonly name: string;
  readonly rules: Omit<OpChainOptions, 'chainId'>;
  readonly read: Omit<ForkDataFreshness, 'last'>;
}

function rowOf(chainId: bigint): ChainRow | undefined {
  return CHAINS[chainId.toString()];
}

const REGISTRY = { on: '2026-08-04', from: 'the superchain registry at 8336d2ae' };
const BASE = { on: '2026-11-25', from: "Base's documentation and the settings of its node" };
const X_LAYER = { on: '2026-11-25', from: "X Layer's documentation" };
const RISE = { on: '2026-11-26', from: "the settings of RISE's node at ee0be6c1" };

/** EIP-1559 parameters of most OP-Stack chains between Canyon and Holocene. */
const FEES = { elasticity: 6, denominator: 250 };

/** Times of OP-Stack forks on Ethereum mainnet. OP Mainnet and most other chains of the superchain share them. */
const MAINNET = {
  canyon: 1_704_992_401,
  ecotone: 1_710_374_401,
  fjord: 1_720_627_201,
  granite: 1_726_070_401,
  holocene: 1_736_445_601,
  isthmus: 1_746_806_401,
  jovian: 1_764_691_201,
  karst: 1_783_526_401,
  ...FEES,
};
const SEPOLIA = {
  canyon: 1_699_981_200,
  ecotone: 1_708_534_800,
  fjord: 1_716_998_400,
  granite: 1_723_478_400,
  holocene: 1_732_633_200,
  isthmus: 1_744_905_600,
  jovian: 1_763_568_001,
  karst: 1_781_712_001,
  ...FEES,
};
/** Fork times of chains that had all forks up to Ecotone, or up to Granite, from genesis on. */
const FROM_ECOTONE = { canyon: 0, ecotone: 0 };
const FROM_GRANITE = { ...FROM_ECOTONE, fjord: 0, granite: 0 };
const WORLD_CHAIN = { ...FEES, elasticity: 10, ...FROM_ECOTONE };
/** Marks the superchain's forks after Jovian as not planned, because Base has its own forks in their place. */
const OWN = Object.fromEntries(OP_FORKS_BY_LINEAGE.superchain.map((fork) => [fork, null]));

/** Chains by their id. */
const CHAINS: Readonly<Record<string, ChainRow>> = {
  10: { name: 'OP Mainnet', rules: MAINNET, read: REGISTRY },
  130: { name: 'Unichain', rules: { ...MAINNET, ...FROM_GRANITE }, read: REGISTRY },
  183: { name: 'Ethernity', rules: { ...MAINNET, elasticity: 20, denominator: 1000 }, read: REGISTRY },
  196: {
    name: 'X Layer',
    rules: { ...FEES, ...FROM_GRANITE, holocene: 0, isthmus: 0, jovian: 1_764_691_201 },
    read: X_LAYER,
  },
  480: {
    name: 'World Chain',
    rules: {
      ...WORLD_CHAIN,
      fjord: 1_721_826_000,
      granite: 1_727_780_400,
      holocene: 1_738_238_400,
      isthmus: 1_764_072_000,
      jovian: 1_777_593_600,
    },
    read: REGISTRY,
  },
  624: { name: 'Binary', rules: { ...MAINNET, ...FROM_ECOTONE, fjord: 1_725_536_344 }, read: REGISTRY },
  919: { name: 'Mode Sepolia', rules: { ...SEPOLIA, canyon: 1_703_203_200 }, read: REGISTRY },
  1135: { name: 'Lisk', rules: { ...MAINNET, elasticity: 20, denominator: 1000 }, read: REGISTRY },
  1301: {
    name: 'Unichain Sepolia',
    rules: { ...SEPOLIA, ...FROM_GRANITE, holocene: 1_734_559_200 },
    read: REGISTRY,
  },
  1740: { name: 'Metal L2 Sepolia', rules: { ...SEPOLIA, canyon: 1_708_129_622 }, read: REGISTRY },
  1750: { name: 'Metal L2', rules: { ...MAINNET, ...FROM_ECOTONE }, read: REGISTRY },
  1868: { name: 'Soneium', rules: { ...MAINNET, ...FROM_GRANITE, holocene: 1_738_573_200 }, read: REGISTRY },
  1946: {
    name: 'Soneium Minato',
    rules: { ...SEPOLIA, ...FROM_ECOTONE, fjord: 1_730_106_000, granite: 1_730_106_000, holocene: 1_734_685_200 },
    read: REGISTRY,
  },
  4153: {
    name: 'RISE',
    rules: { ...FEES, elasticity: 1, ...FROM_GRANITE, holocene: 0, isthmus: 0, jovian: 0 },
    read: RISE,
  },
  4202: { name: 'Lisk Sepolia', rules: { ...SEPOLIA, canyon: 1_705_312_994, elasticity: 10 }, read: REGISTRY },
  4801: {
    name: 'World Chain Sepolia',
    rules: {
      ...WORLD_CHAIN,
      fjord: 1_721_739_600,
      granite: 1_726_570_800,
      holocene: 1_737_633_600,
      isthmus: 1_761_825_600,
      jovian: 1_777_161_600,
    },
    read: REGISTRY,
  },
  8453: {
    name: 'Base',
    rules: {
      ...MAINNET,
      ...OWN,
      azul: 1_779_991_200,
      beryl: 1_782_410_400,
      cobalt: 1_790_791_200,
      denim: 1_793_901_600,
    },
    read: BASE,
  },
  34443: { name: 'Mode', rules: MAINNET, read: REGISTRY },
  57073: { name: 'Ink', rules: { ...MAINNET, ...FROM_GRANITE, holocene: 1_742_396_400 }, read: REGISTRY },
  84532: {
    name: 'Base Sepolia',
    rules: {
      ...SEPOLIA,
      ...OWN,
      azul: 1_776_708_000,
      beryl: 1_781_805_600,
      cobalt: 1_790_186_400,
      denim: 1_792_605_600,
      elasticity: 10,
    },
    read: BASE,
  },
  763373: { name: 'Ink Sepolia', rules: SEPOLIA, read: REGISTRY },
  7777777: { name: 'Zora', rules: MAINNET, read: REGISTRY },
  11155931: {
    name: 'RISE Testnet',
    rules: { ...FEES, ...FROM_GRANITE, holocene: 1_750_845_600, isthmus: 1_751_968_800, jovian: 1_765_857_600 },
    read: RISE,
  },
  11155420: { name: 'OP Sepolia', rules: SEPOLIA, read: REGISTRY },
  999999999: { name: 'Zora Sepolia', rules: SEPOLIA, read: REGISTRY },
};

/** Names of Ethereum networks by chain id. Their fork times are read from their nodes. */
const ETHEREUM: Readonly<Record<string, string>> = {
  1: 'Ethereum',
  17000: 'Holesky',
  560048: 'Hoodi',
  11155111: 'Sepolia',
};
