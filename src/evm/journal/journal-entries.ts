// Accounts and slots in the form in which a journaled state caches them.
import type { ByteMap } from '../../lib/bytes/byte-map.js';
import type { AccountState } from '../../state/views/state-view.js';

/** An account as it was last read or written, and what is needed to determine how it has changed. */
export interface AccountEntry {
  readonly address: Uint8Array;
  state: AccountState | null;
  /** The state that `changes()` last reported, or else the view's. */
  reported: AccountState | null;
  /** Number of the transaction that last cleared its storage, or 0. A slot that is not in `slots` is zero then. */
  clearedIn: number;
  /** Number of the transaction that cleared it before that. */
  clearedBefore: number;
  clearedReported: boolean;
  /** True if it is listed in `touched`. */
  touched: boolean;
  slots: ByteMap<SlotEntry> | null;
  touchedSlots: SlotEntry[];
  /** True if it is listed for the mirror. */
  unmirrored: boolean;
  /** True if its storage was erased since the mirror was last notified. */
  erasedUnmirrored: boolean;
}

/** A slot as it was last read or written, and what is needed to determine how it has changed. */
export interface SlotEntry {
  readonly account: AccountEntry;
  readonly key: Uint8Array;
  /** Big endian without leading zeros, and empty for zero: the form that the EVM uses. */
  value: Uint8Array;
  reported: Uint8Array;
  /** Value at the start of transaction `transaction`; it means nothing in any other transaction. */
  original: Uint8Array;
  transaction: number;
  touched: boolean;
  /** True if it was first read after its account was cleared. If that is reverted, it has the view's value. */
  unread: boolean;
  /** True if it is listed for the mirror. */
  unmirrored: boolean;
}
