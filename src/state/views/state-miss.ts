// Errors of state reads that cannot be answered.
import { toHex } from '../../lib/bytes/hex.js';

/** An incomplete table lacks this account (`slot: null`) or slot, which has to be fetched from the node. */
export class StateMiss extends Error {
  override readonly name = 'StateMiss';
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** The slot, 32 bytes; `null` if the account is missing. */
  readonly slot: Uint8Array | null;

  /** Without a stack, 15 us each: a run over a block without resident state throws thousands. */
  constructor(address: Uint8Array, slot: Uint8Array | null) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`not held: ${toHex(address)}${slot === null ? '' : ` slot ${toHex(slot)}`}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.address = address;
    this.slot = slot;
  }
}

/** The version that was read is no longer retained: it was not pinned, or its old pin was revoked. */
export class VersionNotKept extends Error {
  override readonly name = 'VersionNotKept';
  /** The version that was read. */
  readonly version: number;

  constructor(version: number) {
    super(`version ${version} is no longer kept`);
    this.version = version;
  }
}
