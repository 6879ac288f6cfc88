// The state that a dev chain starts from: funded accounts, two tokens, and a liquidity pool of both.
import type { ChainDescription } from '../../chain/chain-description.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { Header } from '../../chain/block/header.js';
import { EMPTY_BLOCK_ACCESS_LIST_RLP } from '../../chain/block/block-access-list.js';
import { EMPTY_REQUESTS_HASH } from '../../chain/block/execution-requests.js';
import { EMPTY_TRIE_ROOT } from '../../chain/trie.js';
import { createChainRules } from '../../evm/reference/fork-rules.js';
import { sealBlock } from '../../execution/block/seal-block.js';
import { fromHex } from '../../lib/bytes/hex.js';
import { ZERO_WORD, toBytes, toWord } from '../../lib/bytes/big-endian.js';
import type { CompleteBlock } from '../../state/complete-block.js';
import type { AccountChange, CodeChange, SlotChange, StateChanges } from '../../state/state-diff.js';
import { EMPTY_CODE_HASH } from '../../state/views/state-view.js';
import {
  DEV_ACCOUNT_ADDRESSES,
  DEV_GOLD_TOKEN,
  DEV_SWAP_POOL,
  DEV_SILVER_TOKEN,
} from './accounts-and-contract-addresses.js';
import { readDevContractArtifacts, type ContractArtifact } from './contracts/artifacts.js';
import type { DevHardforkName } from '../chain-source-options.js';
import { AMSTERDAM_CONTRACTS, SYSTEM_CONTRACTS } from './system-contract-code.js';

export {
  DEV_ACCOUNT_ADDRESSES,
  DEV_GOLD_TOKEN,
  DEV_SWAP_POOL,
  DEV_SILVER_TOKEN,
} from './accounts-and-contract-addresses.js';

/**
 * Descriptions of the dev chain (chain id 31337), by its newest fork. All forks up to the named one are active from
 * block 0.
 */
export const DEV_CHAIN_BY_HARDFORK: Readonly<Record<DevHardforkName, ChainDescription>> = {
  osaka: chainOf('osaka'),
  amsterdam: chainOf('amsterdam'),
};
/** The default dev chain. */
export const DEV_CHAIN = DEV_CHAIN_BY_HARDFORK.osaka;

function chainOf(fork: DevHardforkName): ChainDescription {
  return {
    chainId: 31337n,
    forks: [{ name: fork, block: 0, timestamp: null }],
    blobSchedule: { [fork]: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 } },
    depositContract: null,
    transactionGasCap: true,
    op: null,
  };
}

export const DEV_GAS_LIMIT = 30_000_000n;
/** Base fee of the genesis block in wei per gas. EIP-1559 decides it for all later blocks. */
const DEV_BASE_FEE = 1_000_000_000n;
/** Account that receives the priority fees of every block. */
export const DEV_FEE_RECIPIENT = fromHex('0xfee1fee1fee1fee1fee1fee1fee1fee1fee1fee1');

/** Accounts that send the generated traffic. They are listed, because deriving them from their keys takes 20 ms. */
export const TRAFFIC_ACCOUNTS: readonly Uint8Array[] = [
  '0x2a808ac75c29030a188c4020bbcdb48c38f61af5',
  '0x78c0ea3aa47f35fbdaa9675ab8b87e103b84624d',
  '0x5ff270e89709be257db22a34eaf88091c6fedb57',
  '0x9c5d3fb74d813d266598be10b8d35a040214c27a',
  '0xa36f861f72b8b0e00dd29d331ca013993a5076c6',
  '0x57bc2fd263524751141ba96b96ad3875e08df3ae',
  '0x8fe3ab43f47f376c11f8eb6d7715cf5061b56d52',
  '0x07d25c4b1951da51489cf037d5a3812ff6ee1cb0',
  '0x219c78ca96f8ce36f12d000b2207dd813e0e42f6',
  '0x613c8583cd552b9756cf0e3b904ad669b2b17d6d',
].map(fromHex);

/** Returns the private key of traffic account `index`. It is public by design, like those of the dev accounts. */
export function trafficKey(index: number): Uint8Array {
  return keccak256(Buffer.from(`prestate traffic ${index}`));
}

const UNIT = 10n ** 18n;
const DEV_ACCOUNT_WEI = 10_000n * UNIT;
const DEV_ACCOUNT_TOKENS = 1_000_000n * UNIT;
/**
 * Balance of each traffic account: a million ether. It lasts for years, because 100 transactions a second burn only
 * about 0.01 ether a second.
 */
const TRAFFIC_ACCOUNT_WEI = 1_000_000n * UNIT;
const TRAFFIC_ACCOUNT_TOKENS = 1_000_000_000n * UNIT;
const POOL_GOLD = 5_000_000n * UNIT;
const POOL_SILVER = 10_000_000n * UNIT;
const ENDLESS = 2n ** 256n - 1n;

/** Returns block 0 with this `timestamp` (seconds). */
export function devGenesisBlock(
  stateRoot: Uint8Array,
  timestamp: number,
  fork: DevHardforkName = 'osaka',
): { block: CompleteBlock; header: Header } {
  const rules = createChainRules(DEV_CHAIN_BY_HARDFORK[fork]).at(0, timestamp);
  const env = {
    number: 0,
    timestamp: BigInt(timestamp),
    gasLimit: DEV_GAS_LIMIT,
    baseFeePerGas: DEV_BASE_FEE,
    coinbase: DEV_FEE_RECIPIENT,
    prevRandao: ZERO_WORD,
    difficulty: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: ZERO_WORD,
  };
  const roots = { stateRoot, withdrawalsRoot: EMPTY_TRIE_ROOT };
  const plan = { env, parentHash: ZERO_WORD, extraData: new Uint8Array(0), withdrawals: [], work: null, roots };
  const accessList = fork === 'amsterdam' ? EMPTY_BLOCK_ACCESS_LIST_RLP : null;
  const results = {
    transactions: [],
    receiptsRoot: EMPTY_TRIE_ROOT,
    gasUsed: 0n,
    blobGasUsed: 0n,
    requests: EMPTY_REQUESTS_HASH,
  };
  return sealBlock(plan, rules, null, { ...results, accessList });
}

