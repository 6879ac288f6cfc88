// A view for dry runs. If a sender's account is missing, the view assumes that it has the nonce and the ether that its
// transaction needs. Otherwise the dry run would refuse the transaction before it reads any other state.
import { ByteMap } from '../../lib/bytes/byte-map.js';
import type { MissRecordingView } from './miss-recording-view.js';
import { EMPTY_CODE_HASH, type AccountState, type StateView } from './state-view.js';

/** A sender that is assumed to be able to pay (20 bytes), and the nonce of its first transaction in the dry run. */
export interface AssumedPayer {
  readonly from: Uint8Array;
  readonly nonce: bigint;
}

/** More wei than any transaction costs, and far below the largest possible balance. */
const PLENTY_WEI = 2n ** 200n;

/** A view on top of `below`. If the account of a sender in `payers` is missing there, it has PLENTY_WEI. */
export class DryRunPayerView implements StateView {
  readonly #below: MissRecordingView;
  readonly #payers = new ByteMap<AccountState>();

  /** If a sender occurs several times, the first occurrence counts. */
  constructor(below: MissRecordingView, payers: readonly AssumedPayer[]) {
    this.#below = below;
    for (const { from, nonce } of payers.toReversed())
      this.#payers.set(from, { nonce, balance: PLENTY_WEI, codeHash: EMPTY_CODE_HASH });
  }

  account(address: Uint8Array): AccountState | null {
    const account = this.#below.account(address);
    if (account !== null || !this.#below.misses(address)) return account;
    return this.#payers.get(address) ?? null;
  }

  code(codeHash: Uint8Array): Uint8Array {
    return this.#below.code(codeHash);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.#below.storage(address, slot);
  }

  blockHash(number: number): Uint8Array | null {
    return this.#below.blockHash(number);
  }
}
