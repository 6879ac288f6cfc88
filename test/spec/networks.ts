// The networks of official tests, as configurations of a genesis file.
import { parseGenesis } from '../../src/execution/block/genesis.js';
import type { ChainDescription } from '../../src/chain/chain-description.js';
import { prefixed, type Config } from './fixture.js';

/** In order of activation: the tests' names, and the keys in a genesis file. */
const NETWORKS: readonly (readonly [network: string, ...keys: string[]])[] = [
  ['Frontier'],
  ['Homestead', 'homesteadBlock'],
  ['EIP150', 'eip150Block'],
  ['EIP158', 'eip155Block', 'eip158Block'],
  ['Byzantium', 'byzantiumBlock'],
  ['Constantinople', 'constantinopleBlock'],
  ['ConstantinopleFix', 'petersburgBlock'],
  ['Istanbul', 'istanbulBlock'],
  ['MuirGlacier', 'muirGlacierBlock'],
  ['Berlin', 'berlinBlock'],
  ['London', 'londonBlock'],
  ['ArrowGlacier', 'arrowGlacierBlock'],
  ['GrayGlacier', 'grayGlacierBlock'],
  ['Paris', 'mergeNetsplitBlock'],
  ['Shanghai', 'shanghaiTime'],
  ['Cancun', 'cancunTime'],
  ['Prague', 'pragueTime'],
  ['Osaka', 'osakaTime'],
  ['BPO1', 'bpo1Time'],
  ['BPO2', 'bpo2Time'],
  ['BPO3', 'bpo3Time'],
  ['BPO4', 'bpo4Time'],
  ['BPO5', 'bpo5Time'],
  ['Amsterdam', 'amsterdamTime'],
];
const MERGE = NETWORKS.findIndex(([network]) => network === 'Paris');
const ALIASES: Readonly<Record<string, string>> = {
  Merge: 'Paris',
  Petersburg: 'ConstantinopleFix',
  TangerineWhistle: 'EIP150',
  SpuriousDragon: 'EIP158',
};

/** The `config` of a genesis file for a network, including transitions; or why there is none. */
export function genesisConfig(network: string, config: Config = {}): Record<string, unknown> | string {
  const [, before = network, after = network, isTime, at = '0', thousands] =
    /^([A-Za-z0-9]+?)To([A-Za-z0-9]+)At(Time)?(\d+)(k?)$/.exec(network) ?? [];
  const [first, last] = [placeOf(before), placeOf(after)];
  if (first < 0 || last < 0) return `the network ${network} is not known here`;
  if (first < MERGE && last >= MERGE) return 'a merge by total difficulty is not known before it comes';
  if (isTime === undefined && first >= MERGE && first !== last) return `the network ${network} is not known here`;
  const start = Number(at) * (thousands === 'k' ? 1000 : 1);
  const keys = NETWORKS.slice(0, last + 1).flatMap(([, ...names], place) =>
    names.map((name) => [name, place <= first ? 0 : start] as const),
  );
  return {
    chainId: prefixed(config.chainid ?? '0x01'),
    ...Object.fromEntries(keys),
    ...(last >= MERGE ? { terminalTotalDifficulty: 0 } : {}),
    ...(config.blobSchedule === undefined ? {} : { blobSchedule: lowerCased(config.blobSchedule) }),
  };
}

/** The chain description of a network. */
export function chainOf(network: string, config?: Config): ChainDescription | string {
  const genesis = genesisConfig(network, config);
  if (typeof genesis === 'string') return genesis;
  return parseGenesis(network, JSON.stringify({ config: genesis, alloc: {} })).chain;
}

function placeOf(network: string): number {
  const name = ALIASES[network] ?? network;
  return NETWORKS.findIndex(([known]) => known === name);
}

function lowerCased(schedule: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schedule).map(([fork, row]) => [fork.toLowerCase(), row]));
}
