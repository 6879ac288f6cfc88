// Checks a raw transaction without reading any account, as go-ethereum does: by the same rules, in the same order and
// with the same error messages.
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import { GETH_INVALID_SIGNATURE_MESSAGE } from '../../transaction/ethereumjs-transaction.js';
import { decodeSignedTransaction, type SignedTransaction } from '../../transaction/signed-transaction.js';
import { LIMITS } from '../../limits/index.js';
import { TRANSACTION_BLOBS_MAX } from '../../chain/active-forks.js';
import { codeLimits, initcodeTooLargeMessage } from '../../chain/code-limits.js';
import { separateSidecar, type BlobSidecar } from '../../transaction/split-blob-sidecar.js';
import { BLOB_TRANSACTION_TYPE } from '../../transaction/fields.table.js';
import { malformedTransactionMessage } from '../../transaction/describe-malformed-transaction.js';
import { RawTransactionReader, rawTransactionType } from '../../transaction/raw-transaction-fields.js';
import { transactionBlobGas } from '../../transaction/validation.js';
import { blobSidecarFault } from './blob-checks-without-proofs.js';
import type { PoolTransaction } from './transaction-pool.js';

/**
 * A decoded transaction for the dev chain's pool: the fields that the EVM executes, and those that only the pool needs.
 */
export type CheckedTransaction = SignedTransaction & PoolTransaction;

/** A transaction that may enter the pool, or the message that says why it is refused. */
export type TransactionCheckResult = { readonly transaction: CheckedTransaction } | { readonly refusal: string };

/** The chain and block for which a transaction is checked. */
interface TransactionCheckContext {
  readonly chainId: bigint;
  readonly rules: ForkRules;
  readonly blockGasLimit: bigint;
}

/** The lowest blob base fee in wei per blob gas (EIP-4844). */
const BLOB_FEE_CAP_MIN = 1n;
/** The highest known transaction type (EIP-2718). */
const LAST_TYPE = 4;
const UINT64_MAX = 2n ** 64n - 1n;
/** The order of the curve secp256k1. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** EIP-155: a legacy signature's v is this number + 2 * chain id + parity. A v of 27, 28, 0 or 1 has no chain id. */
const FIRST_PROTECTED = 35n;
const BAD_SIGNATURE = `invalid sender: ${GETH_INVALID_SIGNATURE_MESSAGE}`;
const UNPROTECTED = 'only replay-protected (EIP-155) transactions allowed over RPC';

/**
 * Decodes and checks a transaction. A blob transaction comes with its blobs, which are dropped. A transaction is
 * refused if `known` returns true for its hash; this is checked before its sender is recovered, which is slow.
 */
export function checkTransaction(
  submitted: Uint8Array,
  context: TransactionCheckContext,
  known: (hash: Uint8Array) => boolean,
): TransactionCheckResult {
  const apart = separateSidecar(submitted);
  if (apart === null) return { refusal: 'rlp: malformed blob sidecar' };
  const { raw, sidecar } = apart;
  const bytesMax = submitted[0] === BLOB_TRANSACTION_TYPE ? LIMITS.blobTransactionBytesMax : LIMITS.transactionBytesMax;
  // The size limit applies to known types only, as in go-ethereum.
  if (rawTransactionType(submitted) <= LAST_TYPE && submitted.length > bytesMax)
    return { refusal: `oversized data: transaction size ${submitted.length}, limit ${bytesMax}` };
  const malformed = malformedTransactionMessage(raw);
  if (malformed !== null) return { refusal: malformed };
  const hash = keccak256(raw);
  if (known(hash)) return { refusal: 'already known' };
  const refusal = wrongFields(RawTransactionReader.of(raw)!, context);
  if (refusal !== null) return { refusal };
  const signed = decodeSignedTransaction(raw, context.rules);
  if (typeof signed === 'string')
    return { refusal: signed === GETH_INVALID_SIGNATURE_MESSAGE ? BAD_SIGNATURE : `invalid transaction: ${signed}` };
  const wrong = wrongGas(signed) ?? wrongBlobs(signed, sidecar);
  return wrong === null ? { transaction: withCost(signed) } : { refusal: wrong };
}

/**
 * Checks the chain id first, because the other fields mean nothing on another chain; then the rest in go-ethereum's
 * order.
 */
