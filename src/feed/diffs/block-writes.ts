// The last value that a block writes to each account field and slot. Diffs of every source are converted to this form.
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import type { SlotChange } from '../../state/state-diff.js';
import type { MissingKeys } from '../../state/views/miss-recording-view.js';
import { EMPTY_ACCOUNT, EMPTY_CODE_HASH, isEmptyAccount } from '../../state/views/state-view.js';

/** Fields of one account; `null` for a field that has not changed or that the diff does not show. */
export interface AccountFields {
  readonly nonce: bigint | null;
  readonly balance: bigint | null;
  readonly code: Uint8Array | null;
}

/** An account in the block's diff: the block has changed it, or only touched it. */
interface WrittenAccount {
  readonly address: Uint8Array;
  fields: AccountFields;
  readonly slots: Map<string, SlotChange>;
}

/** The fields of an account of which nothing has changed. */
export const NO_FIELD_CHANGES: AccountFields = { nonce: null, balance: null, code: null };

/** Collects the writes of one block. Later writes replace earlier ones. */
export class BlockWrites {
  readonly #accounts = new Map<string, WrittenAccount>();
  readonly #unverified = new Map<string, Uint8Array>();

  /** Returns the last written value of each field of an account. */
  fieldsOf(address: Uint8Array): AccountFields {
    return this.#accounts.get(latin1Key(address))?.fields ?? NO_FIELD_CHANGES;
  }

  /** Returns the last written word of a slot; `null` if it was not written. */
  wordOf(address: Uint8Array, slot: Uint8Array): Uint8Array | null {
    return this.#accounts.get(latin1Key(address))?.slots.get(latin1Key(slot))?.value ?? null;
  }

  /** Records a write of the fields that are not `null`. */
  write(address: Uint8Array, { nonce, balance, code }: AccountFields): void {
    const account = this.#account(address);
    const { fields } = account;
    account.fields = {
      nonce: nonce ?? fields.nonce,
      balance: balance ?? fields.balance,
      code: code ?? fields.code,
    };
  }

  writeSlot(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    this.#account(address).slots.set(latin1Key(slot), { address, slot, value });
  }

  /** Marks an account as unverified: the values that the diff has for it may be wrong. */
  suspect(address: Uint8Array): void {
    this.#unverified.set(latin1Key(address), address);
  }

  isUnverified(address: Uint8Array): boolean {
    return this.#unverified.has(latin1Key(address));
  }

  /**
   * Accounts that must be read from the node again, at the block's hash, with all their slots that are in the table.
   */
  get unverified(): readonly Uint8Array[] {
    return [...this.#unverified.values()];
  }

  /** Keys of all written accounts and slots. They must be in the table before `applyTo` is called. */
  get keys(): MissingKeys {
    const accounts = [...this.#accounts.values()];
    const slots = accounts.flatMap((account) => [...account.slots.values()]);
    return { accounts: accounts.map(({ address }) => address), slots };
  }

  /** Applies all writes to a state. Throws StateMiss if an account or slot is missing there. */
  applyTo(state: JournaledState): void {
    for (const { address, fields, slots } of this.#accounts.values()) {
      writeAccount(address, fields, state);
      for (const { slot, value } of slots.values()) state.setStorage(address, slot, value);
    }
  }

  #account(address: Uint8Array): WrittenAccount {
    const name = latin1Key(address);
    let account = this.#accounts.get(name);
    if (account === undefined)
      this.#accounts.set(name, (account = { address, fields: NO_FIELD_CHANGES, slots: new Map() }));
    return account;
  }
}

function writeAccount(address: Uint8Array, { nonce, balance, code }: AccountFields, state: JournaledState): void {
  const old = state.accountOf(address) ?? EMPTY_ACCOUNT;
  const codeHash = code === null ? old.codeHash : codeHashOf(code);
  const account = { nonce: nonce ?? old.nonce, balance: balance ?? old.balance, codeHash };
  if (isEmptyAccount(account)) state.setAccount(address, null);
  else if (code === null) state.setAccount(address, account);
  else state.setHashedCode(address, account, code);
}

/**
 * Hashes of codes by their byte array. They are remembered, because a code is hashed for every transaction whose trace
 * contains it.
 */
const HASHES = new WeakMap<Uint8Array, Uint8Array>();

/** Returns the keccak-256 of code, 32 bytes. The code must not change afterwards. */
export function codeHashOf(code: Uint8Array): Uint8Array {
  if (code.length === 0) return EMPTY_CODE_HASH;
  let hash = HASHES.get(code);
  if (hash === undefined) HASHES.set(code, (hash = keccak256(code)));
  return hash;
}
