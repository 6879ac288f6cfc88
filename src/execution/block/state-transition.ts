// Executes one transaction, from buying gas to removing empty accounts, on any engine; for forks from London on. The
// counterpart of go-ethereum's `stateTransition`.
import type { Log } from '../../state/complete-block.js';
import { whenReady } from '../../lib/threads/sync-or-async.js';
import type { MessageGas } from './authorization-gas-meter.js';
import {
  runTransactionMessage,
  type MessageExecutionOptions,
  type MessageResult,
  type TransactionEnv,
} from './transaction-message.js';
import { cleanUpAccounts, creditBalance, removeAccountIfEmpty, computeSpentGas } from './transaction-settlement.js';
import {
  EMPTY_EXECUTION,
  type AppliedMessage,
  type EvmEngine,
  type ExecutionContext,
  type EvmMessage,
} from '../../evm/evm-engine.js';
import type { IntrinsicAndFloorGas } from '../../transaction/intrinsic-gas.js';
import { transactionBlobGas } from '../../transaction/validation.js';
import { EMPTY_READ_SET, type ReadSet } from '../../evm/read-set.js';
import type { TransactionRules } from '../../chain/active-forks.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { payUpfrontAndRaiseNonce } from '../../evm/journal/upfront-payment.js';
import { NonEvmCodeError } from '../../evm/non-evm-code-error.js';
import { maxBigInt } from '../../lib/min-max-bigint.js';
import { DeadlineError } from '../deadline-error.js';
import { createdContractAddress } from '../../evm/created-contract-address.js';
import { effectiveGasPrice, type SignedTransaction } from '../../transaction/signed-transaction.js';

/** What a transaction is executed on: rules, engine, and the state that the engine writes to. */
export interface TransitionContext {
  readonly rules: ForkRules;
  readonly engine: EvmEngine;
  readonly state: JournaledState;
  readonly context: ExecutionContext;
}

/** Gas figures of one executed transaction, and the accounts and slots that it adds to the block access list. */
export interface TransactedGas {
  /** Gas that the sender pays for, after refunds. */
  readonly gasUsed: bigint;
  /** Execution gas and state gas that the transaction takes from the block's gas limit (EIP-8037). */
  readonly blockGas: { readonly execution: bigint; readonly state: bigint };
  /**
   * Accounts and slots for the block access list; absent if not requested or if the fork has no such lists (EIP-7928).
   */
  readonly reads?: ReadSet;
}

export interface TransactionResult extends TransactedGas {
  readonly status: 0 | 1;
  readonly logs: readonly Log[];
  /** Output of RETURN or REVERT. */
  readonly returnData: Uint8Array;
  /** Name of the exceptional halt; `null` if the message succeeded or reverted. */
  readonly halted: string | null;
}

/** Gas figures together with the result of the message (go-ethereum's `ExecutionResult`). */
export interface ExecutionResult extends TransactedGas {
  readonly run: AppliedMessage;
  /** Gas used before refunds: the lowest gas limit with which the transaction would run the same way. */
  readonly maxGasUsed: bigint;
}

/**
 * Options for executing a transaction. With `isFree`, the sender pays no fees, and the fee recipient is not accessed.
 */
export interface TransitionOptions extends MessageExecutionOptions {
  readonly isFree?: boolean;
}

/** Executes a signed transaction that has passed all checks. See `transact` for what it may throw. */
export function applyTransaction(
  signed: SignedTransaction,
  transition: TransitionContext,
): TransactionResult | Promise<TransactionResult> {
  const flags = { isListed: transition.rules.common.isActivatedEIP(7928) };
  return whenReady(transact(envOfSigned(signed, transition.context), transition, flags), toTransactionResult);
}

/**
 * Makes the `TransactionEnv` of a signed transaction. Assigns field by field, because a spread takes V8 ten times as
 * long.
 */
function envOfSigned(signed: SignedTransaction, { env, blobBaseFee }: ExecutionContext): TransactionEnv {
  const gasPrice = effectiveGasPrice(signed, env.baseFeePerGas);
  return {
    from: signed.from,
    to: signed.to,
    value: signed.value,
    data: signed.data,
    gasLimit: signed.gasLimit,
    gasPrice,
    upfront: signed.gasLimit * gasPrice + transactionBlobGas(signed) * blobBaseFee,
    accessList: signed.accessList,
    blobVersionedHashes: signed.blobVersionedHashes,
    authorizationList: signed.authorizationList,
    intrinsicGas: signed.intrinsicGas,
    floorGas: signed.floorGas,
  };
}

/**
 * Executes a transaction that has passed all checks. If this throws or rejects, its changes so far stay in the state,
 * and the caller must revert them. Throws `DeadlineError` and `NonEvmCodeError`.
 */
