// The error of an execution that reached non-EVM code and so cannot be completed here.
import { nonEvmErrorMessage } from '../chain/non-evm-accounts.js';

/** Thrown when an execution reaches non-EVM code. Its changes stay in the state; the caller must revert them. */
export class NonEvmCodeError extends Error {
  /** Address of the account with non-EVM code, 20 bytes. */
  readonly address: Uint8Array;

  constructor(address: Uint8Array) {
    super(nonEvmErrorMessage(address));
    this.address = address;
  }
}
