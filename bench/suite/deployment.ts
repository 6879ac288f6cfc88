// Deploys contracts on a development chain with the well-known accounts: tokens, a pool and loops, for estimates of
// their calls. Sends nothing to other chains. Runs in the bench.
import { setTimeout } from 'node:timers/promises';
import { type Common, createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createLegacyTx } from '@ethereumjs/tx';
import { createAddressFromString } from '@ethereumjs/util';
import { createdContractAddress } from '../../src/evm/created-contract-address.js';
import { DEV_ACCOUNT_ADDRESSES, DEV_PRIVATE_KEYS } from '../../src/feed/dev/accounts-and-contract-addresses.js';
import { readDevContractArtifacts } from '../../src/feed/dev/contracts/artifacts.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { headOf, resultOf } from '../load/ask.js';
import { isLoopback } from '../load/connection.js';
import type { Target } from './target.js';
import { type CallTemplate, newestNumbers } from './world.js';

/** Chain ids of development nodes. */
const DEV_CHAINS: ReadonlySet<number> = new Set([1337, 31_337]);
const ACCOUNTS = DEV_ACCOUNT_ADDRESSES.map(toHex);
const DEPLOYER = ACCOUNTS.length - 1;
const WAIT_MS_MAX = 30_000;
const POLL_MS = 100;
/** Number of newest blocks that requests refer to by number. */
const NUMBERED_BLOCKS = 3;
const GAS = { create: 3_000_000n, call: 2_000_000n };

/** Selectors: `transfer(address,uint256)`, `approve(address,uint256)`, `sync()`, `swap(…)` of a pair. */
const [TRANSFER, APPROVE, SYNC, SWAP] = ['0xa9059cbb', '0x095ea7b3', '0xfff6cae9', '0xf3e6ea8a'] as const;
const SUPPLY = word(10n ** 27n);
const POOLED = word(10n ** 25n);
const BALANCE = word(10n ** 23n);
const MAX_UINT256 = 'f'.repeat(64);
/** Eight digits that differ in every call, at the end of a word, and within a word of about 20 units. */
const SMALL = `${'0'.repeat(56)}%d`;
const LARGE = `${'0'.repeat(47)}1%d${'0'.repeat(8)}`;

/** Init code that returns the runtime code after its nine bytes. */
const creation = (runtime: string): string =>
  `0x60${word(BigInt(runtime.length / 2)).slice(-2)}8060095f395ff3${runtime}`;
/** Hashes the first word of the call data 5000 times: PUSH2 5000, JUMPDEST, KECCAK256 into memory, count down. */
const COMPUTE = creation('5f355f526113885b60205f205f52600190038060075700');
/** Adds one to each of 50 slots: PUSH1 50, JUMPDEST, SLOAD, ADD, SSTORE, count down. */
const FIFTY_SLOTS = creation('60325b80546001018155600190038060025700');

/**
 * Deploys the contracts and returns calls of them; none if deployment is not allowed. Throws if the chain rejects them.
 */
export async function deployedCalls(targets: readonly Target[]): Promise<CallTemplate[]> {
  const target = targets[0]!;
  if (!(await mayDeploy(targets))) return [];
  const sender = await Sender.of(target);
  const { token, pool } = readDevContractArtifacts();
  const [name, symbol] = ['Gold', 'GLD'].map(stringArgument);
  const create = token.creationCode + word(96n) + word(160n) + SUPPLY + name! + symbol!;
  const [gold, silver] = [await sender.create(create), await sender.create(create)];
  const swaps = await sender.create(pool.creationCode + addressWord(gold) + addressWord(silver));
  const [compute, slots] = [await sender.create(COMPUTE), await sender.create(FIFTY_SLOTS)];
  for (const token0 of [gold, silver]) await sender.send(DEPLOYER, token0, TRANSFER + addressWord(swaps) + POOLED);
  await sender.send(DEPLOYER, swaps, SYNC);
  for (const [i, holder] of ACCOUNTS.entries()) {
    await sender.send(DEPLOYER, gold, TRANSFER + addressWord(holder) + BALANCE);
    await sender.send(i, gold, APPROVE + addressWord(swaps) + MAX_UINT256);
  }
  // So that everything also exists two blocks ago if each transaction is a block.
  for (let i = 0; i < NUMBERED_BLOCKS; i++) await sender.send(DEPLOYER, slots, '0x');
  for (const one of targets) await sender.arrived(one);
  const swap = `${SWAP}${addressWord(gold)}${LARGE}${word(0n)}${'0'.repeat(24)}%r`;
  return ACCOUNTS.flatMap((from) => [
    { name: 'ERC-20 transfer', from, to: gold, data: `${TRANSFER}${'0'.repeat(24)}%r${SMALL}` },
    { name: 'swap', from, to: swaps, data: swap },
    { name: 'compute', from, to: compute, data: `0x${SMALL}` },
    { name: '50 slots', from, to: slots },
  ]);
}

