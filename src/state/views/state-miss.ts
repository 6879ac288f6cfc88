// Errors for state that cannot be read.
import { toHex } from '../../lib/bytes/hex.js';

/** An incomplete table lacks this account (`slot: null`) or slot. It has to be fetched from the node. */
export class StateMiss extends Error {
  override readonly name = 'StateMiss';
  /** The account's address, 20 bytes. */
  readonly address: Uint8Array;
  /** The slot, 32 bytes; `null` if the account is missing. */
  readonly slot: Uint8Array | null;

  /**
   * Creates the error without a stack trace, which would take 15 us. Executing a block without any state throws
   * thousands of them.
   */
  constructor(address: Uint8Array, slot: Uint8Array | null) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`not cached: ${toHex(address)}${slot === null ? '' : ` slot ${toHex(slot)}`}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.address = address;
    this.slot = slot;
  }
}

/**
 * The state version to be read is no longer retained. It was not pinned, or values that it needs were freed in spite of
 * its pin, because memory was exhausted.
 */
export class VersionNotKept extends Error {
  override readonly name = 'VersionNotKept';
  /** The state version that should have been read. */
  readonly version: number;

  constructor(version: number) {
    super(`version ${version} is no longer kept`);
    this.version = version;
  }
}
