// A journaled state with the interface that the libraries require.
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, KECCAK256_RLP } from '@ethereumjs/util';
import { EMPTY_CODE_HASH } from '../../state/views/state-view.js';
import type { JournaledState } from '../journal/journaled-state.js';

/** Stands for any root of storage that is not empty, because the library only asks whether it is. */
const SOME_ROOT = new Uint8Array(32);

/** Every call is done on the journaled state at once. It returns a promise because the interface requires one. */
export class JournaledStateManager implements StateManagerInterface {
  readonly originalStorageCache: StateManagerInterface['originalStorageCache'];
  readonly #state: JournaledState;
  readonly #storedCollides: boolean;

  /** `storedCollides`: no contract can be created at an address with storage (EIP-7610), until Amsterdam. */
  constructor(state: JournaledState, storedCollides = true) {
    this.#state = state;
    this.#storedCollides = storedCollides;
    this.originalStorageCache = {
      get: (address, key) => Promise.resolve(state.originalOf(address.bytes, key)),
      clear: () => state.beginTransaction(),
    };
  }

  /** Returns a new object each time, because the EVM changes it before it puts it back. */
  getAccount(address: Address): Promise<Account | undefined> {
    const state = this.#state.accountOf(address.bytes);
    if (state === null) return Promise.resolve(undefined);
    const collides = this.#storedCollides && this.#state.hasStorageAlone(address.bytes);
    const storageRoot = collides ? SOME_ROOT : KECCAK256_RLP;
    return Promise.resolve(new Account(state.nonce, state.balance, storageRoot, state.codeHash));
  }

  /** Writes the account record, or removes it if none is passed. */
  putAccount(address: Address, account?: Account): Promise<void> {
    const state = account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash };
    this.#state.setAccount(address.bytes, state ?? null);
    return Promise.resolve();
  }

  deleteAccount(address: Address): Promise<void> {
    this.#state.removeAccount(address.bytes);
    return Promise.resolve();
  }

  /** Writes the fields that are passed; the others keep their values. */
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

  /** The word in a slot, big endian without leading zeros. */
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

  /** Does nothing: the journaled state is no cache of something that could change. */
  clearCaches(): void {
    // Nothing is cached here that could change elsewhere.
  }

  /** Throws: there is no trie here. */
  getStateRoot(): Promise<Uint8Array> {
    throw new Error('a journaled state has no state root');
  }

  setStateRoot(): Promise<void> {
    throw new Error('a journaled state has no state root');
  }

  hasStateRoot(): Promise<boolean> {
    throw new Error('a journaled state has no state root');
  }

  /** Throws, because the EVM never copies its state; only the VM's block builder would. */
  shallowCopy(): StateManagerInterface {
    throw new Error('a journaled state cannot be copied');
  }
}
