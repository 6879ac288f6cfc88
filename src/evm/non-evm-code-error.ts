// The error that ends an execution which cannot be completed here.
import { nonEvmText } from '../chain/non-evm.js';

/**
 * Thrown when an execution reaches an account with non-EVM code. What it has done so far stays in the state, and the
 * caller must revert it.
 */
export class NonEvmCodeError extends Error {
  /** 20 bytes. */
  readonly address: Uint8Array;

  constructor(address: Uint8Array) {
    super(nonEvmText(address));
    this.address = address;
  }
}
