// Error that ends an execution which cannot be answered here.
import { nonEvmText } from '../chain/non-evm.js';

/**
 * Thrown where an execution comes to an account whose code is not the EVM's. What it has done so far is left in the
 * state, for the caller to undo.
 */
export class NonEvmCodeError extends Error {
  /** 20 bytes. */
  readonly address: Uint8Array;

  constructor(address: Uint8Array) {
    super(nonEvmText(address));
    this.address = address;
  }
}
