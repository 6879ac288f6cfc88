// Renders the changes of a transaction in Parity's form (`stateDiff` of trace_call).
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { AccountState } from '../../state/views/state-view.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import type { AccountDelta } from '../bundle/account-delta.js';

/** How a value changes: unchanged (`=`), added (`+`), removed (`-`) or replaced (`*`). */
type Delta = '=' | { readonly '+': string } | { readonly '-': string } | { readonly '*': object };

/** Returns the code of an account, or no bytes for `null`. */
type CodeOf = (account: AccountState | null) => Uint8Array;

/** Returns the JSON of one account's changes; `null` if nothing has changed. */
export function renderParityAccountDiff(change: AccountDelta, codeOf: CodeOf): object | null {
  const { before, after, slots } = change;
  if (before === null && after === null) return null;
  const delta = (valueOf: (account: AccountState) => string): Delta =>
    deltaOf(before === null ? null : valueOf(before), after === null ? null : valueOf(after));
  const changed = slots.filter((slot) => !sameBytes(slot.before, slot.after));
  const storage = changed
    .map(({ slot, before: from, after: to }) => {
      return [slot, deltaOf(before === null ? null : toHex(from), after === null ? null : toHex(to))] as const;
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const json = {
    balance: delta(({ balance }) => toQuantity(balance)),
    code: delta((account) => toHex(codeOf(account))),
    nonce: delta(({ nonce }) => toQuantity(nonce)),
    storage: Object.fromEntries(storage),
  };
  const isSame = json.balance === '=' && json.code === '=' && json.nonce === '=' && storage.length === 0;
  return isSame ? null : json;
}

function deltaOf(from: string | null, to: string | null): Delta {
  if (from === null) return { '+': to! };
  if (to === null) return { '-': from };
  return from === to ? '=' : { '*': { from, to } };
}