function wrongFields(
  raw: RawTransactionReader,
  { chainId, rules, blockGasLimit }: TransactionCheckContext,
): string | null {
  const { at } = raw;
  const isLegacy = raw.type === 0;
  if (isLegacy && raw.v < FIRST_PROTECTED) return UNPROTECTED;
  const id = isLegacy ? (raw.v - FIRST_PROTECTED) / 2n : raw.u256(at.chainId);
  if (id !== chainId) return `invalid sender: invalid chain id for signer: have ${id} want ${chainId}`;
  const limits = codeLimits(rules.common);
  const data = raw.bytes(at.input);
  if (raw.to === null && data.length > limits.initcode) return initcodeTooLargeMessage(data.length, limits);
  const gasLimit = raw.u64(at.gas);
  if (rules.transactionGasMax !== null && gasLimit > rules.transactionGasMax)
    return `transaction gas limit too high (cap: ${rules.transactionGasMax}, tx: ${gasLimit})`;
  if (gasLimit > blockGasLimit) return 'exceeds block gas limit';
  if (at.maxFeePerGas >= 0 && raw.u256(at.maxFeePerGas) < raw.u256(at.maxPriorityFeePerGas))
    return 'max priority fee per gas higher than max fee per gas';
  if (!isSignatureInRange(raw)) return BAD_SIGNATURE;
  return raw.u64(at.nonce) === UINT64_MAX ? 'nonce has max value' : wrongOfType(raw);
}

/**
 * Checks the range of r, s and v. By EIP-2 s must not exceed half of the curve's order. A legacy transaction's v may be
 * above 1, because it encodes more than the parity.
 */
function isSignatureInRange(raw: RawTransactionReader): boolean {
  const [r, s] = [raw.u256(raw.at.r), raw.u256(raw.at.s)];
  return r > 0n && r < CURVE_ORDER && s > 0n && s <= CURVE_ORDER / 2n && (raw.type === 0 || raw.v <= 1n);
}

/** Checks the fields that only transactions with blobs or authorizations have. */
function wrongOfType(raw: RawTransactionReader): string | null {
  const { at } = raw;
  const blobs = at.blobVersionedHashes < 0 ? null : raw.count(at.blobVersionedHashes);
  if (blobs === 0) return 'blobless blob transaction';
  if (blobs !== null && blobs > TRANSACTION_BLOBS_MAX)
    return `transaction blob limit exceeded: blob count ${blobs}, limit ${TRANSACTION_BLOBS_MAX}`;
  if (at.authorizationList >= 0 && raw.count(at.authorizationList) === 0)
    return 'set code tx must have at least one authorization tuple';
  if (raw.type < BLOB_TRANSACTION_TYPE || raw.to !== null) return null;
  const type = raw.type === BLOB_TRANSACTION_TYPE ? 'BlobTx' : 'SetCodeTx';
  return `rlp: input string too short for common.Address, decoding into (types.${type}).To`;
}

function wrongGas({ gasLimit, intrinsicGas, floorGas }: SignedTransaction): string | null {
  if (gasLimit < intrinsicGas) return `intrinsic gas too low: gas ${gasLimit}, minimum needed ${intrinsicGas}`;
  if (gasLimit < floorGas)
    return `insufficient gas for floor data gas cost: gas ${gasLimit}, minimum needed ${floorGas}`;
  return null;
}

function wrongBlobs(
  { blobVersionedHashes, blobFeeCap }: SignedTransaction,
  sidecar: BlobSidecar | null,
): string | null {
  if (blobVersionedHashes === null) return null;
  if (blobFeeCap < BLOB_FEE_CAP_MIN)
    return `transaction underpriced: blob fee cap ${blobFeeCap}, minimum needed ${BLOB_FEE_CAP_MIN}`;
  return sidecar === null ? 'missing sidecar in blob transaction' : blobSidecarFault(sidecar, blobVersionedHashes);
}

/** Adds `cost`, the most that the sender can lose in wei. */
export function withCost(signed: SignedTransaction): CheckedTransaction {
  const { gasLimit, feeCap, value, blobFeeCap } = signed;
  return { ...signed, cost: gasLimit * feeCap + value + transactionBlobGas(signed) * blobFeeCap };
}
