// A view of the state in the middle of a block, on which a dry run of the rest of the block can start.
import type { JournaledState } from '../../../evm/journal/journaled-state.js';
import type { AccountState, StateView } from '../../../state/views/state-view.js';
import { toWord } from '../../../lib/bytes/big-endian.js';

/** The changes in `state` on top of the view `below`. Throws StateMiss if `below` does. */
export class OverlayView implements StateView {
  readonly #state: JournaledState;
  readonly #below: StateView;

  constructor(state: JournaledState, below: StateView) {
    this.#state = state;
    this.#below = below;
  }

  /** Implements StateView: returns the account. */
  account(address: Uint8Array): AccountState | null {
    return this.#state.accountOf(address);
  }

  /** Implements StateView: returns the code with this hash. */
  code(codeHash: Uint8Array): Uint8Array {
    return this.#state.codeOfHash(codeHash);
  }

  /** Implements StateView: returns the value of the slot. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return toWord(this.#state.storageOf(address, slot));
  }

  /** Implements StateView. The current block does not change any block hash. */
  blockHash(number: number): Uint8Array | null {
    return this.#below.blockHash(number);
  }
}
