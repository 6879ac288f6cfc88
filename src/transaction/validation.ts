// Checks whether a signed transaction may run now. The order of the checks and the messages are go-ethereum's.
import { toHex } from '../lib/bytes/hex.js';
import type { BlockEnv } from '../state/state-diff.js';
import { type AccountState, hasCode, NONCE_MAX } from '../state/views/state-view.js';
import { GAS_PER_BLOB } from '../chain/active-forks.js';
import type { ForkRules } from '../evm/reference/fork-rules.js';
import type { SignedTransaction } from './signed-transaction.js';

/**
 * Why a transaction cannot run now. `nonceTooHigh` and `blockFull` are temporary: the transaction may run after an
 * earlier one of its sender, or in a later block.
 */
export type InvalidTransactionReason =
  | 'invalid'
  | 'nonceTooLow'
  | 'nonceTooHigh'
  | 'insufficientFunds'
  | 'feeTooLow'
  | 'blockFull'
  | 'intrinsicGas';

export interface TransactionRuleViolation {
  readonly reason: InvalidTransactionReason;
  /** go-ethereum's message. */
  readonly message: string;
}

/** Gas left in a block for execution and for state (EIP-8037). Without state gas, everything counts as execution. */
export interface ExecutionAndStateGasLeft {
  readonly execution: bigint;
  readonly state: bigint;
}

export interface ValidationContext {
  readonly env: BlockEnv;
  readonly rules: ForkRules;
  /** Gas and blob gas left in the block. */
  readonly gasLeft: ExecutionAndStateGasLeft;
  readonly blobGasLeft: bigint;
  /** Wei that the chain charges besides gas, blobs and value; 0 except on the OP Stack. */
  readonly extraFees: bigint;
  readonly state: {
    accountOf(address: Uint8Array): AccountState | null;
    codeOf(address: Uint8Array): Uint8Array;
  };
}

type Check = (transaction: SignedTransaction, context: ValidationContext) => TransactionRuleViolation | null;

/** Returns the first rule that the transaction violates, or `null` if it may run. */
export function validateTransaction(
  transaction: SignedTransaction,
  context: ValidationContext,
): TransactionRuleViolation | null {
  for (const check of CHECKS) {
    const found = check(transaction, context);
    if (found !== null) return found;
  }
  return null;
}

/** The checks in go-ethereum's order (`stateTransition.preCheck`, then `buyGas`, then `execute`). */
const CHECKS: readonly Check[] = [type, nonce, gasCap, sender, fees, blobs, blockSpace, funds, gas];

/**
 * Checks the transaction type. The decoder only accepts types of the fork; OP-Stack blocks also have no blob
 * transactions.
 */
function type(
  { blobVersionedHashes }: SignedTransaction,
  { rules }: ValidationContext,
): TransactionRuleViolation | null {
  if (blobVersionedHashes === null || rules.op === null) return null;
  return { reason: 'invalid', message: 'transaction type not supported' };
}

function nonce(tx: SignedTransaction, { state }: ValidationContext): TransactionRuleViolation | null {
  const have = state.accountOf(tx.from)?.nonce ?? 0n;
  if (tx.nonce === have && have !== NONCE_MAX) return null;
  const address = toHex(tx.from);
  const where = `address ${address}, tx: ${tx.nonce} state: ${have}`;
  if (tx.nonce < have) return { reason: 'nonceTooLow', message: `nonce too low: ${where}` };
  if (tx.nonce > have) return { reason: 'nonceTooHigh', message: `nonce too high: ${where}` };
  return { reason: 'invalid', message: `nonce has max value: address ${address}, nonce: ${have}` };
}

function gasCap({ gasLimit }: SignedTransaction, { rules }: ValidationContext): TransactionRuleViolation | null {
  const cap = rules.transactionGasMax;
  if (cap === null || gasLimit <= cap) return null;
  return { reason: 'invalid', message: `transaction gas limit too high (cap: ${cap}, tx: ${gasLimit})` };
}

