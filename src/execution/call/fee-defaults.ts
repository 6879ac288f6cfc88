// The default fees of go-ethereum's eth_createAccessList for calls with some fee fields, but not all of them
// (go-ethereum's `setFeeDefaults`, from London on).
import { toQuantity } from '../../lib/bytes/hex.js';
import type { CallRequest } from '../../transaction/evm-job.js';

/** Fees of the block from which default fees are derived, in wei per gas. */
export interface BlockFeesForDefaults {
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
  /** The suggested tip. */
  readonly tip: bigint;
}

/**
 * Returns the call with all fee fields set, or go-ethereum's error message. A call that names no fee is free, as in
 * eth_call, so that its sender needs no funds for gas (go-ethereum from 1.17.10 on).
 */
export function withDefaultFees(call: CallRequest, fees: BlockFeesForDefaults): CallRequest | string {
  return namesFee(call) ? withPrice(call, fees) : call;
}

/** True if one of the call's fee fields is set. */
export function namesFee({ gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas }: CallRequest): boolean {
  return [gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas].some((fee) => fee !== null);
}

function withPrice(request: CallRequest, { baseFee, blobBaseFee, tip }: BlockFeesForDefaults): CallRequest | string {
  if (request.maxFeePerBlobGas === 0n) return 'maxFeePerBlobGas, if specified, must be non-zero';
  const call =
    request.blobVersionedHashes === null
      ? request
      : { ...request, maxFeePerBlobGas: request.maxFeePerBlobGas ?? 2n * blobBaseFee };
  if (call.gasPrice !== null) {
    if (call.authorizationList !== null) return 'both gasPrice and authorizationList specified';
    return call.gasPrice === 0n ? 'gasPrice must be non-zero after london fork' : call;
  }
  if (call.maxFeePerGas === 0n && call.maxPriorityFeePerGas !== null) return 'maxFeePerGas must be non-zero';
  const maxPriorityFeePerGas = call.maxPriorityFeePerGas ?? tip;
  const maxFeePerGas = call.maxFeePerGas ?? maxPriorityFeePerGas + 2n * baseFee;
  if (maxFeePerGas < maxPriorityFeePerGas)
    return `maxFeePerGas (${toQuantity(maxFeePerGas)}) < maxPriorityFeePerGas (${toQuantity(maxPriorityFeePerGas)})`;
  return { ...call, maxFeePerGas, maxPriorityFeePerGas };
}
