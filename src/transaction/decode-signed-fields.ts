// Decodes the fields of a signed transaction from its EIP-2718 bytes under the rules of one fork.

// We decode to plain fields ourselves. The objects of @ethereumjs took a tenth of the publisher's time and caused
// garbage collections. See DECISIONS.md.
import type { AccessListEntry } from '../chain/access-list-entry.js';
import { BLOB_HASH_VERSION, TRANSACTION_BLOBS_MAX } from '../chain/active-forks.js';
import type { RlpReader } from '../lib/bytes/rlp-reader.js';
import type { ForkRules } from '../evm/reference/fork-rules.js';
import type { Authorization } from './evm-job.js';
import { codeLimits } from '../chain/code-limits.js';
import { RawTransactionReader } from './raw-transaction-fields.js';
import { NONCE_MAX } from '../state/views/state-view.js';
import { ADDRESS_BYTES, WORD_BYTES } from '../lib/bytes/big-endian.js';

/**
 * Fields that all transaction types have. Fees are in wei per gas. Byte strings are views of the transaction's bytes.
 */
export interface SignedFields {
  /** EIP-2718 type: 0 legacy, 1 EIP-2930, 2 EIP-1559, 3 EIP-4844, 4 EIP-7702. */
  readonly type: number;
  readonly nonce: bigint;
  /** Priority fee cap. For types without EIP-1559 fees, this and `feeCap` are both the gas price. */
  readonly tipCap: bigint;
  readonly feeCap: bigint;
  readonly gasLimit: bigint;
  /** Recipient, 20 bytes; `null` creates a contract. */
  readonly to: Uint8Array | null;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
  /** Highest price in wei per blob gas that the sender accepts (EIP-4844). */
  readonly blobFeeCap: bigint;
  /** Blob hashes (EIP-4844); `null` for other types. */
  readonly blobVersionedHashes: readonly Uint8Array[] | null;
  /** Authorizations (EIP-7702); `null` for other types. */
  readonly authorizationList: readonly Authorization[] | null;
}

const LONG_BYTES = 8;
const WORD_MAX = 2n ** 256n - 1n;
const NO_LIST: readonly AccessListEntry[] = [];
/** The EIP that introduced each transaction type; the index is the type. */
const TYPE_EIPS: readonly (number | null)[] = [null, 2930, 1559, 4844, 7702];

/**
 * Decodes the fields; returns `null` if the bytes are not a transaction under these rules. Does not check the
 * signature.
 */
export function decodeSignedFields(raw: Uint8Array, rules: ForkRules): SignedFields | null {
  const transaction = RawTransactionReader.of(raw);
  const eip = transaction === null ? undefined : TYPE_EIPS[transaction.type];
  if (transaction === null || eip === undefined || (eip !== null && !rules.common.isActivatedEIP(eip))) return null;
  const { type, at } = transaction;
  if (type !== 0 && transaction.u256(at.chainId) !== rules.common.chainId()) return null;
  const fields = fieldsOf(transaction);
  const { v } = transaction;
  transaction.skipU256(at.r);
  transaction.skipU256(at.s);
  if (!transaction.isWhole() || !(type === 0 ? isLegacyV(v, rules) : v <= 1n)) return null;
  return isInBounds(fields, rules) ? fields : null;
}

/** Reads the fields between the chain id and the signature. */
function fieldsOf(transaction: RawTransactionReader): SignedFields {
  const { type, at } = transaction;
  const nonce = transaction.u64(at.nonce);
  const tipCap = transaction.u256(type < 2 ? at.gasPrice : at.maxPriorityFeePerGas);
  return {
    type,
    nonce,
    tipCap,
    feeCap: type < 2 ? tipCap : transaction.u256(at.maxFeePerGas),
    gasLimit: transaction.u64(at.gas),
    to: transaction.to,
    value: transaction.u256(at.value),
    data: transaction.bytes(at.input),
    accessList: type === 0 ? NO_LIST : transaction.list(at.accessList, accessListEntry),
    blobFeeCap: type === 3 ? transaction.u256(at.maxFeePerBlobGas) : 0n,
    blobVersionedHashes: type === 3 ? transaction.list(at.blobVersionedHashes, wordOf) : null,
    authorizationList: type === 4 ? transaction.list(at.authorizationList, authorization) : null,
  };
}

function wordOf(reader: RlpReader): Uint8Array {
  return reader.exactly(WORD_BYTES);
}

function accessListEntry(reader: RlpReader): AccessListEntry {
  const outer = reader.enter();
  const entry = { address: reader.exactly(ADDRESS_BYTES), slots: reader.list(wordOf) };
  reader.leave(outer);
  return entry;
}

function authorization(reader: RlpReader): Authorization {
  const outer = reader.enter();
  const tuple = {
    chainId: reader.integer(WORD_BYTES),
    address: reader.exactly(ADDRESS_BYTES),
    nonce: reader.integer(LONG_BYTES),
    yParity: reader.integer(1),
    r: reader.integer(WORD_BYTES),
    s: reader.integer(WORD_BYTES),
  };
  reader.leave(outer);
  return tuple;
}

/**
 * True if v is valid in a legacy transaction: 27 and 28 are on every chain, EIP-155's values only on the chain that
 * they name.
 */
function isLegacyV(v: bigint, { common }: ForkRules): boolean {
  if (v === 27n || v === 28n) return true;
  return common.gteHardfork('spuriousDragon') && (v - 35n) / 2n === common.chainId() && v > 36n;
}

function isInBounds(fields: SignedFields, rules: ForkRules): boolean {
  const { nonce, gasLimit, feeCap, tipCap, blobVersionedHashes, authorizationList } = fields;
  // The highest nonce is invalid (EIP-2681).
  if (nonce === NONCE_MAX || gasLimit * feeCap > WORD_MAX || feeCap < tipCap) return false;
  if (blobVersionedHashes !== null && !areBlobs(blobVersionedHashes, rules)) return false;
  return authorizationList?.length !== 0 && isRecipient(fields, rules);
}

/**
 * True if the recipient is valid. Only types 0 to 2 may create contracts, with a size limit for init code (EIP-3860).
 */
function isRecipient({ type, to, data }: SignedFields, { common }: ForkRules): boolean {
  if (to !== null) return to.length === ADDRESS_BYTES;
  return type < 3 && (!common.isActivatedEIP(3860) || data.length <= codeLimits(common).initcode);
}

function areBlobs(hashes: readonly Uint8Array[], { common, blobsMax }: ForkRules): boolean {
  const max = common.isActivatedEIP(7594) ? Math.min(blobsMax, TRANSACTION_BLOBS_MAX) : blobsMax;
  return hashes.length > 0 && hashes.length <= max && hashes.every((hash) => hash[0] === BLOB_HASH_VERSION);
}
