// One genesis for both programs: funded accounts, every test program, the dev chain's compiled contracts, delegated
// accounts.
import { Wallet } from 'ethers';
import { BEACON_ROOTS_ADDRESS } from '../../src/chain/block-start-system-contracts.js';
import { DEV_SWAP_POOL, DEV_GOLD_TOKEN, DEV_SILVER_TOKEN, devGenesisState } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { PROGRAMS } from './programs.js';

export const CHAIN_ID = 31337;
/** Small, so that endless code ends soon. */
export const GAS_LIMIT = 1_500_000;
export const BASE_FEE = 1_000_000_000;

const numbered = (prefix: string, index: number): string =>
  `0x${prefix}${index.toString(16).padStart(40 - prefix.length, '0')}`;

/** Addresses of PROGRAMS, in their order. */
export const CONTRACTS = PROGRAMS.map((_, i) => numbered('c0de', i + 1));
export const contract = (name: string): string => CONTRACTS[PROGRAMS.findIndex((program) => program.name === name)]!;

/** Their keys sign authorizations. */
export const WALLETS = [1, 2, 3, 4].map((key) => new Wallet(numbered('', key).padEnd(66, '7')));
export const [RICH, MODEST, POOR, NEW] = WALLETS.map(({ address }) => address.toLowerCase()) as [
  string,
  string,
  string,
  string,
];
export const ABSENT = numbered('ab', 1);
export const POOL = toHex(DEV_SWAP_POOL);
export const TOKENS = [toHex(DEV_GOLD_TOKEN), toHex(DEV_SILVER_TOKEN)];

/** Accounts that delegate to another account (EIP-7702). */
const DELEGATES: readonly (readonly [address: string, target: string])[] = [
  'environment',
  'store',
  'proxy',
  'endless',
  'receives, stores',
].map((name, i) => [numbered('de', i + 1), contract(name)] as const);
const MORE_DELEGATES: readonly (readonly [address: string, target: string])[] = [
  [numbered('de', 0x11), numbered('de', 1)],
  [numbered('de', 0x12), numbered('de', 0x12)],
  [numbered('de', 0x13), ABSENT],
  [numbered('de', 0x14), numbered('', 4)],
  [numbered('de', 0x15), RICH],
];
export const DELEGATED = [...DELEGATES, ...MORE_DELEGATES].map(([address]) => address);

interface Alloc {
  balance: string;
  nonce?: string;
  code?: string;
  storage?: Record<string, string>;
}

/** The genesis file as JSON. */
export function genesisText(): string {
  const blobs = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 };
  const blockForks = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg']
    .concat(['istanbul', 'muirGlacier', 'berlin', 'london', 'arrowGlacier', 'grayGlacier'])
    .map((name) => [`${name}Block`, 0] as const);
  const config = {
    chainId: CHAIN_ID,
    ...Object.fromEntries(blockForks),
    mergeNetsplitBlock: 0,
    terminalTotalDifficulty: 0,
    terminalTotalDifficultyPassed: true,
    shanghaiTime: 0,
    cancunTime: 0,
    pragueTime: 0,
    osakaTime: 0,
    blobSchedule: { cancun: blobs, prague: blobs, osaka: blobs },
  };
  return JSON.stringify({
    config,
    nonce: '0x0',
    timestamp: quantity(1_700_000_000),
    extraData: '0x',
    gasLimit: quantity(GAS_LIMIT),
    difficulty: '0x0',
    // anvil supports no other value for its block 0.
    mixHash: `0x${'00'.repeat(32)}`,
    coinbase: numbered('fee1', 1),
    baseFeePerGas: quantity(BASE_FEE),
    alloc: allocation(),
  });
}

/** Without EIP-4788's contract, for chains that anvil builds: it only calls EIP-2935's. */
export function bareGenesisText(): string {
  const file = JSON.parse(genesisText()) as { alloc: Record<string, Alloc> };
  const { [toHex(BEACON_ROOTS_ADDRESS)]: _, ...alloc } = file.alloc;
  return JSON.stringify({ ...file, alloc });
}

function allocation(): Record<string, Alloc> {
  const alloc = devAllocation();
  alloc[RICH] = { balance: quantity(10n ** 24n) };
  alloc[MODEST] = { balance: quantity(10n ** 15n), nonce: '0x7' };
  alloc[POOR] = { balance: '0x64', nonce: '0x1' };
  for (const [i, { code }] of PROGRAMS.entries()) {
    const storage = i % 3 === 0 ? {} : { [word(0)]: word(7), [word(1)]: word(i), [word(2)]: word(2n ** 255n) };
    alloc[CONTRACTS[i]!] = { balance: quantity(i % 4), nonce: '0x1', code, storage };
  }
  for (const [address, target] of [...DELEGATES, ...MORE_DELEGATES])
    alloc[address] = { balance: quantity(10n ** 18n), nonce: '0x2', code: `0xef0100${target.slice(2)}` };
  return alloc;
}

/** The dev chain's genesis state, in the format of the file. */
function devAllocation(): Record<string, Alloc> {
  const { accounts, slots, codes } = devGenesisState();
  const codeOf = new Map(codes.map(({ hash, bytes }) => [toHex(hash), toHex(bytes)]));
  const alloc: Record<string, Alloc> = {};
  for (const { address, account } of accounts) {
    const { balance, nonce, codeHash } = account!;
    const code = codeOf.get(toHex(codeHash)) ?? '0x';
    alloc[toHex(address)] = { balance: quantity(balance), nonce: quantity(nonce), code, storage: {} };
  }
  for (const { address, slot, value } of slots) alloc[toHex(address)]!.storage![toHex(slot)] = toHex(value);
  return alloc;
}

export function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

/** 32 bytes with `0x`. */
export function word(value: number | bigint | string): string {
  const digits = typeof value === 'string' ? value.slice(2) : value.toString(16);
  return `0x${digits.padStart(64, '0')}`;
}
