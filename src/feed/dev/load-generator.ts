// The load generator of the dev chain: transfers, token transfers and swaps among accounts of its own, the same for the
// same seed.
import { keccak256 } from '../../lib/bytes/keccak.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import { Signer, type UnsignedTransaction } from '../../transaction/library.js';
import { decodeTransaction } from '../../transaction/signed.js';
import { toBytes } from '../../lib/bytes/words.js';
import { DEV_GOLD, DEV_POOL, DEV_SILVER, TRAFFIC_ACCOUNTS, trafficKey } from './genesis.js';
import { checkedTransaction, type CheckedTransaction } from './transaction-checks.js';

/** Which traffic is sent, and how often. */
export interface LoadOptions {
  /** Transactions per second. */
  readonly tps: number;
  /** Decides what the traffic does. */
  readonly seed: number;
}

const TRANSFER = selector('transfer(address,uint256)');
const SWAP = selector('swap(address,uint256,uint256,address)');
const GWEI = 10n ** 9n;
/** After a pause at most this much is made up for: the transactions of a second, or one. */
const ARREARS_MS = 1000;

/** Makes signed transactions at a steady rate. Keys are prepared on first use. */
export class LoadGenerator {
  readonly #tps: number;
  readonly #random: () => number;
  readonly #signers: (Signer | undefined)[] = [];
  #paidUntilMs: number | null = null;

  constructor(options: LoadOptions) {
    this.#tps = options.tps;
    this.#random = generator(options.seed);
  }

  /** Number of transactions that have become due since the last call; the first call starts the count. */
  due(nowMs: number): number {
    if (this.#tps <= 0) return 0;
    const since = Math.max(this.#paidUntilMs ?? nowMs, nowMs - Math.max(ARREARS_MS, 2000 / this.#tps));
    const count = Math.floor(((nowMs - since) * this.#tps) / 1000);
    this.#paidUntilMs = since + (count * 1000) / this.#tps;
    return count;
  }

  /**
   * The next transaction. `nonceOf`: the first nonce that an account has not used, `null` if it may send none; then so
   * is the result.
   */
  make(baseFee: bigint, rules: ForkRules, nonceOf: (address: Uint8Array) => bigint | null): CheckedTransaction | null {
    const index = this.#below(TRAFFIC_ACCOUNTS.length);
    const from = TRAFFIC_ACCOUNTS[index]!;
    const nonce = nonceOf(from);
    if (nonce === null) return null;
    const tipCap = (BigInt(1 + this.#below(20)) * GWEI) / 10n;
    const fees = { nonce, tipCap, feeCap: 2n * baseFee + tipCap };
    const unsigned: UnsignedTransaction = { ...fees, ...this.#action(from) };
    const signer = (this.#signers[index] ??= new Signer(trafficKey(index)));
    const raw = signer.sign(unsigned, rules).serialize();
    const signed = decodeTransaction(raw, rules, { hash: keccak256(raw), address: from });
    if (typeof signed === 'string') throw new Error(signed);
    return checkedTransaction(signed);
  }

  #action(from: Uint8Array): Pick<UnsignedTransaction, 'to' | 'value' | 'data' | 'gasLimit'> {
    const other = TRAFFIC_ACCOUNTS[this.#below(TRAFFIC_ACCOUNTS.length)]!;
    const amount = BigInt(1 + this.#below(10_000)) * 10n ** 16n;
    const token = this.#below(2) === 0 ? DEV_GOLD : DEV_SILVER;
    const kind = this.#below(5);
    if (kind === 0) return { to: other, value: amount / 1000n, data: new Uint8Array(0), gasLimit: 21_000n };
    if (kind < 3) return { to: token, value: 0n, data: encode(TRANSFER, other, amount), gasLimit: 100_000n };
    return { to: DEV_POOL, value: 0n, data: encode(SWAP, token, amount, 1n, from), gasLimit: 250_000n };
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

function selector(signature: string): Uint8Array {
  return keccak256(Buffer.from(signature)).subarray(0, 4);
}

/** ABI encoding of a call whose arguments are all static. */
function encode(head: Uint8Array, ...args: readonly (Uint8Array | bigint)[]): Uint8Array {
  const words = args.map((word) => (typeof word === 'bigint' ? toBytes(word, 32) : Buffer.concat([PADDING, word])));
  return new Uint8Array(Buffer.concat([head, ...words]));
}

/** Pads an address to a word. */
const PADDING = new Uint8Array(12);

/** Numbers in [0, 1): Mulberry32, good enough for choosing what to do. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
