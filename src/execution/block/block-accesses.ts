// The access list of a block in the making (EIP-7928): what its steps have accessed, and what each has changed. Runs on publisher and
// estimators.
import type { AccountAccess, BlockAccessList, Change, SlotChanges } from '../../chain/block/block-access-list.js';
import type { ReadSet } from '../../evm/read-set.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { latin1 } from '../../lib/bytes/latin1.js';
import { toBigInt } from '../../lib/bytes/words.js';
import type { AccountChange, SlotChange, StateChanges } from '../../state/diff.js';
import { EMPTY_CODE_HASH, type AccountState, type StateView } from '../../state/views/view.js';

/** Parts that the list is made from. */
export interface BlockAccessesParts {
  /** State before the block. */
  readonly view: Pick<StateView, 'account'>;
  /** Code by its hash, also one that the block has made. */
  readonly codeOf: (hash: Uint8Array) => Uint8Array;
}

/** An account as the steps so far have left it. */
interface Accessed {
  readonly address: Uint8Array;
  /** `undefined`: none has changed it. */
  state: AccountState | null | undefined;
  readonly slots: Map<bigint, Change<bigint>[]>;
  readonly balances: Change<bigint>[];
  readonly nonces: Change<bigint>[];
  readonly codes: Change<Uint8Array>[];
}

const NOTHING: AccountState = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };

/** One per block. */
export class BlockAccesses {
  readonly #parts: BlockAccessesParts;
  readonly #accounts = new Map<string, Accessed>();
  /** Of the step at hand: 0 before the transactions, then one for each, and one behind them. */
  #index = 0;

  constructor(parts: BlockAccessesParts) {
    this.#parts = parts;
  }

  /** Notes what the step at hand has accessed. */
  add({ accounts, slots }: ReadSet): void {
    for (const address of accounts) this.#at(address);
    for (const { address, slot } of slots) slotsAt(this.#at(address), slot);
  }

  /** Ends the step at hand. `changes`: final values of what is another than before it. */
  end(changes: Pick<StateChanges, 'accounts' | 'slots'>): void {
    for (const change of changes.accounts) this.#noteAccount(change);
    for (const change of changes.slots) this.#noteSlot(change);
    this.#index++;
  }

  /** The list so far. */
  list(): BlockAccessList {
    const accounts = [...this.#accounts.values()];
    return accounts.sort((a, b) => Buffer.compare(a.address, b.address)).map(accessOf);
  }

  #noteAccount({ address, account }: AccountChange): void {
    const accessed = this.#at(address);
    const before = (accessed.state === undefined ? this.#parts.view.account(address) : accessed.state) ?? NOTHING;
    const after = account ?? NOTHING;
    accessed.state = account;
    const index = this.#index;
    if (after.balance !== before.balance) accessed.balances.push({ index, value: after.balance });
    if (after.nonce !== before.nonce) accessed.nonces.push({ index, value: after.nonce });
    if (!sameBytes(after.codeHash, before.codeHash))
      accessed.codes.push({ index, value: this.#parts.codeOf(after.codeHash) });
  }

  #noteSlot({ address, slot, value }: SlotChange): void {
    slotsAt(this.#at(address), slot).push({ index: this.#index, value: toBigInt(value) });
  }

  #at(address: Uint8Array): Accessed {
    const key = latin1(address);
    let accessed = this.#accounts.get(key);
    if (accessed === undefined) {
      accessed = { address, state: undefined, slots: new Map(), balances: [], nonces: [], codes: [] };
      this.#accounts.set(key, accessed);
    }
    return accessed;
  }
}

/** Changes of a slot, which is one of those accessed from here on. */
function slotsAt({ slots }: Accessed, slot: Uint8Array): Change<bigint>[] {
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
