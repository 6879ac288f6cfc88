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

/** Each method acts on the journaled state at once. It returns a promise only because the interface requires that. */
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
  getAccount(address: Address): Promise<Account | undefined> {
    const state = this.#state.accountOf(address.bytes);
    if (state === null) return Promise.resolve(undefined);
    const collides = this.#storedCollides && this.#state.hasStorageAlone(address.bytes);
    const storageRoot = collides ? SOME_ROOT : KECCAK256_RLP;
    return Promise.resolve(new Account(state.nonce, state.balance, storageRoot, state.codeHash));
  }

  /** Writes an account; removes it if `account` is undefined. */
  putAccount(address: Address, account?: Account): Promise<void> {
    const state = account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash };
    this.#state.setAccount(address.bytes, state ?? null);
    return Promise.resolve();
  }

  deleteAccount(address: Address): Promise<void> {
    this.#state.removeAccount(address.bytes);
    return Promise.resolve();
  }

  /** Writes the fields that are passed; other fields keep their values. */
  modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const state = this.#state.accountOf(address.bytes);
    this.#state.setAccount(address.bytes, {
      nonce: fields.nonce ?? state?.nonce ?? 0n,
      balance: fields.balance ?? state?.balance ?? 0n,
      codeHash: fields.codeHash ?? state?.codeHash ?? EMPTY_CODE_HASH,
    });
    return Promise.resolve();
  }

  /** Sets the account's code, and creates the account if necessary. */
  putCode(address: Address, code: Uint8Array): Promise<void> {
    this.#state.setCode(address.bytes, code);
    return Promise.resolve();
  }

  getCode(address: Address): Promise<Uint8Array> {
    return Promise.resolve(this.#state.codeOf(address.bytes));
  }

  getCodeSize(address: Address): Promise<number> {
    return Promise.resolve(this.#state.codeOf(address.bytes).length);
  }

  /** Returns the value of a slot, big endian without leading zeros. */
  getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return Promise.resolve(this.#state.storageOf(address.bytes, key));
  }

  putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#state.setStorage(address.bytes, key, value);
    return Promise.resolve();
  }

  clearStorage(address: Address): Promise<void> {
    this.#state.eraseStorage(address.bytes);
    return Promise.resolve();
  }

  checkpoint(): Promise<void> {
    this.#state.mark();
    return Promise.resolve();
  }

  commit(): Promise<void> {
    this.#state.keep();
    return Promise.resolve();
  }

  revert(): Promise<void> {
    this.#state.undo();
    return Promise.resolve();
  }

  /** Does nothing: the journaled state has no caches that could become outdated. */
  clearCaches(): void {
    // Nothing to clear.
  }

  /** Throws, because a journaled state has no trie. */
  getStateRoot(): Promise<Uint8Array> {
    throw new Error('a journaled state has no state root');
  }

  setStateRoot(): Promise<void> {
    throw new Error('a journaled state has no state root');
  }

  hasStateRoot(): Promise<boolean> {
    throw new Error('a journaled state has no state root');
  }

  /** Throws. The EVM never copies its state; only the block builder of @ethereumjs/vm would. */
  shallowCopy(): StateManagerInterface {
    throw new Error('a journaled state cannot be copied');
  }
}
