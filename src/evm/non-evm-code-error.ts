// The error that ends an execution which cannot be completed here.
import { nonEvmErrorMessage } from '../chain/non-evm-accounts.js';

/** The execution reached non-EVM code. What it has done stays in the state; the caller must revert it. */
export class NonEvmCodeError extends Error {
  /** 20 bytes. */
  readonly address: Uint8Array;

  constructor(address: Uint8Array) {
    super(nonEvmErrorMessage(address));
    this.address = address;
  }
}
