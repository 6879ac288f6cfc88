// A call as the bytes of a transaction that nobody has signed: what eth_simulateV1 puts into its blocks (go-ethereum's
// `ToTransaction`), and with a signature what the dev chain's accounts send. Runs on main and on the estimators.
import { toBigInt } from '../lib/bytes/words.js';
import { encodeBytes, encodeList, encodeNumber, RLP_EMPTY } from '../lib/bytes/rlp.js';
import type { AccessListEntry } from '../chain/block/access-list.js';
import type { Authorization, CallRequest } from './call-request.js';

/** A call whose nonce and gas limit are determined. */
export interface SettledCall extends CallRequest {
  readonly nonce: bigint;
  readonly gas: bigint;
}

/** EIP-2718 type: a gas price makes it a legacy transaction, whatever other fields are given. */
export function typeOf({ gasPrice, authorizationList, blobVersionedHashes }: CallRequest): number {
  if (gasPrice !== null) return 0;
  if (authorizationList !== null) return 4;
  return blobVersionedHashes === null ? 2 : 3;
}

/** EIP-2718 bytes, with zeros in place of the signature. */
export function unsignedBytes(call: SettledCall, chainId: bigint): Uint8Array {
  const type = typeOf(call);
  const payload = encodeList([...(type === 0 ? legacyFields(call) : fields(call, type, chainId)), ...NO_SIGNATURE]);
  return type === 0 ? payload : Buffer.concat([Uint8Array.of(type), payload]);
}

/** The bytes whose hash is signed (EIP-155, EIP-2718). */
export function signingBytes(call: SettledCall, chainId: bigint): Uint8Array {
  const type = typeOf(call);
  if (type === 0) return encodeList([...legacyFields(call), encodeNumber(chainId), RLP_EMPTY, RLP_EMPTY]);
  return Buffer.concat([Uint8Array.of(type), encodeList(fields(call, type, chainId))]);
}

/** EIP-2718 bytes with a signature: r, s and the parity of y, 65 bytes. */
export function signedBytes(call: SettledCall, chainId: bigint, signature: Uint8Array): Uint8Array {
  const type = typeOf(call);
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32, 64)].map((word) => encodeNumber(toBigInt(word)));
  const parity = BigInt(signature[64]!);
  if (type === 0) return encodeList([...legacyFields(call), encodeNumber(2n * chainId + 35n + parity), r!, s!]);
  const payload = encodeList([...fields(call, type, chainId), encodeNumber(parity), r!, s!]);
  return Buffer.concat([Uint8Array.of(type), payload]);
}

const NO_SIGNATURE = [RLP_EMPTY, RLP_EMPTY, RLP_EMPTY];

function legacyFields(call: SettledCall): Uint8Array[] {
  return [encodeNumber(call.nonce), encodeNumber(call.gasPrice ?? 0n), ...messageFields(call)];
}

function messageFields({ gas, to, value, data }: SettledCall): Uint8Array[] {
  return [encodeNumber(gas), to === null ? RLP_EMPTY : encodeBytes(to), encodeNumber(value), encodeBytes(data)];
}

function fields(call: SettledCall, type: number, chainId: bigint): Uint8Array[] {
  const { nonce, maxPriorityFeePerGas, maxFeePerGas, maxFeePerBlobGas, blobVersionedHashes, authorizationList } = call;
  return [
    encodeNumber(chainId),
    encodeNumber(nonce),
    encodeNumber(maxPriorityFeePerGas ?? 0n),
    encodeNumber(maxFeePerGas ?? 0n),
    ...messageFields(call),
    encodeList((call.accessList ?? []).map(encodeAccess)),
    ...(type === 3
      ? [encodeNumber(maxFeePerBlobGas ?? 0n), encodeList((blobVersionedHashes ?? []).map(encodeBytes))]
      : []),
    ...(type === 4 ? [encodeList((authorizationList ?? []).map(encodeAuthorization))] : []),
  ];
}

function encodeAccess({ address, slots }: AccessListEntry): Uint8Array {
  return encodeList([encodeBytes(address), encodeList(slots.map(encodeBytes))]);
}

function encodeAuthorization({ chainId, address, nonce, yParity, r, s }: Authorization): Uint8Array {
  return encodeList([encodeNumber(chainId), encodeBytes(address), ...[nonce, yParity, r, s].map(encodeNumber)]);
}
