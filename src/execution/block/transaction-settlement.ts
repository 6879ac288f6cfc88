// Settles a transaction after its message has run: computes gas, credits fees, removes accounts.
import type { TransactionRules } from '../../chain/active-forks.js';
import type { AppliedMessage, Execution } from '../../evm/evm-engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { EMPTY_ACCOUNT, isEmptyAccount } from '../../state/views/state-view.js';
import type { MessageGas } from './authorization-gas-meter.js';
import type { IntrinsicAndFloorGas } from '../../transaction/intrinsic-gas.js';
import { maxBigInt } from '../../lib/min-max-bigint.js';

/** Gas of one executed transaction: what it used, what its sender pays for, and what counts in the block. */
export interface SpentGas {
  /** Gas used, before refunds. */
  readonly used: bigint;
  /** Gas that the sender pays for: after refunds (EIP-3529), and at least the minimum charge (EIP-7623). */
  readonly paid: bigint;
  /** Execution gas that counts in the block (EIP-8037); in forks without state gas, all gas. */
  readonly execution: bigint;
  readonly state: bigint;
}

/** At most one fifth of the gas used is refunded (EIP-3529). */
const REFUND_QUOTIENT = 5n;

/**
 * Computes the gas figures of a transaction whose message has run. `gas` is what the message was given. From Amsterdam
 * on, the block counts gas before refunds (EIP-7778).
 */
export function computeSpentGas(
  { intrinsicGas, floorGas }: IntrinsicAndFloorGas,
  gas: MessageGas,
  run: Execution,
  { common }: TransactionRules,
): SpentGas {
  const used = intrinsicGas + gas.used + run.gasUsed;
  const due = gas.refund + run.refund;
  const refundMax = used / REFUND_QUOTIENT;
  const paid = maxBigInt(used - (due < refundMax ? due : refundMax), floorGas);
  if (!common.isActivatedEIP(8037)) return { used, paid, execution: paid, state: 0n };
  const state = gas.stateUsed + run.stateGas;
  return { used, paid, execution: maxBigInt(used - state, floorGas), state };
}

/**
 * Removes the accounts that the transaction has destroyed, and those that it has touched and that are empty (EIP-161).
 */
export function cleanUpAccounts(
  { destroyed, touched }: AppliedMessage,
  state: JournaledState,
  { common }: TransactionRules,
): void {
  for (const address of destroyed) {
    if (common.isActivatedEIP(8246)) emptyAccount(address, state);
    else state.removeAccount(address);
  }
  for (const address of touched) removeAccountIfEmpty(address, state);
  state.beginTransaction();
}

/** Destroys an account, but keeps its balance (EIP-8246). */
function emptyAccount(address: Uint8Array, state: JournaledState): void {
  const balance = state.accountOf(address)?.balance ?? 0n;
  state.removeAccount(address);
  creditBalance(address, balance, state);
}

export function creditBalance(address: Uint8Array, wei: bigint, state: JournaledState): void {
  if (wei === 0n) return;
  const { nonce, balance, codeHash } = state.accountOf(address) ?? EMPTY_ACCOUNT;
  state.setAccount(address, { nonce, balance: balance + wei, codeHash });
}

/** Removes the account if it is empty (EIP-161). */
export function removeAccountIfEmpty(address: Uint8Array, state: JournaledState): void {
  const account = state.accountOf(address);
  if (account !== null && isEmptyAccount(account)) state.removeAccount(address);
}
