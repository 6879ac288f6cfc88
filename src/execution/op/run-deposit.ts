// The execution of a deposit transaction: what sets it apart from any other. Runs on publisher and estimators.
import { after } from '../../lib/threads/at-once.js';
import { EMPTY_CODE_HASH } from '../../state/views/view.js';
import { INITCODE_BYTES_MAX } from '../../chain/code-limits.js';
import { transactionGas } from '../../transaction/intrinsic-gas.js';
import {
  applyMessage,
  resultOf,
  type GasPlan,
  type TransitionContext,
  type TransactionResult,
} from '../block/state-transition.js';
import { cleanUp } from '../block/settlement.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { Deposit } from '../../transaction/op/deposit.js';

/** The end of a deposit; its receipt also states the sender's nonce (Regolith). */
export interface DepositResult extends TransactionResult {
  /** The sender's before it was raised: the one that a created contract's address comes from. */
  readonly nonce: bigint;
}

/**
 * Mints, raises the nonce and runs the message without a price. Nothing makes a deposit invalid: one that cannot begin
 * has failed, and has used all its gas. The caller keeps or undoes what is written to the state.
 */
export function runDeposit(deposit: Deposit, transition: TransitionContext): DepositResult | Promise<DepositResult> {
  const { from, mint, gasLimit } = deposit;
  const { state } = transition;
  const { nonce, balance, codeHash } = state.accountOf(from) ?? NO_ACCOUNT;
  state.setAccount(from, { nonce: nonce + 1n, balance: balance + mint, codeHash });
  const plan = planOf(deposit, transition.rules);
  if (gasLimit < plan.intrinsic || gasLimit < plan.floor || !canBegin(deposit, balance + mint))
    return { status: 0, gasUsed: gasLimit, nonce, logs: [] };
  return after(applyMessage(plan, transition), (applied) => {
    cleanUp(applied, state);
    return { ...resultOf(plan, applied), nonce };
  });
}

const NO_ACCOUNT = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };

function planOf({ from, to, value, data, gasLimit }: Deposit, { common }: ForkRules): GasPlan {
  const { intrinsicGas, floorGas } = transactionGas({ to, data, accessList: null, authorizationList: null }, common);
  const free = { gasPrice: 0n, blobVersionedHashes: [], accessList: [], warm: [] };
  return {
    message: { caller: from, to, value, data, ...free },
    limit: gasLimit,
    intrinsic: intrinsicGas,
    floor: floorGas,
    refund: 0n,
  };
}

/** EIP-3860, and the value must be there; system transactions are not to be since Regolith. */
function canBegin({ to, value, data, isSystem }: Deposit, balance: bigint): boolean {
  return !isSystem && value <= balance && (to !== null || data.length <= INITCODE_BYTES_MAX);
}
