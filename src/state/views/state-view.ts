// The interface through which an EVM reads state.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import type { AccountChange, SlotChange, StateChanges } from '../state-diff.js';

/** An account as the EVM sees it. An account that does not exist is `null`, never a record of zeros. */
export interface AccountState {
  readonly nonce: bigint;
  /** Wei. */
  readonly balance: bigint;
  /** keccak-256 of the account's code, 32 bytes; `EMPTY_CODE_HASH` if it has no code. */
  readonly codeHash: Uint8Array;
}

/**
 * The state at one fixed position of the chain, with the four reads that an EVM makes. All results of one view belong
 * to the same position, whatever is published meanwhile. Reads are synchronous. If the state is incomplete, reading a
 * missing key throws `StateMiss`, and the key can be fetched from the upstream node. If the state is complete, a key
 * that is not stored is `null` or zero.
 */
export interface StateView {
  /** Two views with the same stamp read the same state. Absent if the view has no stamp. */
  readonly stamp?: number;
  /** Returns the account, or `null` if it does not exist; `address` has 20 bytes. */
  account(address: Uint8Array): AccountState | null;
  /** Returns the code with this hash; no bytes for `EMPTY_CODE_HASH`. The caller must not change the bytes. */
  code(codeHash: Uint8Array): Uint8Array;
  /** Returns the 32-byte word in `slot` (32 bytes); zero if it was never written. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array;
  /** Returns the hash of block `number` on this position's chain; `null` if it is not known. */
  blockHash(number: number): Uint8Array | null;
}

/** The keccak-256 of no bytes, which is the code hash of an account without code. */
export const EMPTY_CODE_HASH = Uint8Array.from(
  Buffer.from('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470', 'hex'),
);

export const EMPTY_ACCOUNT: AccountState = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };

/** True if the account has code. An account without code cannot have a delegation either. */
export function hasCode(account: AccountState | null): boolean {
  return account !== null && !sameBytes(account.codeHash, EMPTY_CODE_HASH);
}

/** True if the account is empty (EIP-161) or does not exist. */
export function isEmptyAccount(account: AccountState | null): boolean {
  return account === null || (account.balance === 0n && account.nonce === 0n && !hasCode(account));
}

/** An account with this nonce can send no more transactions (EIP-2681). */
export const NONCE_MAX = 2n ** 64n - 1n;

/** A view of an empty state, for objects that have no position in the chain yet. */
export const NO_STATE: StateView = {
  account: () => null,
  code: () => new Uint8Array(0),
  storage: () => new Uint8Array(32),
  blockHash: () => null,
};

/** Keys of accounts and slots. */
export interface AccountAndSlotKeys {
  readonly accounts: readonly Pick<AccountChange, 'address'>[];
  readonly slots: readonly Pick<SlotChange, 'address' | 'slot'>[];
}

/** Returns these accounts and slots with their values in `view`. */
export function readKeyValues(view: StateView, { accounts, slots }: AccountAndSlotKeys): StateChanges {
  return {
    accounts: accounts.map(({ address }) => ({ address, account: view.account(address) })),
    slots: slots.map(({ address, slot }) => ({ address, slot, value: view.storage(address, slot) })),
    codes: [],
  };
}

export function sameAccount(a: AccountState | null, b: AccountState | null): boolean {
  if (a === null || b === null) return a === b;
  return a.nonce === b.nonce && a.balance === b.balance && sameBytes(a.codeHash, b.codeHash);
}
