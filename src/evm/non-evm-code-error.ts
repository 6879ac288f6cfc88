// The error of an execution that reached non-EVM code, which no engine of this program can execute.
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