/**
 * Returns the dev chain's state at block 0. The dev accounts and the traffic accounts hold both tokens, and allow the
 * liquidity pool to take any amount.
 */
export function devGenesisState(fork: DevHardforkName = 'osaka'): StateChanges {
  const { token, pool } = readDevContractArtifacts();
  const state = new Allocation();
  const contracts = fork === 'amsterdam' ? [...SYSTEM_CONTRACTS, ...AMSTERDAM_CONTRACTS] : SYSTEM_CONTRACTS;
  for (const { address, code } of contracts) state.contract(fromHex(address), code);
  for (const address of DEV_ACCOUNT_ADDRESSES) state.account(address, DEV_ACCOUNT_WEI);
  for (const address of TRAFFIC_ACCOUNTS) state.account(address, TRAFFIC_ACCOUNT_WEI);
  allocateToken(state, token, DEV_GOLD_TOKEN, 'Prestate Gold', 'GLD', POOL_GOLD);
  allocateToken(state, token, DEV_SILVER_TOKEN, 'Prestate Silver', 'SLV', POOL_SILVER);
  allocatePool(state, pool);
  return state;
}

function allocateToken(
  state: Allocation,
  { runtimeCode, slots }: ContractArtifact,
  address: Uint8Array,
  name: string,
  symbol: string,
  pooled: bigint,
): void {
  const holders = [
    ...DEV_ACCOUNT_ADDRESSES.map((holder) => [holder, DEV_ACCOUNT_TOKENS] as const),
    ...TRAFFIC_ACCOUNTS.map((holder) => [holder, TRAFFIC_ACCOUNT_TOKENS] as const),
  ];
  const supply = holders.reduce((sum, [, amount]) => sum + amount, pooled);
  state.contract(address, runtimeCode);
  state.slot(address, slotOf(slots, 'totalSupply'), supply);
  state.slot(address, slotOf(slots, 'name'), shortString(name));
  state.slot(address, slotOf(slots, 'symbol'), shortString(symbol));
  state.slot(address, mappingSlot(DEV_SWAP_POOL, slotOf(slots, 'balanceOf')), pooled);
  for (const [holder, amount] of holders) {
    state.slot(address, mappingSlot(holder, slotOf(slots, 'balanceOf')), amount);
    state.slot(address, mappingSlot(DEV_SWAP_POOL, mappingSlot(holder, slotOf(slots, 'allowance'))), ENDLESS);
  }
}

function allocatePool(state: Allocation, { runtimeCode, slots }: ContractArtifact): void {
  state.contract(DEV_SWAP_POOL, runtimeCode);
  state.slot(DEV_SWAP_POOL, slotOf(slots, 'token0'), DEV_GOLD_TOKEN);
  state.slot(DEV_SWAP_POOL, slotOf(slots, 'token1'), DEV_SILVER_TOKEN);
  // Both reserves are uint112 and share a storage slot; `reserve0` is in the low bits.
  state.slot(DEV_SWAP_POOL, slotOf(slots, 'reserve0'), POOL_GOLD | (POOL_SILVER << 112n));
}

/** Collects the accounts, slots and codes of a genesis state. */
class Allocation implements StateChanges {
  readonly accounts: AccountChange[] = [];
  readonly slots: SlotChange[] = [];
  readonly codes: CodeChange[] = [];

  account(address: Uint8Array, balance: bigint): void {
    this.accounts.push({ address, account: { nonce: 0n, balance, codeHash: EMPTY_CODE_HASH } });
  }

  /** Adds a contract, whose nonce is 1 (EIP-161). Code that several contracts share is listed once. */
  contract(address: Uint8Array, code: string): void {
    const bytes = fromHex(code);
    const hash = keccak256(bytes);
    this.accounts.push({ address, account: { nonce: 1n, balance: 0n, codeHash: hash } });
    if (!this.codes.some((known) => Buffer.compare(known.hash, hash) === 0)) this.codes.push({ hash, bytes });
  }

  slot(address: Uint8Array, slot: Uint8Array, value: bigint | Uint8Array): void {
    const word = typeof value === 'bigint' ? toBytes(value, 32) : toWord(value);
    this.slots.push({ address, slot, value: word });
  }
}

function slotOf(slots: ContractArtifact['slots'], variable: string): Uint8Array {
  const slot = slots[variable];
  if (slot === undefined) throw new Error(`no state variable ${variable}`);
  return toBytes(BigInt(slot), 32);
}

/** Returns the slot of mapping entry `key`: Solidity stores it at keccak256(key . slot). */
function mappingSlot(key: Uint8Array, slot: Uint8Array): Uint8Array {
  return keccak256(Buffer.concat([toWord(key), slot]));
}

/**
 * Returns a string of less than 32 bytes as Solidity stores it: in one word, with twice its length in the last byte.
 */
function shortString(text: string): Uint8Array {
  const word = new Uint8Array(32);
  word.set(Buffer.from(text));
  word[31] = text.length * 2;
  return word;
}