export function transact(
  tx: TransactionEnv,
  transition: TransitionContext,
  flags: TransitionOptions = {},
): ExecutionResult | Promise<ExecutionResult> {
  const { rules, state, context } = transition;
  const { from, gasLimit, gasPrice } = tx;
  const { coinbase, baseFeePerGas } = context.env;
  const nonce = flags.isListed === true ? (state.accountOf(from)?.nonce ?? 0n) : 0n;
  const execute = (message: EvmMessage, { left }: MessageGas): AppliedMessage | Promise<AppliedMessage> =>
    executeMessage(message, left, transition);
  return whenReady(
    runTransactionMessage<AppliedMessage>(tx, { rules, chainId: rules.common.chainId(), state, flags, execute }),
    (ran) => {
      const applied = settleTransaction(tx, ran, rules);
      const reads = flags.isListed === true ? readsOf(tx, nonce, ran, transition.engine) : null;
      if (flags.isFree !== true) {
        creditBalance(from, (gasLimit - applied.gasUsed) * gasPrice, state);
        creditBalance(coinbase, applied.gasUsed * (gasPrice - baseFeePerGas), state);
      }
      cleanUpAccounts(ran.run, state, rules);
      if (flags.isFree !== true) removeAccountIfEmpty(coinbase, state);
      if (reads === null) return applied;
      return { reads: flags.isFree === true ? reads : addAccountToReadSet(reads, coinbase), ...applied };
    },
  );
}

/**
 * Runs the message. A plain transfer needs no engine, unless it is logged (EIP-7708) or traced. Call `cleanUpAccounts`
 * afterwards.
 */
export function executeMessage(
  message: EvmMessage,
  gas: bigint,
  { rules, engine, state, context }: TransitionContext,
): Promise<AppliedMessage> | AppliedMessage {
  const { caller, to, value } = message;
  const runsCode = (address: Uint8Array): boolean =>
    state.codeOf(address).length > 0 ||
    engine.isPrecompile(address, context.precompileMoves) ||
    rules.nonEvm.kindOf(address) !== null;
  const isWatched = engine.runsAll === true || message.isTraced === true || message.logsTransfers === true;
  if (to === null || isWatched || rules.common.isActivatedEIP(7708) || runsCode(to))
    return engine.apply(message, context, gas);
  payUpfrontAndRaiseNonce(message, state);
  if (!canMove(message, state)) return engine.apply({ ...message, upfront: undefined }, context, gas);
  creditBalance(caller, -value, state);
  creditBalance(to, value, state);
  return { logs: [], destroyed: [], touched: [to], ...EMPTY_EXECUTION };
}

/**
 * Settles a transaction whose message has run: refunds gas and pays fees. Returns its result. Throws `DeadlineError` if
 * the message was interrupted at the deadline, and `NonEvmCodeError` if it called code that is not EVM code.
 */
export function settleTransaction(
  charges: IntrinsicAndFloorGas,
  { run, gas }: Pick<MessageResult<AppliedMessage>, 'run' | 'gas'>,
  rules: TransactionRules,
): ExecutionResult {
  if (run.status === 'aborted') throw new DeadlineError('a transaction was broken off');
  if (run.nonEvmAddress !== undefined) throw new NonEvmCodeError(run.nonEvmAddress);
  const { used, paid: gasUsed, execution, state } = computeSpentGas(charges, gas, run, rules);
  return { run, gasUsed, maxGasUsed: maxBigInt(used, charges.floorGas), blockGas: { execution, state } };
}

/** Returns the part of an execution result that a block needs. */
export function toTransactionResult({ run, gasUsed, blockGas, reads }: ExecutionResult): TransactionResult {
  const { logs, returnData } = run;
  const status = run.status === 'success' ? 1 : 0;
  const halted = run.error?.text ?? null;
  return { status, gasUsed, blockGas, logs, returnData, halted, ...(reads === undefined ? {} : { reads }) };
}

/** Returns the accounts and slots that the transaction and its message have accessed, without the fee recipient. */
function readsOf(
  { from, to }: Pick<TransactionEnv, 'from' | 'to'>,
  nonce: bigint,
  { authorities, isReached }: Pick<MessageResult<AppliedMessage>, 'authorities' | 'isReached'>,
  engine: EvmEngine,
): ReadSet {
  const { accounts, slots } = isReached ? engine.readSet() : EMPTY_READ_SET;
  const receiver = isReached ? [to ?? createdContractAddress(from, nonce)] : [];
  return { accounts: [...accounts, ...authorities, from, ...receiver], slots };
}

/** Returns a read set with one more account. */
export function addAccountToReadSet({ accounts, slots }: ReadSet, address: Uint8Array): ReadSet {
  return { accounts: [...accounts, address], slots };
}

const BALANCE_MAX = 2n ** 256n - 1n;

function canMove({ caller, to, value }: EvmMessage, state: JournaledState): boolean {
  if (value === 0n) return true;
  return balanceOf(caller, state) >= value && balanceOf(to!, state) + value <= BALANCE_MAX;
}

function balanceOf(address: Uint8Array, state: JournaledState): bigint {
  return state.accountOf(address)?.balance ?? 0n;
}
