// Settlement when a message has run: gas that is paid for, fees, accounts that are removed. Runs on publisher and
// estimators.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import type { Applied, Execution } from '../../evm/engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { EMPTY_CODE_HASH, type AccountState } from '../../state/views/view.js';

/** The gas around a message: paid before it runs, the least that is paid (EIP-7623), and a refund that is due before. */
export interface GasAround {
  readonly intrinsic: bigint;
  readonly floor: bigint;
  readonly refund: bigint;
}

/** EIP-3529: at most a fifth of the gas is refunded. */
const REFUND_QUOTIENT = 5n;
const NO_ACCOUNT: AccountState = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };

/** Gas that is paid for: the message's less refunds (EIP-3529), but at least the floor (EIP-7623). */
export function paidGas({ intrinsic, floor, refund }: GasAround, run: Execution): bigint {
  const gas = intrinsic + run.gasUsed;
  const due = refund + run.refund;
  const refundMax = gas / REFUND_QUOTIENT;
  const used = gas - (due < refundMax ? due : refundMax);
  return used < floor ? floor : used;
}

/** Ends a transaction: removes what was destroyed, and what was touched and is empty (EIP-161). */
export function cleanUp({ destroyed, touched }: Applied, state: JournaledState): void {
  for (const address of destroyed) state.removeAccount(address);
  for (const address of touched) removeEmpty(address, state);
  state.beginTransaction();
}

/** Adds wei to an account. */
export function credit(address: Uint8Array, wei: bigint, state: JournaledState): void {
  if (wei === 0n) return;
  const { nonce, balance, codeHash } = state.accountOf(address) ?? NO_ACCOUNT;
  state.setAccount(address, { nonce, balance: balance + wei, codeHash });
}

/** Removes the account if it is empty (EIP-161). */
export function removeEmpty(address: Uint8Array, state: JournaledState): void {
  const account = state.accountOf(address);
  if (account === null || account.balance !== 0n || account.nonce !== 0n) return;
  if (sameBytes(account.codeHash, EMPTY_CODE_HASH)) state.removeAccount(address);
}
