// Error that ends an execution which cannot be answered here. Runs on publisher and estimators.
import { foreignText } from '../chain/foreign.js';

/**
 * Thrown where an execution comes to an account whose code is not the EVM's. What it has done so far is left in the state, for the
 * caller to undo.
 */
export class ForeignMet extends Error {
  /** 20 bytes. */
  readonly address: Uint8Array;

  constructor(address: Uint8Array) {
    super(foreignText(address));
    this.address = address;
  }
}
