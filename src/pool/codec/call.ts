// Encodes a call as compact bytes.
//
//   call  u32 flags (CALL below), bytes from, integer value, bytes data
//         [to] bytes · [gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas] integer each
//         [accessList] list of (bytes address, list of bytes slot)
//         [blobVersionedHashes] list of bytes
//         [authorizationList] list of (integer chainId, bytes address, integer nonce, yParity, r, s)
//         [nonce] integer
import type { AccessListEntry } from '../../chain/access-list-entry.js';
import type { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';
import type { Authorization, CallRequest } from '../../transaction/evm-job.js';
import { BYTES_CODEC, INTEGER_CODEC, listCodec, structCodec } from './field-codecs.js';

const CALL = {
  to: 1 << 0,
  gas: 1 << 1,
  gasPrice: 1 << 2,
  maxFeePerGas: 1 << 3,
  maxPriorityFeePerGas: 1 << 4,
  maxFeePerBlobGas: 1 << 5,
  accessList: 1 << 6,
  blobVersionedHashes: 1 << 7,
  authorizationList: 1 << 8,
  nonce: 1 << 9,
} as const;

const WORDS = listCodec(BYTES_CODEC);
const ACCESS_LIST = listCodec<AccessListEntry>({
  pack({ address, slots }, to) {
    to.bytes(address);
    WORDS.pack(slots, to);
  },
  unpack: (from) => ({ address: from.bytes(), slots: WORDS.unpack(from) }),
});
const AUTHORIZATIONS = listCodec(
  structCodec<Authorization>({
    chainId: INTEGER_CODEC,
    address: BYTES_CODEC,
    nonce: INTEGER_CODEC,
    yParity: INTEGER_CODEC,
    r: INTEGER_CODEC,
    s: INTEGER_CODEC,
  }),
);

export function packCall(call: CallRequest, to: ByteWriter): void {
  to.u32(callFlags(call));
  to.bytes(call.from);
  to.integer(call.value);
  to.bytes(call.data);
  if (call.to !== null) to.bytes(call.to);
  if (call.gas !== null) to.integer(call.gas);
  if (call.gasPrice !== null) to.integer(call.gasPrice);
  if (call.maxFeePerGas !== null) to.integer(call.maxFeePerGas);
  if (call.maxPriorityFeePerGas !== null) to.integer(call.maxPriorityFeePerGas);
  if (call.maxFeePerBlobGas !== null) to.integer(call.maxFeePerBlobGas);
  if (call.accessList !== null) ACCESS_LIST.pack(call.accessList, to);
  if (call.blobVersionedHashes !== null) WORDS.pack(call.blobVersionedHashes, to);
  if (call.authorizationList !== null) AUTHORIZATIONS.pack(call.authorizationList, to);
  if (call.nonce !== undefined) to.integer(call.nonce);
}

/** Decodes the next call. Its byte arrays are views of the reader's memory. */
export function unpackCall(from: ByteReader): CallRequest {
  const flags = from.u32();
  // JavaScript evaluates these members in the order in which they are written, which is the order of the layout above.
  const call: CallRequest = {
    from: from.bytes(),
    value: from.integer(),
    data: from.bytes(),
    to: flags & CALL.to ? from.bytes() : null,
    gas: flags & CALL.gas ? from.integer() : null,
    gasPrice: flags & CALL.gasPrice ? from.integer() : null,
    maxFeePerGas: flags & CALL.maxFeePerGas ? from.integer() : null,
    maxPriorityFeePerGas: flags & CALL.maxPriorityFeePerGas ? from.integer() : null,
    maxFeePerBlobGas: flags & CALL.maxFeePerBlobGas ? from.integer() : null,
    accessList: flags & CALL.accessList ? ACCESS_LIST.unpack(from) : null,
    blobVersionedHashes: flags & CALL.blobVersionedHashes ? WORDS.unpack(from) : null,
    authorizationList: flags & CALL.authorizationList ? AUTHORIZATIONS.unpack(from) : null,
  };
  return flags & CALL.nonce ? { ...call, nonce: from.integer() } : call;
}

function callFlags(call: CallRequest): number {
  return (
    (call.to === null ? 0 : CALL.to) |
    (call.gas === null ? 0 : CALL.gas) |
    (call.gasPrice === null ? 0 : CALL.gasPrice) |
    (call.maxFeePerGas === null ? 0 : CALL.maxFeePerGas) |
    (call.maxPriorityFeePerGas === null ? 0 : CALL.maxPriorityFeePerGas) |
    (call.maxFeePerBlobGas === null ? 0 : CALL.maxFeePerBlobGas) |
    (call.accessList === null ? 0 : CALL.accessList) |
    (call.blobVersionedHashes === null ? 0 : CALL.blobVersionedHashes) |
    (call.authorizationList === null ? 0 : CALL.authorizationList) |
    (call.nonce === undefined ? 0 : CALL.nonce)
  );
}
