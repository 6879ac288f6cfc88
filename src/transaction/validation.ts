// Whether a transaction may run now: the rules, their order and the texts of go-ethereum. Runs on the publisher.
import { toHex } from '../lib/hex.js';
import type { BlockEnv } from '../state/diff.js';
import { EMPTY_CODE_HASH, type AccountState } from '../state/view.js';
import { sameBytes } from '../lib/byte-map.js';
import { INITCODE_BYTES_MAX } from './intrinsic-gas.js';
import { GAS_PER_BLOB } from '../chain/forks.js';
import type { ForkRules } from '../evm/ethereumjs/fork-rules.js';
import { gasOfBytes, type TypedTransaction } from './signed.js';
import type { SignedTransaction } from './library.js';

/**
 * Why a transaction cannot run; `nonceTooHigh` and `blockFull` may pass later, others need another transaction or
 * state.
 */
export type InvalidTransactionReason =
  | 'invalid'
  | 'nonceTooLow'
  | 'nonceTooHigh'
  | 'insufficientFunds'
  | 'feeTooLow'
  | 'blockFull'
  | 'intrinsicGas';

/** Why a transaction may not be in the block. */
export interface InvalidTransaction {
  readonly reason: InvalidTransactionReason;
  /** go-ethereum's text. */
  readonly message: string;
}

/** Where the transaction would run. */
export interface ValidationContext {
  readonly env: BlockEnv;
  readonly rules: ForkRules;
  /** Gas and blob gas that the block has left. */
  readonly gasLeft: bigint;
  readonly blobGasLeft: bigint;
  /** Wei that the chain takes besides gas, blobs and value; 0 but on OP-Stack chains. */
  readonly extraFees: bigint;
  readonly account: (address: Uint8Array) => AccountState | null;
  readonly codeOf: (address: Uint8Array) => Uint8Array;
}

const NONCE_MAX = 2n ** 64n - 1n;
const BLOB_HASH_VERSION = '0x01';

type Check = (transaction: SignedTransaction, context: ValidationContext) => InvalidTransaction | null;

/** The first rule that the transaction breaks, `null` when it may run. */
export function validateTransaction(
  transaction: SignedTransaction,
  context: ValidationContext,
): InvalidTransaction | null {
  for (const check of CHECKS) {
    const found = check(transaction, context);
    if (found !== null) return found;
  }
  return null;
}

/** In go-ethereum's order (`stateTransition.preCheck`, then `buyGas`, then `execute`). */
const CHECKS: readonly Check[] = [type, nonce, gasCap, sender, fees, blobs, authorizations, funds, room, gas];

/** EIP that brought each type of transaction. */
const TYPE_EIPS: readonly (number | null)[] = [null, 2930, 1559, 4844, 7702];

function type({ tx }: SignedTransaction, { rules }: ValidationContext): InvalidTransaction | null {
  const eip = TYPE_EIPS[tx.type];
  // Blocks of the OP Stack carry no blobs.
  const known = eip !== undefined && (eip !== 4844 || rules.op === null);
  if (known && (eip === null || rules.common.isActivatedEIP(eip))) return null;
  return { reason: 'invalid', message: 'transaction type not supported' };
}

function nonce({ tx, from }: SignedTransaction, { account }: ValidationContext): InvalidTransaction | null {
  const have = account(from)?.nonce ?? 0n;
  if (tx.nonce === have && have !== NONCE_MAX) return null;
  const where = `address ${toHex(from)}, tx: ${tx.nonce} state: ${have}`;
  if (tx.nonce < have) return { reason: 'nonceTooLow', message: `nonce too low: ${where}` };
  if (tx.nonce > have) return { reason: 'nonceTooHigh', message: `nonce too high: ${where}` };
  return { reason: 'invalid', message: `nonce has max value: address ${toHex(from)}, nonce: ${have}` };
}

function gasCap({ tx }: SignedTransaction, { rules }: ValidationContext): InvalidTransaction | null {
  const cap = rules.transactionGasMax;
  if (cap === null || tx.gasLimit <= cap) return null;
  return { reason: 'invalid', message: `transaction gas limit too high (cap: ${cap}, tx: ${tx.gasLimit})` };
}

/** EIP-3607, EIP-7702: an account with code that is no delegation cannot send. */
function sender({ from }: SignedTransaction, { account, codeOf, rules }: ValidationContext): InvalidTransaction | null {
  const state = account(from);
  if (state === null || sameBytes(state.codeHash, EMPTY_CODE_HASH)) return null;
  const code = codeOf(from);
  const delegation = rules.common.isActivatedEIP(7702) && code.length === 23 && toHex(code).startsWith('0xef0100');
  if (delegation) return null;
  return { reason: 'invalid', message: `sender not an eoa: address ${toHex(from)}, len(code): ${code.length}` };
}

