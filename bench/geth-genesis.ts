// A genesis file in geth's format with the dev chain's state or another one, so that prestate and anvil serve the same
// contracts.
import { writeFileSync } from 'node:fs';
import { DEV_GAS_LIMIT, devGenesisState } from '../src/feed/dev/genesis.js';
import type { StateChanges } from '../src/state/state-diff.js';
import { toHex, toQuantity } from '../src/lib/bytes/hex.js';

interface GenesisAccount {
  readonly balance: string;
  readonly nonce: string;
  readonly code?: string;
  readonly storage: Record<string, string>;
}

/** Writes the genesis to `file`: all forks to Osaka at block 0, chain id 31337. */
export function writeGethGenesis(file: string, state: StateChanges = devGenesisState()): void {
  writeFileSync(file, JSON.stringify({ ...HEADER, config: CONFIG, alloc: alloc(state) }));
}

const FORKS = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul'];
const LATER_FORKS = ['muirGlacier', 'berlin', 'london', 'arrowGlacier', 'grayGlacier', 'mergeNetsplit'];
const TIMED_FORKS = ['shanghai', 'cancun', 'prague', 'osaka'];
const BLOBS = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 };

const CONFIG = {
  chainId: 31_337,
  ...Object.fromEntries([...FORKS, ...LATER_FORKS].map((fork) => [`${fork}Block`, 0])),
  ...Object.fromEntries(TIMED_FORKS.map((fork) => [`${fork}Time`, 0])),
  terminalTotalDifficulty: 0,
  terminalTotalDifficultyPassed: true,
  blobSchedule: { cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 }, prague: BLOBS, osaka: BLOBS },
};

const HEADER = {
  nonce: '0x0',
  timestamp: '0x60000000',
  extraData: '0x',
  gasLimit: toQuantity(DEV_GAS_LIMIT),
  difficulty: '0x0',
  baseFeePerGas: toQuantity(1_000_000_000),
  mixHash: toHex(new Uint8Array(32)),
  coinbase: toHex(new Uint8Array(20)),
};

function alloc({ accounts, slots, codes }: StateChanges): Record<string, GenesisAccount> {
  const codeOf = new Map(codes.map(({ hash, bytes }) => [toHex(hash), toHex(bytes)]));
  const storageOf = new Map<string, [string, string][]>();
  for (const { address, slot, value } of slots) {
    const owner = toHex(address);
    if (!storageOf.has(owner)) storageOf.set(owner, []);
    storageOf.get(owner)!.push([toHex(slot), toHex(value)]);
  }
  return Object.fromEntries(
    accounts.map(({ address, account }) => {
      const owner = toHex(address);
      const code = codeOf.get(toHex(account!.codeHash));
      const balance = toQuantity(account!.balance);
      const nonce = toQuantity(account!.nonce);
      const storage = Object.fromEntries(storageOf.get(owner) ?? []);
      return [owner, { balance, nonce, ...(code === undefined ? {} : { code }), storage }];
    }),
  );
}
