// Contracts on a development chain, the keys of whose accounts every tool knows: tokens, a pool and loops to estimate calls of.
// Nothing is sent anywhere else. Runs in the bench.
import { setTimeout } from 'node:timers/promises';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createLegacyTx } from '@ethereumjs/tx';
import { createAddressFromString } from '@ethereumjs/util';
import { createdAddress } from '../../src/execution/created-address.js';
import { DEV_ACCOUNTS, DEV_KEYS } from '../../src/feed/dev/accounts.js';
import { readArtifacts } from '../../src/feed/dev/contracts/artifacts.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { headOf, resultOf } from '../load/ask.js';
import { isLoopback } from '../load/connection.js';
import type { Target } from './target.js';
import type { CallTemplate } from './world.js';

/** Chain ids of development nodes. */
const DEV_CHAINS: ReadonlySet<number> = new Set([1337, 31_337]);
const ACCOUNTS = DEV_ACCOUNTS.map(toHex);
const DEPLOYER = ACCOUNTS.length - 1;
const WAIT_MS_MAX = 30_000;
const LOOK_MS = 100;
const GAS = { create: 3_000_000n, call: 2_000_000n };

/** Selectors: `transfer(address,uint256)`, `approve(address,uint256)`, `sync()`, `swap(address,uint256,uint256,address)`. */
const [TRANSFER, APPROVE, SYNC, SWAP] = ['0xa9059cbb', '0x095ea7b3', '0xfff6cae9', '0xf3e6ea8a'] as const;
const SUPPLY = word(10n ** 27n);
const POOLED = word(10n ** 25n);
const HELD = word(10n ** 23n);
const ENDLESS = 'f'.repeat(64);
/** Eight digits of another number in every call, as the end of a word, and of a word of about 20 units. */
const SMALL = `${'0'.repeat(56)}%d`;
const LARGE = `${'0'.repeat(47)}1%d${'0'.repeat(8)}`;

/** Returns what stands behind these nine bytes. */
const creation = (runtime: string): string =>
  `0x60${word(BigInt(runtime.length / 2)).slice(-2)}8060095f395ff3${runtime}`;
/** Hashes the first word of the call data 5000 times: PUSH2 5000, JUMPDEST, KECCAK256 of memory into memory, count down. */
const COMPUTE = creation('5f355f526113885b60205f205f52600190038060075700');
/** Adds one to each of 50 slots: PUSH1 50, JUMPDEST, SLOAD, ADD, SSTORE, count down. */
const FIFTY_SLOTS = creation('60325b80546001018155600190038060025700');

/** Calls of contracts that are deployed for it; none where that may not be done. Throws where the chain does not take them. */
export async function deployedCalls(targets: readonly Target[]): Promise<CallTemplate[]> {
  const target = targets[0]!;
  if (!(await mayDeploy(targets))) return [];
  const sender = new Sender(target);
  const { token, pool } = readArtifacts();
  const [name, symbol] = ['Gold', 'GLD'].map(stringArgument);
  const create = token.creationCode + word(96n) + word(160n) + SUPPLY + name! + symbol!;
  const [gold, silver] = [await sender.create(create), await sender.create(create)];
  const swaps = await sender.create(pool.creationCode + addressWord(gold) + addressWord(silver));
  const [compute, slots] = [await sender.create(COMPUTE), await sender.create(FIFTY_SLOTS)];
  for (const token0 of [gold, silver]) await sender.send(DEPLOYER, token0, TRANSFER + addressWord(swaps) + POOLED);
  await sender.send(DEPLOYER, swaps, SYNC);
  await sender.send(DEPLOYER, slots, '0x');
  for (const [i, holder] of ACCOUNTS.entries()) {
    await sender.send(DEPLOYER, gold, TRANSFER + addressWord(holder) + HELD);
    await sender.send(i, gold, APPROVE + addressWord(swaps) + ENDLESS);
  }
  for (const one of targets) await sender.arrived(one, slots);
  const swap = `${SWAP}${addressWord(gold)}${LARGE}${word(0n)}${'0'.repeat(24)}%r`;
  return ACCOUNTS.flatMap((from) => [
    { name: 'ERC-20 transfer', from, to: gold, data: `${TRANSFER}${'0'.repeat(24)}%r${SMALL}` },
    { name: 'swap', from, to: swaps, data: swap },
    { name: 'compute', from, to: compute, data: `0x${SMALL}` },
    { name: '50 slots', from, to: slots },
  ]);
}

