// A journaled state as the libraries ask for one.
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, KECCAK256_RLP } from '@ethereumjs/util';
import { EMPTY_CODE_HASH } from '../../state/views/view.js';
import type { JournaledState } from '../journal/journaled-state.js';

/** Stands for any root of storage that is not empty: the library only asks whether it is. */
const SOME_ROOT = new Uint8Array(32);

/** Every call goes to the journaled state at once; what it returns is a promise because the interface says so. */
export class JournaledStateManager implements StateManagerInterface {
  readonly originalStorageCache: StateManagerInterface['originalStorageCache'];
  readonly #state: JournaledState;
  readonly #storedCollides: boolean;

  /** `storedCollides`: no contract is made where storage is (EIP-7610), which Amsterdam took back. */
  constructor(state: JournaledState, storedCollides = true) {
    this.#state = state;
    this.#storedCollides = storedCollides;
    this.originalStorageCache = {
      get: (address, key) => Promise.resolve(state.originalOf(address.bytes, key)),
      clear: () => state.beginTransaction(),
    };
  }

  /** A new object each time: the EVM changes what it is given before it puts it back. */
  getAccount(address: Address): Promise<Account | undefined> {
    const state = this.#state.accountOf(address.bytes);
    if (state === null) return Promise.resolve(undefined);
    const collides = this.#storedCollides && this.#state.hasStorageAlone(address.bytes);
    const storageRoot = collides ? SOME_ROOT : KECCAK256_RLP;
    return Promise.resolve(new Account(state.nonce, state.balance, storageRoot, state.codeHash));
  }

  /** Writes the account record, or removes it where none is given. */
  putAccount(address: Address, account?: Account): Promise<void> {
    const state = account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash };
    this.#state.setAccount(address.bytes, state ?? null);
    return Promise.resolve();
  }

  /** Removes account and storage. */
  deleteAccount(address: Address): Promise<void> {
    this.#state.removeAccount(address.bytes);
    return Promise.resolve();
  }

  /** Writes the fields given; the others keep their values. */
  modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const state = this.#state.accountOf(address.bytes);
    this.#state.setAccount(address.bytes, {
      nonce: fields.nonce ?? state?.nonce ?? 0n,
      balance: fields.balance ?? state?.balance ?? 0n,
      codeHash: fields.codeHash ?? state?.codeHash ?? EMPTY_CODE_HASH,
    });
    return Promise.resolve();
  }

  /** Gives the account this code, creating it if need be. */
  putCode(address: Address, code: Uint8Array): Promise<void> {
    this.#state.setCode(address.bytes, code);
    return Promise.resolve();
  }

  /** Code of the account, empty when it has none. */
  getCode(address: Address): Promise<Uint8Array> {
    return Promise.resolve(this.#state.codeOf(address.bytes));
  }

  /** Bytes of the account's code. */
  getCodeSize(address: Address): Promise<number> {
    return Promise.resolve(this.#state.codeOf(address.bytes).length);
  }

  /** The word in a slot, big endian without leading zeros. */
  getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return Promise.resolve(this.#state.storageOf(address.bytes, key));
  }

  /** Writes a word of at most 32 bytes, big endian. */
  putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#state.setStorage(address.bytes, key, value);
    return Promise.resolve();
  }

  /** Sets every slot of the account to zero. */
  clearStorage(address: Address): Promise<void> {
    this.#state.eraseStorage(address.bytes);
    return Promise.resolve();
  }

  /** Opens a nested change set. */
  checkpoint(): Promise<void> {
    this.#state.mark();
    return Promise.resolve();
  }

  /** Keeps the changes of the innermost change set. */
  commit(): Promise<void> {
    this.#state.keep();
    return Promise.resolve();
  }

  /** Undoes the changes of the innermost change set. */
  revert(): Promise<void> {
    this.#state.undo();
    return Promise.resolve();
  }

  /** Does nothing: a journaled state caches nothing that could change beneath it. */
  clearCaches(): void {
    // The state kept here is not a cache of something that could change beneath it.
  }

  /** Throws: there is no trie here. */
  getStateRoot(): Promise<Uint8Array> {
    throw new Error('a journaled state has no state root');
  }

  /** Throws: there is no trie here. */
  setStateRoot(): Promise<void> {
    throw new Error('a journaled state has no state root');
  }

  /** Throws: there is no trie here. */
  hasStateRoot(): Promise<boolean> {
    throw new Error('a journaled state has no state root');
  }

  /** Throws: the EVM never copies its state, only the VM's block builder would. */
  shallowCopy(): StateManagerInterface {
    throw new Error('a journaled state cannot be copied');
  }
}
