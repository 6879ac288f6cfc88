// A view for looking ahead at transactions of a block: a sender that is not held has the nonce and the ether that its first
// transaction takes, for else that would not be in the block. Runs on the publisher.
import { ByteMap } from '../../lib/byte-map.js';
import type { RecordingView } from '../../state/recording-view.js';
import { EMPTY_CODE_HASH, type AccountState, type StateView } from '../../state/view.js';
import type { BlockTransaction } from '../../transaction/library.js';

/** More than any transaction takes, and far from what a balance can hold. */
const PLENTY_WEI = 2n ** 200n;

/** Over what `below` records: what is assumed is still missing. */
export class PayerView implements StateView {
  readonly #below: RecordingView;
  readonly #payers = new ByteMap<AccountState>();

  constructor(below: RecordingView, transactions: readonly BlockTransaction[]) {
    this.#below = below;
    for (const transaction of transactions) {
      if (!('tx' in transaction) || this.#payers.get(transaction.from) !== undefined) continue;
      const { nonce } = transaction.tx;
      this.#payers.set(transaction.from, { nonce, balance: PLENTY_WEI, codeHash: EMPTY_CODE_HASH });
    }
  }

  /** As StateView. */
  account(address: Uint8Array): AccountState | null {
    const account = this.#below.account(address);
    if (account !== null || !this.#below.lacks(address)) return account;
    return this.#payers.get(address) ?? null;
  }

  /** As StateView. */
  code(codeHash: Uint8Array): Uint8Array {
    return this.#below.code(codeHash);
  }

  /** As StateView. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.#below.storage(address, slot);
  }

  /** As StateView. */
  blockHash(number: number): Uint8Array | null {
    return this.#below.blockHash(number);
  }
}
