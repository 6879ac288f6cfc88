// Wraps a journaled state in the interface that @ethereumjs requires.
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, KECCAK256_RLP } from '@ethereumjs/util';
import { EMPTY_CODE_HASH } from '../../state/views/state-view.js';
import type { JournaledState } from '../journal/journaled-state.js';

/**
 * Returned as the root of any storage that is not empty: @ethereumjs only checks whether the root is that of an empty
 * trie.
 */
const SOME_ROOT = new Uint8Array(32);

/** Each method acts on the journaled state at once. It is asynchronous only because the interface requires that. */
export class JournaledStateManager implements StateManagerInterface {
  readonly originalStorageCache: StateManagerInterface['originalStorageCache'];
  readonly #state: JournaledState;
  readonly #storedCollides: boolean;

  /** `storedCollides`: whether a creation fails at an address with storage (EIP-7610), as it does before Amsterdam. */
  constructor(state: JournaledState, storedCollides = true) {
    this.#state = state;
    this.#storedCollides = storedCollides;
    this.originalStorageCache = {
      get: (address, key) => Promise.resolve(state.originalOf(address.bytes, key)),
      clear: () => state.beginTransaction(),
    };
  }

  /** Returns a new object each time, because the EVM modifies it before it writes it back. */
  async getAccount(address: Address): Promise<Account | undefined> {
    const state = this.#state.accountOf(address.bytes);
    if (state === null) return undefined;
    const collides = this.#storedCollides && this.#state.hasStorageAlone(address.bytes);
    const storageRoot = collides ? SOME_ROOT : KECCAK256_RLP;
    return new Account(state.nonce, state.balance, storageRoot, state.codeHash);
  }

  /** Writes an account; removes it if `account` is undefined. */
  async putAccount(address: Address, account?: Account): Promise<void> {
    const state = account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash };
    this.#state.setAccount(address.bytes, state ?? null);
  }

  async deleteAccount(address: Address): Promise<void> {
    this.#state.removeAccount(address.bytes);
  }

  /** Writes the fields that are passed; other fields keep their values. */
  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const state = this.#state.accountOf(address.bytes);
    this.#state.setAccount(address.bytes, {
      nonce: fields.nonce ?? state?.nonce ?? 0n,
      balance: fields.balance ?? state?.balance ?? 0n,
      codeHash: fields.codeHash ?? state?.codeHash ?? EMPTY_CODE_HASH,
    });
  }

  /** Sets the account's code, and creates the account if necessary. */
  async putCode(address: Address, code: Uint8Array): Promise<void> {
    this.#state.setCode(address.bytes, code);
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.#state.codeOf(address.bytes);
  }

  async getCodeSize(address: Address): Promise<number> {
    return this.#state.codeOf(address.bytes).length;
  }

  /** Returns the value of a slot, big endian without leading zeros. */
  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return this.#state.storageOf(address.bytes, key);
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#state.setStorage(address.bytes, key, value);
  }

  async clearStorage(address: Address): Promise<void> {
    this.#state.eraseStorage(address.bytes);
  }

  async checkpoint(): Promise<void> {
    this.#state.mark();
  }

  async commit(): Promise<void> {
    this.#state.keep();
  }

  async revert(): Promise<void> {
    this.#state.undo();
  }

  /** Does nothing: the journaled state has no caches that could become outdated. */
  clearCaches(): void {
    // Nothing to clear.
  }

  /** Throws, because a journaled state has no trie. */
  async getStateRoot(): Promise<Uint8Array> {
    throw new Error('a journaled state has no state root');
  }

  async setStateRoot(): Promise<void> {
    throw new Error('a journaled state has no state root');
  }

  async hasStateRoot(): Promise<boolean> {
    throw new Error('a journaled state has no state root');
  }

  /** Throws. The EVM never copies its state; only the block builder of @ethereumjs/vm would. */
  shallowCopy(): StateManagerInterface {
    throw new Error('a journaled state cannot be copied');
  }
}
