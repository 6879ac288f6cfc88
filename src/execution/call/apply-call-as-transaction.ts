// Executes an RPC call as a transaction whose changes stay in the state for the next call.
import type { MessageExecutionOptions, TransactionEnv } from '../block/transaction-message.js';
import { transact, type ExecutionResult, type TransitionContext } from '../block/state-transition.js';
import { EMPTY_EXECUTION, NO_EFFECTS, type AppliedMessage } from '../../evm/evm-engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { callBlobGas, type PricedCall } from '../../transaction/call-validation.js';
import { NONCE_MAX } from '../../state/views/state-view.js';

/** Makes the transaction environment of a call with this gas limit. */
export function transactionEnvOfCall(
  { call, context, gasPrice, intrinsicGas, floorGas }: PricedCall,
  gasLimit: bigint,
): TransactionEnv {
  return {
    from: call.from,
    to: call.to,
    value: call.value,
    data: call.data,
    gasLimit,
    gasPrice,
    // A conditional, because adding a zero bigint would allocate another bigint, which takes 20 ns.
    upfront:
      gasPrice === 0n && call.blobVersionedHashes === null
        ? 0n
        : gasLimit * gasPrice + callBlobGas(call) * context.blobBaseFee,
    accessList: call.accessList,
    blobVersionedHashes: call.blobVersionedHashes,
    authorizationList: call.authorizationList,
    intrinsicGas,
    floorGas,
  };
}

/**
 * Executes a call that has passed `firstViolatedCallRule`. Its changes stay in the state, so that the next call sees
 * them. A call without a gas price pays no fees. `EvmMessage` documents `flags`. Rejects with `DeadlineError` and
 * `NonEvmCodeError`.
 */
export async function applyCall(
  tx: PricedCall,
  gasLimit: bigint,
  { rules, engine, state }: Omit<TransitionContext, 'context'>,
  flags: MessageExecutionOptions = {},
): Promise<ExecutionResult> {
  if (isNonceOverflow(tx, state)) {
    const blockGas = { execution: gasLimit, state: 0n };
    return { run: NONCE_OVERFLOW_RESULT, gasUsed: gasLimit, maxGasUsed: gasLimit, blockGas };
  }
  state.mark();
  const transition = { rules, engine, state, context: tx.context };
  const free = { isFree: tx.gasPrice === 0n, ...flags };
  const applied = await transact(transactionEnvOfCall(tx, gasLimit), transition, free);
  state.keep();
  return applied;
}

/** True if the sender's next creation would raise its nonce past 64 bits (EIP-2681). */
export function isNonceOverflow({ call }: PricedCall, state: JournaledState): boolean {
  return call.to === null && state.accountOf(call.from)?.nonce === NONCE_MAX;
}

/** Result of a call that fails because of a nonce overflow. */
export const NONCE_OVERFLOW_RESULT: AppliedMessage = {
  ...EMPTY_EXECUTION,
  status: 'halt',
  error: { text: 'nonce uint64 overflow', outOfGas: false },
  ...NO_EFFECTS,
};
