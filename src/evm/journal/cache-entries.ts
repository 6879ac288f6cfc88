// Cache entries of a journaled state: one per account and one per slot.
import type { ByteMap } from '../../lib/bytes/byte-map.js';
import type { AccountState } from '../../state/views/state-view.js';

/** An account as last read or written, and the data from which its changes are determined. */
export interface AccountEntry {
  readonly address: Uint8Array;
  state: AccountState | null;
  /** Account as the last call of `changes()` reported it; before the first call, as the view has it. */
  reported: AccountState | null;
  /**
   * Number of the transaction that last cleared the account's storage, or 0. If set, slots that are not in `slots` are
   * zero.
   */
  clearedIn: number;
  /**
   * The value of `clearedIn` before the last clearing: number of an earlier transaction that cleared the storage, or 0.
   */
  clearedBefore: number;
  clearedReported: boolean;
  /** True if the account is in the list of touched accounts. */
  touched: boolean;
  slots: ByteMap<SlotEntry> | null;
  touchedSlots: SlotEntry[];
  /** True if the account is queued for the listener that mirrors this state. */
  unmirrored: boolean;
  /** True if the storage was erased since the listener was last notified. */
  erasedUnmirrored: boolean;
}

/** A slot as last read or written, and the data from which its changes are determined. */
export interface SlotEntry {
  readonly account: AccountEntry;
  readonly key: Uint8Array;
  /** Value as big-endian bytes without leading zeros (empty for zero), as @ethereumjs/evm uses it. */
  value: Uint8Array;
  reported: Uint8Array;
  /** Value at the start of transaction number `transaction`. Meaningless in any other transaction. */
  original: Uint8Array;
  transaction: number;
  touched: boolean;
  /**
   * True if the slot was not read before its account's storage was cleared, so that its former value is not known here.
   * If the clearing is reverted, the value is read from the view.
   */
  unread: boolean;
  /** True if the slot is queued for the listener that mirrors this state. */
  unmirrored: boolean;
}
