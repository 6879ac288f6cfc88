// Accounts and slots as a journaled state keeps them.
import type { ByteMap } from '../../lib/bytes/byte-map.js';
import type { AccountState } from '../../state/views/view.js';

/** An account as last read or written, and what is needed to say how it differs. */
export interface AccountEntry {
  readonly address: Uint8Array;
  state: AccountState | null;
  /** The state that `changes()` last reported, or the view's. */
  reported: AccountState | null;
  /** Transaction that cleared its storage last, 0 for none: a slot that is not in `slots` is zero then. */
  clearedIn: number;
  /** Transaction that cleared it before that. */
  clearedBefore: number;
  clearedReported: boolean;
  /** Listed in `touched`. */
  touched: boolean;
  slots: ByteMap<SlotEntry> | null;
  touchedSlots: SlotEntry[];
  /** Listed in the mirror's queue. */
  unmirrored: boolean;
  /** True if its storage was emptied since the mirror was told last. */
  erasedUnmirrored: boolean;
}

/** A slot as last read or written, and what is needed to say how it differs. */
export interface SlotEntry {
  readonly account: AccountEntry;
  readonly key: Uint8Array;
  /** Big endian without leading zeros, empty for zero: the form that the EVM passes and expects. */
  value: Uint8Array;
  reported: Uint8Array;
  /** Value when transaction `transaction` began; meaningless in any other. */
  original: Uint8Array;
  transaction: number;
  touched: boolean;
  /** First read after its account was cleared: when that is undone, it holds what the view says. */
  unread: boolean;
  /** Listed in the mirror's queue. */
  unmirrored: boolean;
}
