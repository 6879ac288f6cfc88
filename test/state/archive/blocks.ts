// Blocks for the archive's tests: their contents are determined by number and salt, so any process can verify them.
import { createHash } from 'node:crypto';
import type { CompleteBlock, ExecutedTransaction } from '../../../src/state/complete-block.js';
import type { AccountChange, BlockEnv, SlotChange, StateDiff } from '../../../src/state/state-diff.js';

export const CHAIN = '{"chainId":"1337"}';

/** 32 bytes determined by the arguments. */
export function digest(...words: (string | number)[]): Uint8Array {
  return new Uint8Array(createHash('sha256').update(words.join('/')).digest());
}

export const addressOf = (name: string | number): Uint8Array => digest('address', name).subarray(0, 20);
export const slotOf = (name: string | number): Uint8Array => digest('slot', name);

/** Changes that a test may make to a block's state; everything else is determined by number and salt. */
export interface Changes {
  readonly accounts?: readonly AccountChange[];
  readonly slots?: readonly SlotChange[];
  readonly codes?: StateDiff['codes'];
}

export function blockOf(number: number, salt = ''): CompleteBlock {
  const count = (digest('count', number, salt)[0] ?? 0) % 4;
  return {
    number,
    hash: digest('hash', number, salt),
    header: Buffer.concat(Array.from({ length: 17 }, (_, part) => digest('header', number, salt, part))),
    sizeBytes: 600 + number,
    transactions: Array.from({ length: count }, (_, index) => transactionOf(number, index, salt)),
    withdrawals: number % 3 === 0 ? null : number % 3 === 1 ? [] : [withdrawalOf(number)],
    // Only before the merge.
    ...(number % 6 === 3 ? { uncles: [digest('uncle', number, salt), digest('another', number, salt)] } : {}),
    // From Amsterdam on; the shortest list is a single byte.
    ...(number % 6 === 4 ? { accessList: digest('list', number, salt) } : {}),
    ...(number % 6 === 5 ? { accessList: Uint8Array.of(0xc0) } : {}),
  };
}

export function envOf(number: number, salt = ''): BlockEnv {
  return {
    number,
    timestamp: 2n ** 64n - 1n - BigInt(number),
    gasLimit: 30_000_000n,
    baseFeePerGas: BigInt(number % 2),
    coinbase: addressOf(`coinbase ${number}`),
    prevRandao: digest('randao', number, salt),
    difficulty: 0n,
    excessBlobGas: BigInt(number) << 17n,
    parentBeaconBlockRoot: new Uint8Array(32),
    ...(number % 6 < 4 ? {} : { slotNumber: BigInt(number - 4) }),
  };
}

export function diffOf(block: CompleteBlock, changes: Changes, salt = ''): StateDiff {
  const { number, hash } = block;
  return {
    coordinates: { block: number, index: 3, hash, parentHash: digest('hash', number - 1, salt) },
    env: envOf(number, salt),
    heads: { latest: number, safe: number < 2 ? null : number - 2, finalized: number < 4 ? null : number - 4 },
    accounts: changes.accounts ?? [],
    slots: changes.slots ?? [],
    codes: changes.codes ?? [],
  };
}

function transactionOf(number: number, index: number, salt: string): ExecutedTransaction {
  const logs = Array.from({ length: index }, (_, log) => ({
    address: addressOf(log),
    topics: Array.from({ length: log }, (_topic, topic) => digest('topic', topic)),
    data: digest('data', number, index).subarray(0, log * 7),
  }));
  return {
    hash: digest('transaction', number, index, salt),
    raw: Buffer.concat([digest('raw', number, index), digest('raw', index)]).subarray(0, 40 + index),
    from: addressOf(`sender ${index}`),
    receipt: {
      type: index,
      status: index % 2 === 0 ? 1 : 0,
      gasUsed: 21_000n * BigInt(index),
      cumulativeGasUsed: 42_000n,
      effectiveGasPrice: 7n,
      contractAddress: index === 1 ? addressOf('created') : null,
      logs,
    },
  };
}

function withdrawalOf(number: number): { index: bigint; validatorIndex: bigint; address: Uint8Array; amount: bigint } {
  return { index: 0n, validatorIndex: BigInt(number), address: addressOf('validator'), amount: 10n ** 18n };
}

const CHAIN_SLOTS = 400;
const CHAIN_CHANGES = 150;

/** Slots that block `number` of the test chain changes, with their new values; every eighth value is zero. */
export function chainSlots(number: number): SlotChange[] {
  return Array.from({ length: CHAIN_CHANGES }, (_, change) => {
    const index = (number * 37 + change) % CHAIN_SLOTS;
    const value = index % 8 === number % 8 ? new Uint8Array(32) : digest('value', number, index);
    return { address: addressOf(index % 5), slot: slotOf(index), value };
  });
}

/** The account that block `number` changes; every fifth time it is deleted. */
export function chainAccount(number: number): AccountChange {
  const account = { nonce: BigInt(number), balance: 10n ** 18n, codeHash: chainCode(number).hash };
  return { address: addressOf(number % 7), account: number % 5 === 0 ? null : account };
}

/** A code of 20,000 bytes that block `number` deploys. */
export function chainCode(number: number): { hash: Uint8Array; bytes: Uint8Array } {
  return { hash: digest('code', number), bytes: new Uint8Array(20_000).fill(number % 256) };
}

export function chainDiff(block: CompleteBlock): StateDiff {
  const { number } = block;
  return diffOf(block, { accounts: [chainAccount(number)], slots: chainSlots(number), codes: [chainCode(number)] });
}

/** Values as text: bigints, and bytes as hex whatever their class, so that a Buffer equals a Uint8Array. */
export function text(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return `[${value.map(text).join()}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}:${text(each)}`)
    .sort()
    .join()}}`;
}
