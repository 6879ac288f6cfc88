// Generates load for the dev chain from a seed: ether transfers, token transfers and swaps between traffic accounts.
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import { PrivateKeySigner, type UnsignedFeeMarketTransaction } from '../../transaction/ethereumjs-transaction.js';
import { decodeSignedTransaction } from '../../transaction/signed-transaction.js';
import { toBytes } from '../../lib/bytes/big-endian.js';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, DEV_SILVER_TOKEN, TRAFFIC_ACCOUNTS, trafficKey } from './genesis.js';
import { withCost, type CheckedTransaction } from './stateless-transaction-validation.js';

const TRANSFER = selector('transfer(address,uint256)');
const SWAP = selector('swap(address,uint256,uint256,address)');
const GWEI = 10n ** 9n;
/**
 * After a pause, at most the transactions that became due in this many milliseconds are made up for. At low rates the
 * time is longer, so that at least one transaction is.
 */
const ARREARS_MS = 1000;

/** Makes signed transactions at a steady rate. An account's signing key is prepared when it is first used. */
export class LoadGenerator {
  readonly #tps: number;
  readonly #random: () => number;
  readonly #signers: (PrivateKeySigner | undefined)[] = [];
  #paidUntilMs: number | null = null;

  /**
   * `tps`: transactions per second. `seed`: seed of the random numbers that choose each transaction's kind, accounts
   * and amounts.
   */
  constructor(tps: number, seed: number) {
    this.#tps = tps;
    this.#random = generator(seed);
  }

  /** Returns how many transactions have become due since the last call. The first call only starts counting. */
  due(nowMs: number): number {
    if (this.#tps <= 0) return 0;
    const since = Math.max(this.#paidUntilMs ?? nowMs, nowMs - Math.max(ARREARS_MS, 2000 / this.#tps));
    const count = Math.floor(((nowMs - since) * this.#tps) / 1000);
    this.#paidUntilMs = since + (count * 1000) / this.#tps;
    return count;
  }

  /**
   * Returns the next transaction, of a random account. `nonceOf` returns an account's first unused nonce, or `null` if
   * the account must not send now; in that case no transaction is made, and `null` is returned.
   */
  make(baseFee: bigint, rules: ForkRules, nonceOf: (address: Uint8Array) => bigint | null): CheckedTransaction | null {
    const index = this.#below(TRAFFIC_ACCOUNTS.length);
    const from = TRAFFIC_ACCOUNTS[index]!;
    const nonce = nonceOf(from);
    if (nonce === null) return null;
    const tipCap = (BigInt(1 + this.#below(20)) * GWEI) / 10n;
    const fees = { nonce, tipCap, feeCap: 2n * baseFee + tipCap };
    const unsigned: UnsignedFeeMarketTransaction = { ...fees, ...this.#action(from) };
    const signer = (this.#signers[index] ??= new PrivateKeySigner(trafficKey(index)));
    const raw = signer.sign(unsigned, rules).serialize();
    const signed = decodeSignedTransaction(raw, rules, { hash: keccak256(raw), address: from });
    if (typeof signed === 'string') throw new Error(signed);
    return withCost(signed);
  }

  #action(from: Uint8Array): Pick<UnsignedFeeMarketTransaction, 'to' | 'value' | 'data' | 'gasLimit'> {
    const other = TRAFFIC_ACCOUNTS[this.#below(TRAFFIC_ACCOUNTS.length)]!;
    const amount = BigInt(1 + this.#below(10_000)) * 10n ** 16n;
    const token = this.#below(2) === 0 ? DEV_GOLD_TOKEN : DEV_SILVER_TOKEN;
    const kind = this.#below(5);
    if (kind === 0) return { to: other, value: amount / 1000n, data: new Uint8Array(0), gasLimit: 21_000n };
    if (kind < 3) return { to: token, value: 0n, data: encode(TRANSFER, other, amount), gasLimit: 100_000n };
    return { to: DEV_SWAP_POOL, value: 0n, data: encode(SWAP, token, amount, 1n, from), gasLimit: 250_000n };
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

function selector(signature: string): Uint8Array {
  return keccak256(Buffer.from(signature)).subarray(0, 4);
}

/** Returns the ABI encoding of a call whose arguments all have a static type. */
function encode(head: Uint8Array, ...args: readonly (Uint8Array | bigint)[]): Uint8Array {
  const words = args.map((word) => (typeof word === 'bigint' ? toBytes(word, 32) : Buffer.concat([PADDING, word])));
  return new Uint8Array(Buffer.concat([head, ...words]));
}

/** Zeros in front of an address that extend it to a word. */
const PADDING = new Uint8Array(12);

/** Returns a generator of random numbers in [0, 1) by Mulberry32, which is good enough to choose transactions. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
