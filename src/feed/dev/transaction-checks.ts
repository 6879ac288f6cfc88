// The checks of a raw transaction that need no account: go-ethereum's rules, order and texts. Runs on the publisher.
import { keccak256 } from '../../lib/keccak.js';
import type { ForkRules } from '../../evm/ethereumjs/fork-rules.js';
import { buildTransaction, gasOfBytes, recoverSender, type TypedTransaction } from '../../transaction/signed.js';
import { LIMITS } from '../../limits.js';
import { decodeTransaction, type TransactionFields } from '../../transaction/bytes.js';
import type { PoolTransaction } from './transaction-pool.js';

/** A transaction of the dev chain's pool: what the pool sorts by and what the EVM executes. */
export interface CheckedTransaction extends PoolTransaction {
  /** Frozen; knows its sender. */
  readonly tx: TypedTransaction;
}

/** A transaction that may enter the pool, or the text of its refusal. */
export type Checked = { readonly transaction: CheckedTransaction } | { readonly refusal: string };

/** What the checks are made against. */
export interface CheckContext {
  readonly chainId: bigint;
  /** Rules of the block at hand. */
  readonly rules: ForkRules;
  readonly blockGasLimit: bigint;
}

/** EIP-3860: bytes of initialisation code. */
const INITCODE_BYTES_MAX = 49_152;
const UINT64_MAX = 2n ** 64n - 1n;
const BAD_SIGNATURE = 'invalid sender: invalid transaction v, r, s values';
const UNPROTECTED = 'only replay-protected (EIP-155) transactions allowed over RPC';

/** Decodes and checks `raw`. `known` tells by hash what need not be looked at again: recovering a sender is the dear part. */
export function checkTransaction(
  raw: Uint8Array,
  context: CheckContext,
  known: (hash: Uint8Array) => boolean,
): Checked {
  if (raw.length > LIMITS.transactionBytesMax)
    return { refusal: `oversized data: transaction size ${raw.length}, limit ${LIMITS.transactionBytesMax}` };
  const decoded = decodeTransaction(raw);
  if ('refusal' in decoded) return decoded;
  const hash = keccak256(raw);
  if (known(hash)) return { refusal: 'already known' };
  const refusal = wrongFields(decoded.fields, context);
  if (refusal !== null) return { refusal };
  const tx = buildTransaction(raw, context.rules);
  if (typeof tx === 'string') return { refusal: `invalid transaction: ${tx}` };
  return withSender(raw, hash, tx, decoded.fields);
}

/** Chain id first: on another chain everything else means nothing. Then in go-ethereum's order. */
function wrongFields(fields: TransactionFields, { chainId, rules, blockGasLimit }: CheckContext): string | null {
  if (fields.chainId === null) return UNPROTECTED;
  if (fields.chainId !== chainId)
    return `invalid sender: invalid chain id for signer: have ${fields.chainId} want ${chainId}`;
  if (fields.creates && fields.dataBytes > INITCODE_BYTES_MAX)
    return `max initcode size exceeded: code size ${fields.dataBytes}, limit ${INITCODE_BYTES_MAX}`;
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

function withSender(raw: Uint8Array, hash: Uint8Array, tx: TypedTransaction, fields: TransactionFields): Checked {
  const from = recoverSender(tx);
  if (from === null) return { refusal: BAD_SIGNATURE };
  const { intrinsic, floor } = gasOfBytes(tx);
  if (fields.gasLimit < intrinsic)
    return { refusal: `intrinsic gas too low: gas ${fields.gasLimit}, minimum needed ${intrinsic}` };
  if (fields.gasLimit < floor)
    return { refusal: `insufficient gas for floor data gas cost: gas ${fields.gasLimit}, minimum needed ${floor}` };
  const { nonce, gasLimit, feeCap, tipCap } = fields;
  return {
    transaction: { raw, hash, from, tx, nonce, gasLimit, feeCap, tipCap, cost: gasLimit * feeCap + fields.value },
  };
}
