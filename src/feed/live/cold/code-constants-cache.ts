// Finds the slots and accounts that code contains as constants. They are fetched together with the keys that an
// execution has missed. Without any state at the start, this saves round trips to the node: 5 instead of 8 for the gas
// estimate of a router swap, 59 instead of 66 for blocks of OP Sepolia (bench/cold.bench.ts). A constant that is not
// needed costs a read, but never changes a result.
import { BoundedCache } from '../../../lib/memory/bounded-cache.js';
import { fromHex } from '../../../lib/bytes/hex.js';
import { latin1Key } from '../../../lib/bytes/latin1-key.js';
import { LIMITS } from '../../../limits/index.js';
import {
  mergedMissingKeys,
  NO_MISSING_KEYS,
  MissRecordingView,
  type MissingKeys,
} from '../../../state/views/miss-recording-view.js';
import { hasCode, type StateView } from '../../../state/views/state-view.js';
import { findConstantKeys, type ConstantKeys } from './find-code-constants.js';
import { ADDRESS_BYTES } from '../../../lib/bytes/big-endian.js';

/** The slot where a proxy stores the address of its implementation (EIP-1967). */
const IMPLEMENTATION_SLOT = fromHex('0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc');

/** Remembers the constants of the last LIMITS.namedCodesMax codes. */
export class ConstantKeyCache {
  /** Slots and addresses found in a code, by the code's hash. */
  readonly #constants = new BoundedCache<string, ConstantKeys>(LIMITS.namedCodesMax);

  /**
   * Returns the constants in the code of these accounts, and for a proxy also those in the code of its implementation.
   * Only the first LIMITS.namingAccountsMax accounts are considered.
   */
  of(accounts: readonly Uint8Array[], view: StateView): MissingKeys {
    const resident = new MissRecordingView(view);
    const naming = unique(accounts).slice(0, LIMITS.namingAccountsMax);
    return mergedMissingKeys(naming.map((address) => this.#namedBy(address, resident)));
  }

  #namedBy(address: Uint8Array, resident: StateView): MissingKeys {
    const own = this.#constantsAt(address, resident);
    if (own === null) return NO_MISSING_KEYS;
    const implementation = resident.storage(address, IMPLEMENTATION_SLOT).subarray(-ADDRESS_BYTES);
    const run = this.#constantsAt(implementation, resident);
    const all = run === null ? [own] : [own, run];
    const slots = all.flatMap((constants) => constants.slots.map((slot) => ({ address, slot })));
    return { accounts: all.flatMap(({ addresses }) => addresses), slots };
  }

  #constantsAt(address: Uint8Array, resident: StateView): ConstantKeys | null {
    const account = resident.account(address);
    if (account === null || !hasCode(account)) return null;
    const key = latin1Key(account.codeHash);
    const known = this.#constants.get(key);
    if (known !== undefined) return known;
    const constants = findConstantKeys(resident.code(account.codeHash));
    this.#constants.set(key, constants, 1);
    return constants;
  }
}

function unique(all: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(all.map((bytes) => [latin1Key(bytes), bytes])).values()];
}
