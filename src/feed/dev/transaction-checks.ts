// The checks of a raw transaction that need no account: go-ethereum's rules, order and texts. Runs on the publisher.
import { keccak256 } from '../../lib/keccak.js';
import type { ForkRules } from '../../evm/ethereumjs/fork-rules.js';
import { NO_SIGNER } from '../../transaction/library.js';
import { decodeTransaction, type SignedTransaction } from '../../transaction/signed.js';
import { LIMITS } from '../../limits.js';
import { INITCODE_BYTES_MAX, initcodeTooLarge } from '../../chain/code-limits.js';
import { decodeFields, type TransactionFields } from '../../transaction/bytes.js';
import type { PoolTransaction } from './transaction-pool.js';

/** A transaction of the dev chain's pool: what the pool sorts by and what the EVM executes. */
export type CheckedTransaction = SignedTransaction & PoolTransaction;

/** A transaction that may enter the pool, or the text of its refusal. */
export type Checked = { readonly transaction: CheckedTransaction } | { readonly refusal: string };

/** What the checks are made against. */
export interface CheckContext {
  readonly chainId: bigint;
  /** Rules of the block at hand. */
  readonly rules: ForkRules;
  readonly blockGasLimit: bigint;
}

const UINT64_MAX = 2n ** 64n - 1n;
const BAD_SIGNATURE = `invalid sender: ${NO_SIGNER}`;
const UNPROTECTED = 'only replay-protected (EIP-155) transactions allowed over RPC';

/** Decodes and checks `raw`. `known` tells by hash what need not be looked at again: recovering a sender is the dear part. */
export function checkTransaction(
  raw: Uint8Array,
  context: CheckContext,
  known: (hash: Uint8Array) => boolean,
): Checked {
  if (raw.length > LIMITS.transactionBytesMax)
    return { refusal: `oversized data: transaction size ${raw.length}, limit ${LIMITS.transactionBytesMax}` };
  const decoded = decodeFields(raw);
  if ('refusal' in decoded) return decoded;
  const hash = keccak256(raw);
  if (known(hash)) return { refusal: 'already known' };
  const refusal = wrongFields(decoded.fields, context);
  if (refusal !== null) return { refusal };
  const signed = decodeTransaction(raw, context.rules);
  if (typeof signed === 'string')
    return { refusal: signed === NO_SIGNER ? BAD_SIGNATURE : `invalid transaction: ${signed}` };
  return withGas(signed);
}

/** Chain id first: on another chain everything else means nothing. Then in go-ethereum's order. */
function wrongFields(fields: TransactionFields, { chainId, rules, blockGasLimit }: CheckContext): string | null {
  if (fields.chainId === null) return UNPROTECTED;
  if (fields.chainId !== chainId)
    return `invalid sender: invalid chain id for signer: have ${fields.chainId} want ${chainId}`;
  if (fields.creates && fields.dataBytes > INITCODE_BYTES_MAX) return initcodeTooLarge(fields.dataBytes);
  if (rules.transactionGasMax !== null && fields.gasLimit > rules.transactionGasMax)
    return `transaction gas limit too high (cap: ${rules.transactionGasMax}, tx: ${fields.gasLimit})`;
  if (fields.gasLimit > blockGasLimit) return 'exceeds block gas limit';
  if (fields.feeCap < fields.tipCap) return 'max priority fee per gas higher than max fee per gas';
  if (!fields.signatureInRange) return BAD_SIGNATURE;
  if (fields.nonce === UINT64_MAX) return 'nonce has max value';
  if (fields.authorizations === 0) return 'set code tx must have at least one authorization tuple';
  if (fields.authorizations !== null && fields.creates)
    return 'rlp: input string too short for common.Address, decoding into (types.SetCodeTx).To';
  return null;
}

function withGas(signed: SignedTransaction): Checked {
  const { gasLimit, intrinsicGas, floorGas } = signed;
  if (gasLimit < intrinsicGas)
    return { refusal: `intrinsic gas too low: gas ${gasLimit}, minimum needed ${intrinsicGas}` };
  if (gasLimit < floorGas)
    return { refusal: `insufficient gas for floor data gas cost: gas ${gasLimit}, minimum needed ${floorGas}` };
  return { transaction: checkedTransaction(signed) };
}

/** Adds what the pool sorts by. */
export function checkedTransaction(signed: SignedTransaction): CheckedTransaction {
  return { ...signed, cost: signed.gasLimit * signed.feeCap + signed.value };
}
