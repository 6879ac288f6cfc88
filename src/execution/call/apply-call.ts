// A call as a transaction whose changes stay: what the next call finds. Runs on the estimators.
import { readsOf, withAccount } from '../block/state-transition.js';
import { credit, cleanUp, removeEmpty, spentGas } from '../block/settlement.js';
import type { Applied, Engine } from '../../evm/engine.js';
import { ForeignMet } from '../../evm/foreign-met.js';
import type { ReadSet } from '../../evm/read-set.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { nonceOverflows, NONCE_OVERFLOW, runTransaction, type MessageFlags } from './message.js';
import type { Transaction } from '../../transaction/call-validation.js';

/** Parts that calls are applied to. `engine` writes to `state`. */
export interface CallTarget {
  readonly engine: Engine;
  readonly state: JournaledState;
  readonly chainId: bigint;
}

/** A call that has been applied, with its gas. */
export interface AppliedCall {
  readonly run: Applied;
  /** Gas that is paid for, after refunds. */
  readonly gasUsed: bigint;
  /** Gas before refunds: the least gas limit with which the call runs the same way. */
  readonly maxGasUsed: bigint;
  /** Gas that it takes of its block's, by execution and by state (EIP-8037). */
  readonly blockGas: { readonly execution: bigint; readonly state: bigint };
  /** State that its block's access list names; absent: nobody asks for it, or the fork has no such list (EIP-7928). */
  readonly reads?: ReadSet;
}

/**
 * Applies a call that `validateCall` has found nothing wrong with. `null`: its time was up, and the state is of no use any
 * more. `traced`: see Message. Rejects with ForeignMet.
 */
export async function applyCall(
  tx: Transaction,
  gasLimit: bigint,
  { engine, state, chainId }: CallTarget,
  traced: MessageFlags = {},
): Promise<AppliedCall | null> {
  if (nonceOverflows(tx, state)) return allUsed(NONCE_OVERFLOW, gasLimit);
  const nonce = state.accountOf(tx.call.from)?.nonce ?? 0n;
  state.mark();
  const ran = await runTransaction(tx, gasLimit, {
    chainId,
    state,
    flags: traced,
    execute: (message, { left }) => engine.apply(message, tx.context, left),
  });
  const { run, gas } = ran;
  if (run.status === 'aborted') return null;
  if (run.foreign !== undefined) throw new ForeignMet(run.foreign);
  const {
    used,
    paid,
    execution,
    state: ofState,
  } = spentGas({ intrinsic: tx.intrinsicGas, floor: tx.floorGas, gas }, run, tx.rules);
  const reads = traced.isListed === true ? readsOf({ ...tx.call, nonce }, ran, { engine, rules: tx.rules }) : null;
  payFees(tx, gasLimit, paid, state);
  cleanUp(run, state, tx.rules);
  state.keep();
  const maxGasUsed = used < tx.floorGas ? tx.floorGas : used;
  const applied = { run, gasUsed: paid, maxGasUsed, blockGas: { execution, state: ofState } };
  if (reads === null) return applied;
  // A call without a price pays nobody: the fee recipient is not looked at.
  return { ...applied, reads: tx.gasPrice === 0n ? reads : withAccount(reads, tx.context.env.coinbase) };
}

function allUsed(run: Applied, gasLimit: bigint): AppliedCall {
  return { run, gasUsed: gasLimit, maxGasUsed: gasLimit, blockGas: { execution: gasLimit, state: 0n } };
}

/** Gas that was not used goes back to the sender, the tip to the fee recipient. A call without a price pays nobody. */
function payFees({ call, gasPrice, context }: Transaction, limit: bigint, used: bigint, state: JournaledState): void {
  if (gasPrice === 0n) return;
  const { coinbase, baseFeePerGas } = context.env;
  credit(call.from, (limit - used) * gasPrice, state);
  credit(coinbase, used * (gasPrice - baseFeePerGas), state);
  removeEmpty(coinbase, state);
}
