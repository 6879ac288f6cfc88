// State diffs for tests of the shared table.
import type { AccountChange, CodeChange, SlotChange, StateDiff } from '../../src/state/state-diff.js';
import { EMPTY_CODE_HASH } from '../../src/state/views/state-view.js';

/** Bytes that end in a number. */
export function bytes(length: number, value: number): Uint8Array {
  const result = new Uint8Array(length);
  new DataView(result.buffer).setUint32(length - 4, value);
  return result;
}

export const addressOf = (index: number): Uint8Array => bytes(20, index);
export const wordOf = (value: number): Uint8Array => bytes(32, value);
/** Hash of a block, by its number and by which of several blocks of that number it is. */
export const hashOf = (block: number, fork = 0): Uint8Array => bytes(32, block * 16 + fork);

export interface DiffOptions {
  readonly block: number;
  readonly index?: number;
  /** Block hash; absent for a pre-confirmed block. */
  readonly hash?: Uint8Array;
  readonly parentHash?: Uint8Array;
  readonly latest?: number;
  readonly accounts?: readonly AccountChange[];
  readonly slots?: readonly SlotChange[];
  readonly codes?: readonly CodeChange[];
}

export function diffOf(options: DiffOptions): StateDiff {
  const { block, index = 0, hash = null, parentHash = hashOf(block - 1) } = options;
  return {
    coordinates: { block, index, hash, parentHash },
    env: {
      number: block,
      timestamp: 2n ** 64n - 1n - BigInt(block),
      gasLimit: 30_000_000n,
      baseFeePerGas: 2n ** 100n + BigInt(index),
      coinbase: addressOf(block),
      prevRandao: wordOf(block),
      difficulty: 2n ** 250n + 3n,
      excessBlobGas: 131_072n,
      parentBeaconBlockRoot: wordOf(index),
      // From Amsterdam on.
      ...(block % 2 === 0 ? {} : { slotNumber: 2n ** 64n - 1n - BigInt(block) }),
    },
    heads: { latest: options.latest ?? (hash === null ? block - 1 : block), safe: null, finalized: 0 },
    accounts: options.accounts ?? [],
    slots: options.slots ?? [],
    codes: options.codes ?? [],
  };
}

/** An account with a nonce and a balance; its `codeHash` defaults to that of empty code. */
export function account(
  index: number,
  nonce: bigint,
  balance = 0n,
  codeHash: Uint8Array = EMPTY_CODE_HASH,
): AccountChange {
  return { address: addressOf(index), account: { nonce, balance, codeHash } };
}

export const deleted = (index: number): AccountChange => ({ address: addressOf(index), account: null });

export function slot(index: number, key: number, value: number): SlotChange {
  return { address: addressOf(index), slot: wordOf(key), value: wordOf(value) };
}

/** The number at the end of a word. */
export function numberOf(word: Uint8Array): number {
  return new DataView(word.buffer, word.byteOffset + word.length - 4).getUint32(0);
}
