// The default fees of go-ethereum's eth_createAccessList for calls without fees (go-ethereum's `setFeeDefaults`, from
// London on).
import { GAS_PER_BLOB } from '../../chain/forks.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import type { CallRequest } from '../../transaction/evm-job.js';

/** Fees of the block from which default fees are derived, in wei per gas. */
export interface BlockFeesForDefaults {
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
  /** The suggested tip. */
  readonly tip: bigint;
}

/** The sender of a call: its balance in wei, and the highest gas limit that it has to pay for. */
export interface FeePayer {
  readonly gas: bigint;
  readonly balance: bigint;
}

/**
 * Returns the call with all fee fields set, or go-ethereum's error message. If the sender's balance covers the value
 * but not the gas at the default price, the call is free, as in eth_call.
 */
export function withDefaultFees(
  call: CallRequest,
  fees: BlockFeesForDefaults,
  { gas, balance }: FeePayer,
): CallRequest | string {
  const priced = withPrice(call, fees);
  if (typeof priced === 'string' || namesPrice(call) || balance < call.value) return priced;
  const blobGas = BigInt(call.blobVersionedHashes?.length ?? 0) * GAS_PER_BLOB;
  const cost = gas * priced.maxFeePerGas! + call.value + blobGas * (priced.maxFeePerBlobGas ?? 0n);
  return cost <= balance ? priced : call;
}

function namesPrice({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: CallRequest): boolean {
  return gasPrice !== null || maxFeePerGas !== null || maxPriorityFeePerGas !== null;
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
