// Accounts and slots that the library's EVM would put into a block access list (EIP-7928): names alone, since changes
// are found by comparing the state before a transaction with that behind it.
import { BlockLevelAccessList } from '@ethereumjs/util';
import { fromHex } from '../../lib/bytes/hex.js';
import { latin1 } from '../../lib/bytes/latin1.js';
import type { ReadSet } from '../read-set.js';

type Hex = `0x${string}`;

/** Takes the place of the library's list. What a frame that fails has accessed stays. */
export class Accesses extends BlockLevelAccessList {
  #accounts = new Set<string>();
  #slots = new Map<string, { readonly address: string; readonly slot: Uint8Array }>();

  /** Forgets everything. */
  clear(): void {
    this.#accounts = new Set();
    this.#slots = new Map();
  }

  /** Everything accessed since. */
  readSet(): ReadSet {
    return {
      accounts: [...this.#accounts].map((address) => fromHex(address)),
      slots: [...this.#slots.values()].map(({ address, slot }) => ({ address: fromHex(address), slot })),
    };
  }

  /** See the library. */
  override addAddress(address: Hex): void {
    this.#accounts.add(address);
  }

  /** See the library. `key`: a word, perhaps without leading zeros. */
  override addStorageRead(address: Hex, key: Uint8Array): void {
    this.addAddress(address);
    const slot = new Uint8Array(32);
    slot.set(key, 32 - key.length);
    this.#slots.set(address + latin1(slot), { address, slot });
  }

  /** See the library. */
  override addStorageWrite(address: Hex, key: Uint8Array): void {
    this.addStorageRead(address, key);
  }

  /** See the library, which tells callers without value, too: a system call's is no account of the list. */
  override addBalanceChange(address: Hex, balance: bigint, _index: number, before?: bigint): void {
    if (balance !== before) this.addAddress(address);
  }

  /** See the library. */
  override addNonceChange(address: Hex): void {
    this.addAddress(address);
  }

  /** See the library. */
  override addCodeChange(address: Hex): void {
    this.addAddress(address);
  }

  /** Nothing: what was accessed stays. */
  override checkpoint(): void {}

  /** Nothing. */
  override commit(): void {}

  /** Nothing. */
  override revert(): void {}
}
