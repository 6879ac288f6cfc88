// The interface by which an EVM reads state.
import { sameBytes } from '../../lib/bytes/byte-map.js';

/** An account as the EVM sees it. An account that does not exist is `null`, never a record of zeros. */
export interface AccountState {
  readonly nonce: bigint;
  /** Wei. */
  readonly balance: bigint;
  /** keccak-256 of the code, 32 bytes. An account without code has `EMPTY_CODE_HASH`. */
  readonly codeHash: Uint8Array;
}

/**
 * State at one fixed position, with the four reads that an EVM makes. All results of one view belong to the same
 * position, whatever is published meanwhile. Reads are synchronous. A view with partial state, behind which there is an
 * upstream node, throws `StateMiss` for what it does not have; a complete view returns absent and zero.
 */
export interface StateView {
  /** Two views have the same stamp only if they read the same state. Absent if that is not known. */
  readonly stamp?: number;
  /** The account, or `null`; `address` has 20 bytes. */
  account(address: Uint8Array): AccountState | null;
  /** The code with this hash; empty for `EMPTY_CODE_HASH`. The bytes must not be changed. */
  code(codeHash: Uint8Array): Uint8Array;
  /** The 32-byte word in `slot` (32 bytes); zero if it was never written. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array;
  /** Hash of the canonical block `number` as seen from this position; `null` if it is not known. */
  blockHash(number: number): Uint8Array | null;
}

/** keccak-256 of no bytes. */
export const EMPTY_CODE_HASH = Uint8Array.from(
  Buffer.from('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470', 'hex'),
);

export const EMPTY_ACCOUNT: AccountState = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };

/** EIP-2681: an account with this nonce can send nothing more. */
export const NONCE_MAX = 2n ** 64n - 1n;

/** A view without any state: of something that is not at a position now. */
export const NO_STATE: StateView = {
  account: () => null,
  code: () => new Uint8Array(0),
  storage: () => new Uint8Array(32),
  blockHash: () => null,
};

export function sameAccount(a: AccountState | null, b: AccountState | null): boolean {
  if (a === null || b === null) return a === b;
  return a.nonce === b.nonce && a.balance === b.balance && sameBytes(a.codeHash, b.codeHash);
}