/** True for a local development chain on which a public account has ether. */
async function mayDeploy(targets: readonly Target[]): Promise<boolean> {
  const [target] = targets;
  if (!targets.every(({ url }) => isLoopback(url))) return false;
  if (!DEV_CHAINS.has(Number(await resultOf(target!, 'eth_chainId')))) return false;
  return BigInt(String(await resultOf(target!, 'eth_getBalance', ACCOUNTS[DEPLOYER], 'latest'))) > 10n ** 18n;
}

/** Sends transactions of the public accounts. */
class Sender {
  readonly #target: Target;
  readonly #common: Common;
  readonly #gasPrice: bigint;
  readonly #nonces = new Map<number, bigint>();

  private constructor(target: Target, chainId: number, gasPrice: bigint) {
    this.#target = target;
    this.#common = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.London });
    this.#gasPrice = gasPrice;
  }

  /** Queries the gas price only once: nodes return the last price paid, which would double with every transaction. */
  static async of(target: Target): Promise<Sender> {
    const [chainId, price] = [await resultOf(target, 'eth_chainId'), await resultOf(target, 'eth_gasPrice')];
    return new Sender(target, Number(chainId), 2n * BigInt(String(price)));
  }

  /** Creates a contract and returns its address. */
  async create(code: string): Promise<string> {
    const nonce = await this.#send(DEPLOYER, null, code, GAS.create);
    return toHex(createdContractAddress(DEV_ACCOUNT_ADDRESSES[DEPLOYER]!, nonce));
  }

  async send(account: number, to: string, data: string): Promise<void> {
    await this.#send(account, to, data, GAS.call);
  }

  /** Resolves once a target has the transactions, also at the oldest block that requests refer to. */
  async arrived(target: Target): Promise<void> {
    for (let waitedMs = 0; waitedMs < WAIT_MS_MAX; waitedMs += POLL_MS) {
      if (await this.#hasTransactions(target)) return;
      await setTimeout(POLL_MS);
    }
    throw new Error(`${target.name} does not have the deployed contracts`);
  }

  /** Checks all but the deployer's last transactions, which only add newer blocks. */
  async #hasTransactions(target: Target): Promise<boolean> {
    const block = newestNumbers(await headOf(target)).at(-1);
    for (const [account, next] of this.#nonces) {
      const nonce = await resultOf(target, 'eth_getTransactionCount', ACCOUNTS[account], block).catch(() => 0);
      if (Number(nonce) < Number(next) - (account === DEPLOYER ? NUMBERED_BLOCKS : 0)) return false;
    }
    return true;
  }

  async #send(account: number, to: string | null, data: string, gasLimit: bigint): Promise<bigint> {
    const nonce = await this.#nonce(account);
    const recipient = to === null ? {} : { to: createAddressFromString(to) };
    const fields = { nonce, gasPrice: this.#gasPrice, gasLimit, ...recipient, data: fromHex(data) };
    const signed = createLegacyTx(fields, { common: this.#common }).sign(fromHex(DEV_PRIVATE_KEYS[account]!));
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

/** ABI encoding of a short string: its length and its bytes. */
function stringArgument(text: string): string {
  return word(BigInt(text.length)) + Buffer.from(text).toString('hex').padEnd(64, '0');
}
