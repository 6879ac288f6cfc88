// The error that ends an execution which cannot be completed here.
import { nonEvmErrorMessage } from '../chain/non-evm-accounts.js';

/**
 * Thrown when an execution reaches an account with non-EVM code. What it has done so far stays in the state, and the
 * caller must revert it.
 */
export class NonEvmCodeError extends Error {
  /** 20 bytes. */
  readonly address: Uint8Array;

  constructor(address: Uint8Array) {
    super(nonEvmErrorMessage(address));
    this.address = address;
  }
}