/** Checks the sender: an account with code other than a delegation cannot send (EIP-3607, EIP-7702). */
function sender({ from }: SignedTransaction, { state, rules }: ValidationContext): TransactionRuleViolation | null {
  if (!hasCode(state.accountOf(from))) return null;
  const code = state.codeOf(from);
  const delegation = rules.common.isActivatedEIP(7702) && code.length === 23 && toHex(code).startsWith('0xef0100');
  if (delegation) return null;
  return { reason: 'invalid', message: `sender not an eoa: address ${toHex(from)}, len(code): ${code.length}` };
}

/** Checks the fee cap against the base fee. The decoder has already checked it against the tip (EIP-1559). */
function fees({ from, feeCap }: SignedTransaction, { env }: ValidationContext): TransactionRuleViolation | null {
  // The base fee is 0 before London.
  const baseFee = env.baseFeePerGas;
  if (feeCap >= baseFee) return null;
  const figures = `address ${toHex(from)}, maxFeePerGas: ${feeCap}, baseFee: ${baseFee}`;
  const message = `max fee per gas less than block base fee: ${figures}`;
  return { reason: 'feeTooLow', message };
}

function blobs(tx: SignedTransaction, { env, rules, blobGasLeft }: ValidationContext): TransactionRuleViolation | null {
  if (tx.blobVersionedHashes === null) return null;
  const fee = rules.blobBaseFee(env.excessBlobGas);
  if (tx.blobFeeCap < fee) {
    const figures = `address ${toHex(tx.from)} blobGasFeeCap: ${tx.blobFeeCap}, blobBaseFee: ${fee}`;
    const message = `max fee per blob gas less than block blob gas fee: ${figures}`;
    return { reason: 'feeTooLow', message };
  }
  return transactionBlobGas(tx) > blobGasLeft ? { reason: 'blockFull', message: 'blob gas limit reached' } : null;
}

function funds(tx: SignedTransaction, { state, extraFees }: ValidationContext): TransactionRuleViolation | null {
  const have = state.accountOf(tx.from)?.balance ?? 0n;
  const want = tx.gasLimit * tx.feeCap + tx.value + transactionBlobGas(tx) * tx.blobFeeCap + extraFees;
  if (have >= want) return null;
  const message = `insufficient funds for gas * price + value: address ${toHex(tx.from)} have ${have} want ${want}`;
  return { reason: 'insufficientFunds', message };
}

/** Checks the gas left in the block. Gas above the execution limit can only pay for state (EIP-8037). */
function blockSpace(
  { gasLimit }: SignedTransaction,
  { gasLeft, rules }: ValidationContext,
): TransactionRuleViolation | null {
  const { executionGasMax: max } = rules;
  const execution = max === null || gasLimit < max ? gasLimit : max;
  if (execution <= gasLeft.execution && gasLimit <= gasLeft.state) return null;
  return { reason: 'blockFull', message: 'gas limit reached' };
}

function gas(
  { gasLimit, intrinsicGas, floorGas }: SignedTransaction,
  { rules }: ValidationContext,
): TransactionRuleViolation | null {
  const { executionGasMax: max } = rules;
  const least = intrinsicGas > floorGas ? intrinsicGas : floorGas;
  if (max !== null && least > max)
    return { reason: 'invalid', message: `intrinsic gas too high (cap: ${max}, tx: ${least})` };
  if (gasLimit < intrinsicGas)
    return { reason: 'intrinsicGas', message: `intrinsic gas too low: have ${gasLimit}, want ${intrinsicGas}` };
  if (gasLimit >= floorGas) return null;
  const message = `insufficient gas for floor data gas cost: have ${gasLimit}, want ${floorGas}`;
  return { reason: 'intrinsicGas', message };
}

/** Returns the blob gas of the transaction (EIP-4844). */
export function transactionBlobGas({ blobVersionedHashes }: SignedTransaction): bigint {
  return blobVersionedHashes === null ? 0n : GAS_PER_BLOB * BigInt(blobVersionedHashes.length);
}
