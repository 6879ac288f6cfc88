// Encodes a call as a transaction without a valid signature: eth_simulateV1 includes such transactions in its blocks
// (go-ethereum's `ToTransaction`), and the accounts of the dev chain sign and send them.
import { encodeRlp, type RlpInput } from '../lib/bytes/encode-rlp.js';
import { readInteger } from '../lib/bytes/big-endian.js';
import type { Authorization, CallRequest } from './evm-job.js';
import { SIGNATURE_FIELD_COUNT, TRANSACTION_FIELDS, type TransactionFieldName } from './fields.table.js';

/** A call whose nonce and gas limit are determined. */
export interface CompletedCall extends CallRequest {
  readonly nonce: bigint;
  readonly gas: bigint;
}

/** Returns the EIP-2718 type for a call. A gas price makes it a legacy transaction, whatever other fields it has. */
export function callTransactionType({ gasPrice, authorizationList, blobVersionedHashes }: CallRequest): number {
  if (gasPrice !== null) return 0;
  if (authorizationList !== null) return 4;
  return blobVersionedHashes === null ? 2 : 3;
}

/** Returns EIP-2718 bytes with zeros in place of the signature. */
export function transactionBytesWithZeroSignature(call: CompletedCall, chainId: bigint): Uint8Array {
  return encodeRlp([...itemsOf(call, chainId), 0, 0, 0], callTransactionType(call));
}

/** Returns the bytes whose hash is signed (EIP-155, EIP-2718). */
export function transactionSigningBytes(call: CompletedCall, chainId: bigint): Uint8Array {
  const type = callTransactionType(call);
  return encodeRlp([...itemsOf(call, chainId), ...(type === 0 ? [chainId, 0, 0] : [])], type);
}

/** Returns EIP-2718 bytes with a signature, given as 65 bytes: r, s and yParity. */
export function signedTransactionBytes(call: CompletedCall, chainId: bigint, signature: Uint8Array): Uint8Array {
  const type = callTransactionType(call);
  const [r, s] = [readInteger(signature, 0, 32), readInteger(signature, 32, 64)];
  const parity = BigInt(signature[64]!);
  return encodeRlp([...itemsOf(call, chainId), type === 0 ? 2n * chainId + 35n + parity : parity, r, s], type);
}

/** Returns the RLP items of all fields except the signature. */
function itemsOf(call: CompletedCall, chainId: bigint): RlpInput[] {
  const fields = TRANSACTION_FIELDS[callTransactionType(call)]!.slice(0, -SIGNATURE_FIELD_COUNT);
  return fields.map(([name]) => ITEMS[name as keyof typeof ITEMS](call, chainId));
}

const ITEMS = {
  chainId: (_call, chainId) => chainId,
  nonce: (call) => call.nonce,
  gasPrice: (call) => call.gasPrice ?? 0,
  maxPriorityFeePerGas: (call) => call.maxPriorityFeePerGas ?? 0,
  maxFeePerGas: (call) => call.maxFeePerGas ?? 0,
  gas: (call) => call.gas,
  to: (call) => call.to ?? '',
  value: (call) => call.value,
  input: (call) => call.data,
  accessList: (call) => (call.accessList ?? []).map(({ address, slots }) => [address, slots]),
  maxFeePerBlobGas: (call) => call.maxFeePerBlobGas ?? 0,
  blobVersionedHashes: (call) => call.blobVersionedHashes ?? [],
  authorizationList: (call) => (call.authorizationList ?? []).map(authorizationItems),
} satisfies Partial<Record<TransactionFieldName, (call: CompletedCall, chainId: bigint) => RlpInput>>;

function authorizationItems({ chainId, address, nonce, yParity, r, s }: Authorization): RlpInput {
  return [chainId, address, nonce, yParity, r, s];
}
