// Executes an OP-Stack deposit transaction, which has rules of its own.
import { whenReady } from '../../lib/threads/sync-or-async.js';
import { EMPTY_ACCOUNT } from '../../state/views/state-view.js';
import { codeLimits } from '../../chain/code-limits.js';
import { intrinsicAndFloorGas } from '../../transaction/intrinsic-gas.js';
import {
  executeMessage,
  toTransactionResult,
  settleTransaction,
  type TransitionContext,
  type TransactionResult,
} from '../block/state-transition.js';
import { splitMessageGas } from '../block/transaction-message.js';
import { cleanUpAccounts } from '../block/transaction-settlement.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { DepositTransaction } from '../../transaction/op/deposit.js';

/** Result of a deposit. From Regolith on, its receipt also contains the sender's nonce. */
export interface DepositResult extends TransactionResult {
  /** Sender's nonce before the deposit raised it. The address of a created contract is derived from it. */
  readonly nonce: bigint;
}

/**
 * Mints ether to the sender, raises its nonce and runs the message at gas price 0. A deposit is never invalid: one that
 * cannot start counts as failed, with all its gas used. The caller commits or reverts the changes in the state.
 */
export function runDeposit(
  deposit: DepositTransaction,
  transition: TransitionContext,
): DepositResult | Promise<DepositResult> {
  const { from, mint, gasLimit } = deposit;
  const { state } = transition;
  const { nonce, balance, codeHash } = state.accountOf(from) ?? EMPTY_ACCOUNT;
  state.setAccount(from, { nonce: nonce + 1n, balance: balance + mint, codeHash });
  const { rules } = transition;
  const { to, value, data } = deposit;
  const priced = { from, to, value, data, accessList: null, authorizationList: null };
  const plan = intrinsicAndFloorGas(priced, rules.common);
  if (gasLimit < plan.intrinsicGas || gasLimit < plan.floorGas || !canStart(deposit, balance + mint, rules))
    return { status: 0, gasUsed: gasLimit, blockGas: { execution: gasLimit, state: 0n }, nonce, ...NOT_STARTED };
  const gas = splitMessageGas(gasLimit, plan.intrinsicGas, rules);
  const message = { caller: from, to, value, data, ...FREE };
  return whenReady(executeMessage(message, gas.left, transition), (run) => {
    cleanUpAccounts(run, state, rules);
    return { ...toTransactionResult(settleTransaction(plan, { run, gas }, rules)), nonce };
  });
}

const NOT_STARTED = { logs: [], returnData: new Uint8Array(0), halted: 'the deposit cannot begin' };
const FREE = { gasPrice: 0n, blobVersionedHashes: [], accessList: [], warm: [] };

/**
 * True if the deposit can start: its init code is within the size limit (EIP-3860), the sender has the value, and it is
 * not a system transaction (Regolith forbids those).
 */
function canStart({ to, value, data, isSystem }: DepositTransaction, balance: bigint, { common }: ForkRules): boolean {
  return !isSystem && value <= balance && (to !== null || data.length <= codeLimits(common).initcode);
}