function fees({ tx, from }: SignedTransaction, { env, rules }: ValidationContext): InvalidTransaction | null {
  if (!rules.common.isActivatedEIP(1559)) return null;
  const { feeCap, tipCap } = feesOf(tx);
  if (feeCap >= tipCap && feeCap >= env.baseFeePerGas) return null;
  const who = `address ${toHex(from)}`;
  if (feeCap < tipCap) {
    const message = `max priority fee per gas higher than max fee per gas: ${who}, maxPriorityFeePerGas: ${tipCap}, maxFeePerGas: ${feeCap}`;
    return { reason: 'invalid', message };
  }
  const message = `max fee per gas less than block base fee: ${who}, maxFeePerGas: ${feeCap}, baseFee: ${env.baseFeePerGas}`;
  return { reason: 'feeTooLow', message };
}

function blobs(
  { tx, from }: SignedTransaction,
  { env, rules, blobGasLeft }: ValidationContext,
): InvalidTransaction | null {
  if (!('blobVersionedHashes' in tx)) return null;
  const hashes = tx.blobVersionedHashes;
  if (tx.to === undefined) return { reason: 'invalid', message: 'input string too short for common.Address' };
  if (hashes.length === 0) return { reason: 'invalid', message: 'blob transaction missing blob hashes' };
  const wrong = hashes.findIndex((hash) => !hash.startsWith(BLOB_HASH_VERSION));
  if (wrong >= 0) return { reason: 'invalid', message: `blob ${wrong} has invalid hash version` };
  const fee = rules.blobBaseFee(env.excessBlobGas);
  if (tx.maxFeePerBlobGas < fee) {
    const who = `address ${toHex(from)}`;
    const message = `max fee per blob gas less than block blob gas fee: ${who} blobGasFeeCap: ${tx.maxFeePerBlobGas}, blobBaseFee: ${fee}`;
    return { reason: 'feeTooLow', message };
  }
  return blobGasOf(tx) > blobGasLeft ? { reason: 'blockFull', message: 'blob gas limit reached' } : null;
}

function authorizations({ tx, from }: SignedTransaction): InvalidTransaction | null {
  if (!('authorizationList' in tx) || (tx.to !== undefined && tx.authorizationList.length > 0)) return null;
  const who = `(sender ${toHex(from)})`;
  if (tx.to === undefined) return { reason: 'invalid', message: `input string too short for common.Address ${who}` };
  return { reason: 'invalid', message: `EIP-7702 transaction with empty auth list ${who}` };
}

function funds({ tx, from }: SignedTransaction, { account, extraFees }: ValidationContext): InvalidTransaction | null {
  const have = account(from)?.balance ?? 0n;
  const blobFee = 'maxFeePerBlobGas' in tx ? tx.maxFeePerBlobGas : 0n;
  const want = tx.gasLimit * feesOf(tx).feeCap + tx.value + blobGasOf(tx) * blobFee + extraFees;
  if (have >= want) return null;
  const message = `insufficient funds for gas * price + value: address ${toHex(from)} have ${have} want ${want}`;
  return { reason: 'insufficientFunds', message };
}

function room({ tx }: SignedTransaction, { gasLeft }: ValidationContext): InvalidTransaction | null {
  return tx.gasLimit > gasLeft ? { reason: 'blockFull', message: 'gas limit reached' } : null;
}

function gas({ tx }: SignedTransaction, { rules }: ValidationContext): InvalidTransaction | null {
  const { intrinsic, floor } = gasOfBytes(tx);
  if (tx.gasLimit < intrinsic)
    return { reason: 'intrinsicGas', message: `intrinsic gas too low: have ${tx.gasLimit}, want ${intrinsic}` };
  if (tx.gasLimit < floor) {
    const message = `insufficient gas for floor data gas cost: have ${tx.gasLimit}, want ${floor}`;
    return { reason: 'intrinsicGas', message };
  }
  const bytes = tx.data.length;
  if (tx.to !== undefined || !rules.common.isActivatedEIP(3860) || bytes <= INITCODE_BYTES_MAX) return null;
  return { reason: 'invalid', message: `max initcode size exceeded: code size ${bytes} limit ${INITCODE_BYTES_MAX}` };
}

/** Blob gas of the transaction (EIP-4844). */
export function blobGasOf(tx: TypedTransaction): bigint {
  return 'blobVersionedHashes' in tx ? GAS_PER_BLOB * BigInt(tx.blobVersionedHashes.length) : 0n;
}

function feesOf(tx: TypedTransaction): { readonly feeCap: bigint; readonly tipCap: bigint } {
  if ('gasPrice' in tx) return { feeCap: tx.gasPrice, tipCap: tx.gasPrice };
  return { feeCap: tx.maxFeePerGas, tipCap: tx.maxPriorityFeePerGas };
}
