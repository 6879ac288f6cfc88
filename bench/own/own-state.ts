// The suite's own state: tokens, a pool, loops and many accounts, and the world of requests about it. This build, anvil
// and others serve the same genesis. Runs in the bench.
import { AbiCoder, keccak256 } from 'ethers';
import type { StateChanges } from '../../src/state/state-diff.js';
import { fromHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { EMPTY_CODE_HASH } from '../../src/state/views/state-view.js';
import { type ContractSet, deployContractSet, RECEIVER } from '../../test/support/contract-set.js';
import { accountAt, accountNonce, type CallTemplate, type World } from '../suite/world.js';

/** Number of hot accounts, and of token holders. */
const HOT = 100;
const HOLDERS = 500;
const SLOTS = 10;
const UNIT = 10n ** 18n;
const MAX_UINT256 = 2n ** 256n - 1n;
const coder = AbiCoder.defaultAbiCoder();

/** The contract set, `accounts` more accounts, and token balances of some of them. */
export function ownState(set: ContractSet, accounts: number): StateChanges {
  const { accounts: own, slots, codes } = set.state;
  const fillers = Array.from({ length: accounts }, (_, i) => {
    const address = accountAt(i);
    const account = { nonce: BigInt(accountNonce(address)), balance: 100n * UNIT, codeHash: EMPTY_CODE_HASH };
    return { address: fromHex(address), account };
  });
  const holdings = holders(accounts).flatMap((holder) => holdingsOf(set, holder));
  return { accounts: [...own, ...fillers], slots: [...slots, ...holdings], codes };
}

/** The world of external targets that serve this state. */
export async function compiledWorld(accounts: number): Promise<World> {
  return ownWorld(await deployContractSet(), accounts);
}

/** The world of requests about this state. */
export function ownWorld(set: ContractSet, accounts: number): World {
  return {
    name: `${accounts.toLocaleString('en')} accounts, two tokens, a Uniswap V2 pair`,
    blocks: ['pending'],
    follows: false,
    isStill: true,
    hot: Array.from({ length: Math.min(HOT, accounts) }, (_, i) => accountAt(i)),
    slots: Array.from({ length: SLOTS }, (_, i) => [set.pair, `0x${i.toString(16)}`] as const),
    accounts,
    senders: holders(accounts),
    calls: set.calls.map(varied),
    expensive: 'compute',
  };
}

function holders(accounts: number): string[] {
  return Array.from({ length: Math.min(HOLDERS, accounts) }, (_, i) => accountAt(i));
}

/** OpenZeppelin's ERC20 keeps balances in the mapping at slot 0, allowances in that at slot 1. */
function holdingsOf({ gold, silver, router }: ContractSet, holder: string): StateChanges['slots'] {
  const balance = mappingSlot(holder, 0n);
  const allowance = mappingSlot(router, BigInt(mappingSlot(holder, 1n)));
  return [slot(gold, balance, 1_000_000n * UNIT), slot(silver, balance, UNIT), slot(gold, allowance, MAX_UINT256)];
}

function slot(token: string, at: string, value: bigint): StateChanges['slots'][number] {
  return { address: fromHex(token), slot: fromHex(at), value: toBytes(value, 32) };
}

function mappingSlot(key: string, at: bigint): string {
  return keccak256(coder.encode(['address', 'uint256'], [key, at]));
}

/** Template of a call of the contract set with any sender and any recipient. */
function varied({ name, to, value, data }: ContractSet['calls'][number]): CallTemplate {
  const call = { name, from: '0x%f', to: to === RECEIVER ? '0x%r' : to };
  const receiver = RECEIVER.slice(2);
  return {
    ...call,
    ...(value === undefined ? {} : { value }),
    ...(data === undefined ? {} : { data: data.replace(receiver, '%r') }),
  };
}
