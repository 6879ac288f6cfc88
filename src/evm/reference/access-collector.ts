// Collects the accounts and slots that @ethereumjs/evm would put into a block access list (EIP-7928), without their
// changes: these are found by comparing the state before and after a transaction.
import { BlockLevelAccessList } from '@ethereumjs/util';
import { fromHex } from '../../lib/bytes/hex.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import type { ReadSet } from '../read-set.js';
import { toWord } from '../../lib/bytes/big-endian.js';

type Hex = `0x${string}`;

/** Replaces the block access list of @ethereumjs. What a frame has accessed stays in it, even if the frame fails. */
export class AccessCollector extends BlockLevelAccessList {
  #accounts = new Set<string>();
  #slots = new Map<string, { readonly address: string; readonly slot: Uint8Array }>();

  clear(): void {
    this.#accounts = new Set();
    this.#slots = new Map();
  }

  /** Returns everything that was accessed since `clear`. */
  readSet(): ReadSet {
    return {
      accounts: [...this.#accounts].map((address) => fromHex(address)),
      slots: [...this.#slots.values()].map(({ address, slot }) => ({ address: fromHex(address), slot })),
    };
  }

  override addAddress(address: Hex): void {
    this.#accounts.add(address);
  }

  /** Overrides the method of @ethereumjs. `key` is a word, which may come without leading zeros. */
  override addStorageRead(address: Hex, key: Uint8Array): void {
    this.addAddress(address);
    const slot = toWord(key);
    this.#slots.set(address + latin1Key(slot), { address, slot });
  }

  override addStorageWrite(address: Hex, key: Uint8Array): void {
    this.addStorageRead(address, key);
  }

  /**
   * Adds the account only if its balance changes. @ethereumjs also calls this method for callers that transfer no
   * value, and the caller of a system call does not belong in the list.
   */
  override addBalanceChange(address: Hex, balance: bigint, _index: number, before?: bigint): void {
    if (balance !== before) this.addAddress(address);
  }

  override addNonceChange(address: Hex): void {
    this.addAddress(address);
  }

  override addCodeChange(address: Hex): void {
    this.addAddress(address);
  }

  /** Does nothing: accesses stay recorded when a frame is reverted. */
  override checkpoint(): void {}

  override commit(): void {}

  override revert(): void {}
}
