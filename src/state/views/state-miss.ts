// Errors of a reader for state that it cannot give. Runs on every thread.
import { toHex } from '../../lib/bytes/hex.js';

/** An incomplete table does not hold this account (`slot: null`) or slot: it has to be fetched from the upstream node. */
export class StateMiss extends Error {
  override readonly name = 'StateMiss';
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** 32 bytes; `null`: the account is missing. */
  readonly slot: Uint8Array | null;

  /** Without a stack: a pass over a cold block throws thousands, each of which would take 15 us to capture it. */
  constructor(address: Uint8Array, slot: Uint8Array | null) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`not held: ${toHex(address)}${slot === null ? '' : ` slot ${toHex(slot)}`}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.address = address;
    this.slot = slot;
  }
}

/** A version was read that is no longer kept: it was not pinned, or its pin was held for so long that it was revoked. */
export class VersionNotKept extends Error {
  override readonly name = 'VersionNotKept';
  /** The version that was read. */
  readonly version: number;

  constructor(version: number) {
    super(`version ${version} is no longer kept`);
    this.version = version;
  }
}