/** On a development chain of this machine, one of whose public accounts has ether. */
async function mayDeploy(targets: readonly Target[]): Promise<boolean> {
  const [target] = targets;
  if (!targets.every(({ url }) => isLoopback(url))) return false;
  if (!DEV_CHAINS.has(Number(await resultOf(target!, 'eth_chainId')))) return false;
  return BigInt(String(await resultOf(target!, 'eth_getBalance', ACCOUNTS[DEPLOYER], 'latest'))) > 10n ** 18n;
}

/** Transactions of the public accounts. */
class Sender {
  readonly #target: Target;
  readonly #nonces = new Map<number, bigint>();

  constructor(target: Target) {
    this.#target = target;
  }

  /** Address that the contract will have. */
  async create(code: string): Promise<string> {
    const nonce = await this.#send(DEPLOYER, null, code, GAS.create);
    return toHex(createdAddress(DEV_ACCOUNTS[DEPLOYER]!, nonce));
  }

  async send(account: number, to: string, data: string): Promise<void> {
    await this.#send(account, to, data, GAS.call);
  }

  /** Resolves once a target has all that was sent, and the code of `contract` two blocks ago, too. */
  async arrived(target: Target, contract: string): Promise<void> {
    for (let waitedMs = 0; waitedMs < WAIT_MS_MAX; waitedMs += LOOK_MS) {
      if (await this.#isThere(target, contract)) return;
      await setTimeout(LOOK_MS);
    }
    throw new Error(`${target.name} does not show the contracts that were deployed`);
  }

  async #isThere(target: Target, contract: string): Promise<boolean> {
    for (const [account, next] of this.#nonces)
      if (BigInt(String(await resultOf(target, 'eth_getTransactionCount', ACCOUNTS[account], 'latest'))) < next)
        return false;
    const block = `0x${Math.max(0, (await headOf(target)) - 2).toString(16)}`;
    return (await resultOf(target, 'eth_getCode', contract, block).catch(() => '0x')) !== '0x';
  }

  async #send(account: number, to: string | null, data: string, gasLimit: bigint): Promise<bigint> {
    const [nonce, price] = [await this.#nonce(account), await resultOf(this.#target, 'eth_gasPrice')];
    const chainId = Number(await resultOf(this.#target, 'eth_chainId'));
    const common = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.London });
    const recipient = to === null ? {} : { to: createAddressFromString(to) };
    const fields = { nonce, gasPrice: 2n * BigInt(String(price)), gasLimit, ...recipient, data: fromHex(data) };
    const signed = createLegacyTx(fields, { common }).sign(fromHex(DEV_KEYS[account]!));
    await resultOf(this.#target, 'eth_sendRawTransaction', toHex(signed.serialize()));
    this.#nonces.set(account, nonce + 1n);
    return nonce;
  }

  async #nonce(account: number): Promise<bigint> {
    const known = this.#nonces.get(account);
    if (known !== undefined) return known;
    return BigInt(String(await resultOf(this.#target, 'eth_getTransactionCount', ACCOUNTS[account], 'pending')));
  }
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

function addressWord(address: string): string {
  return address.slice(2).padStart(64, '0');
}

/** A short string as an argument of dynamic length: its length, and its bytes. */
function stringArgument(text: string): string {
  return word(BigInt(text.length)) + Buffer.from(text).toString('hex').padEnd(64, '0');
}
