// Chains whose rules are known without a file. Fork times are those of the superchain registry and, for Azul, of Base's
// documentation. Runs on every thread.
import type { ChainDescription } from './spec.js';
import { opChain, type OpChainOptions } from './op/forks.js';

/** The description of a known chain, `null` for any other. */
export function knownChain(chainId: bigint): ChainDescription | null {
  const options = CHAINS.find((chain) => chain.chainId === chainId);
  return options === undefined ? null : opChain(options);
}

/** Most chains' EIP-1559 between Canyon and Holocene. */
const FEES = { elasticity: 6, denominator: 250 };

/** Forks that OP Mainnet and its followers on Ethereum take at the same time, and those on Sepolia. */
const MAINNET = {
  canyon: 1_704_992_401,
  ecotone: 1_710_374_401,
  fjord: 1_720_627_201,
  granite: 1_726_070_401,
  holocene: 1_736_445_601,
  isthmus: 1_746_806_401,
  jovian: 1_764_691_201,
  karst: 1_783_526_401,
  azul: null,
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
  azul: null,
  ...FEES,
};
/** Chains that began with everything up to Granite. */
const FROM_GRANITE = { canyon: 0, ecotone: 0, fjord: 0, granite: 0 };

const CHAINS: readonly OpChainOptions[] = [
  // OP Mainnet
  { chainId: 10n, ...MAINNET },
  // OP Sepolia
  { chainId: 11_155_420n, ...SEPOLIA },
  // Base
  { chainId: 8453n, ...MAINNET, karst: null, azul: 1_779_991_200 },
  // Base Sepolia
  { chainId: 84_532n, ...SEPOLIA, karst: null, azul: 1_776_708_000, elasticity: 10 },
  // Unichain
  { chainId: 130n, ...MAINNET, ...FROM_GRANITE },
  // Unichain Sepolia
  { chainId: 1301n, ...SEPOLIA, ...FROM_GRANITE, holocene: 1_734_559_200 },
  // Ink
  { chainId: 57_073n, ...MAINNET, ...FROM_GRANITE, holocene: 1_742_396_400 },
];
