// One account before and after a transaction.
import type { AccountState } from '../../state/views/state-view.js';

/** `before` and `after` are `null` if the account does not exist at that time. */
export interface AccountDelta {
  readonly before: AccountState | null;
  after: AccountState | null;
  readonly slots: { readonly slot: string; readonly before: Uint8Array; readonly after: Uint8Array }[];
}
