// Builds the block access list (EIP-7928): which accounts and slots each step of a block has accessed and changed.
import type { AccountAccess, BlockAccessList, AccessChange, SlotChanges } from '../../chain/block/block-access-list.js';
import type { OnAccountChange } from '../../evm/journal/journaled-state.js';
import type { ReadSet } from '../../evm/read-set.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import { toBigInt } from '../../lib/bytes/big-endian.js';
import type { StateChanges } from '../../state/state-diff.js';
import { EMPTY_ACCOUNT } from '../../state/views/state-view.js';

/** One accessed account, with all changes that the steps so far have made to it. */
interface Accessed {
  readonly address: Uint8Array;
  readonly slots: Map<bigint, AccessChange<bigint>[]>;
  readonly balances: AccessChange<bigint>[];
  readonly nonces: AccessChange<bigint>[];
  readonly codes: AccessChange<Uint8Array>[];
}

export class BlockAccessListBuilder {
  /** Returns code by its hash, including code that the block has created. */
  readonly #codeOf: (hash: Uint8Array) => Uint8Array;
  readonly #accounts = new Map<string, Accessed>();
  /** Index of the current step: 0 before the transactions, then one for each transaction, and one after them. */
  #index = 0;

  constructor(codeOf: (hash: Uint8Array) => Uint8Array) {
    this.#codeOf = codeOf;
  }

  add({ accounts, slots }: ReadSet): void {
    for (const address of accounts) this.#at(address);
    for (const { address, slot } of slots) slotsAt(this.#at(address), slot);
  }

  /** Records what the current step has changed in an account. */
  readonly note: OnAccountChange = (address, before, after) => {
    const { balances, nonces, codes } = this.#at(address);
    const [was, is] = [before ?? EMPTY_ACCOUNT, after ?? EMPTY_ACCOUNT];
    const index = this.#index;
    if (is.balance !== was.balance) balances.push({ index, value: is.balance });
    if (is.nonce !== was.nonce) nonces.push({ index, value: is.nonce });
    if (!sameBytes(is.codeHash, was.codeHash)) codes.push({ index, value: this.#codeOf(is.codeHash) });
  };

  /** Ends the current step. `slots` are the storage slots that the step has written. */
  end({ slots }: Pick<StateChanges, 'slots'>): void {
    for (const { address, slot, value } of slots)
      slotsAt(this.#at(address), slot).push({ index: this.#index, value: toBigInt(value) });
    this.#index++;
  }

  /** Returns the access list of the steps so far. */
  list(): BlockAccessList {
    const accounts = [...this.#accounts.values()];
    return accounts.sort((a, b) => Buffer.compare(a.address, b.address)).map(accessOf);
  }

  #at(address: Uint8Array): Accessed {
    const key = latin1Key(address);
    let accessed = this.#accounts.get(key);
    if (accessed === undefined) {
      accessed = { address, slots: new Map(), balances: [], nonces: [], codes: [] };
      this.#accounts.set(key, accessed);
    }
    return accessed;
  }
}

/** Returns the recorded changes of a storage slot, and marks the slot as accessed. */
function slotsAt({ slots }: Accessed, slot: Uint8Array): AccessChange<bigint>[] {
  const key = toBigInt(slot);
  let changes = slots.get(key);
  if (changes === undefined) slots.set(key, (changes = []));
  return changes;
}

function accessOf({ address, slots, balances, nonces, codes }: Accessed): AccountAccess {
  const all = [...slots].map(([slot, changes]): SlotChanges => ({ slot, changes }));
  all.sort((a, b) => (a.slot < b.slot ? -1 : 1));
  const storage = all.filter(({ changes }) => changes.length > 0);
  const reads = all.filter(({ changes }) => changes.length === 0).map(({ slot }) => slot);
  return { address, storage, reads, balances, nonces, codes };
}
