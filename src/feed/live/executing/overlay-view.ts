// The state in the middle of a block, as a view from which another execution can look ahead.
import type { JournaledState } from '../../../evm/journal/journaled-state.js';
import type { AccountState, StateView } from '../../../state/views/state-view.js';

/** The changes of `state` on top of the view `below`. Throws StateMiss if that does. */
export class OverlayView implements StateView {
  readonly #state: JournaledState;
  readonly #below: StateView;

  constructor(state: JournaledState, below: StateView) {
    this.#state = state;
    this.#below = below;
  }

  /** Returns the account; see StateView. */
  account(address: Uint8Array): AccountState | null {
    return this.#state.accountOf(address);
  }

  /** Returns the code with this hash; see StateView. */
  code(codeHash: Uint8Array): Uint8Array {
    return this.#state.codeOfHash(codeHash);
  }

  /** Returns the value of the slot; see StateView. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    const word = new Uint8Array(32);
    const value = this.#state.storageOf(address, slot);
    word.set(value, 32 - value.length);
    return word;
  }

  /** See StateView. The current block does not change any block hash. */
  blockHash(number: number): Uint8Array | null {
    return this.#below.blockHash(number);
  }
}
