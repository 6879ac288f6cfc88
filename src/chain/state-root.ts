// Computes the state root (yellow paper 4.1) of a state that is changed by state diffs.
import { encodeRlp } from '../lib/bytes/encode-rlp.js';
import type { AccountChange, SlotChange } from '../state/state-diff.js';
import type { AccountState } from '../state/views/state-view.js';
import { keccak256 } from '../lib/bytes/keccak-wasm.js';
import { EMPTY_TRIE_ROOT, Trie } from './trie.js';
import { latin1Key } from '../lib/bytes/latin1-key.js';

/** A whole state: all accounts, and all slots that are not zero. */
export interface StateContents {
  accounts(): Iterable<AccountChange>;
  slots(): Iterable<SlotChange>;
}

interface Account {
  /** keccak-256 of the address. */
  readonly key: Uint8Array;
  state: AccountState | null;
  /** Trie of the account's storage; `null` until a slot has been written. */
  storage: Storage | null;
}

interface Storage {
  readonly trie: Trie;
  /** Keys of the non-zero slots, by strings of the same bytes. Needed to clear the storage of a destroyed account. */
  readonly slots: Map<string, Uint8Array>;
}

/**
 * Tries of all accounts and of their storage, in memory, at about 1.8 KB per account or slot. Changing a slot walks
 * down its trie at once; hashes are computed only when a root is requested.
 */
export class StateTrie {
  readonly #trie = new Trie();
  readonly #accounts = new Map<string, Account>();
  readonly #changed = new Set<Account>();

  static of(state: StateContents): StateTrie {
    const trie = new StateTrie();
    trie.apply({ accounts: state.accounts(), slots: state.slots() });
    return trie;
  }

  /** Applies state changes, given as final values. A deleted account loses its whole storage. */
  apply(changes: { readonly accounts: Iterable<AccountChange>; readonly slots: Iterable<SlotChange> }): void {
    for (const { address, slot, value } of changes.slots) this.#applySlot(this.#account(address), slot, value);
    for (const { address, account: state } of changes.accounts) {
      const account = this.#account(address);
      account.state = state;
      if (state === null) account.storage = null;
    }
  }

  /** Returns the state root, 32 bytes. */
  root(): Uint8Array {
    for (const account of this.#changed) {
      if (account.state === null) this.#trie.delete(account.key);
      else this.#trie.put(account.key, encodeAccount(account.state, account.storage?.trie.root() ?? EMPTY_TRIE_ROOT));
    }
    this.#changed.clear();
    return this.#trie.root();
  }

  /** Returns the storage root of an account, 32 bytes. */
  storageRootOf(address: Uint8Array): Uint8Array {
    return this.#accounts.get(latin1Key(address))?.storage?.trie.root() ?? EMPTY_TRIE_ROOT;
  }

  /** Returns the keys of the account's non-zero slots. */
  slotsOf(address: Uint8Array): Iterable<Uint8Array> {
    return this.#accounts.get(latin1Key(address))?.storage?.slots.values() ?? [];
  }

  /** Returns the record of an account and marks it as changed, because the caller is about to change it. */
  #account(address: Uint8Array): Account {
    const text = latin1Key(address);
    let account = this.#accounts.get(text);
    if (account === undefined)
      this.#accounts.set(text, (account = { key: keccak256(address), state: null, storage: null }));
    this.#changed.add(account);
    return account;
  }

  #applySlot(account: Account, slot: Uint8Array, value: Uint8Array): void {
    const storage = (account.storage ??= { trie: new Trie(), slots: new Map() });
    const key = keccak256(slot);
    const word = withoutLeadingZeros(value);
    if (word.length === 0) {
      storage.slots.delete(latin1Key(slot));
      storage.trie.delete(key);
    } else {
      storage.slots.set(latin1Key(slot), slot.slice());
      storage.trie.put(key, encodeRlp(word));
    }
  }
}

function encodeAccount(state: AccountState, storageRoot: Uint8Array): Uint8Array {
  return encodeRlp([state.nonce, state.balance, storageRoot, state.codeHash]);
}

function withoutLeadingZeros(word: Uint8Array): Uint8Array {
  let start = 0;
  while (start < word.length && word[start] === 0) start++;
  return word.slice(start);
}
