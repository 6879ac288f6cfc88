// The fees that go-ethereum's eth_createAccessList uses if a call has none (its `setFeeDefaults`, from London on).
import { GAS_PER_BLOB } from '../../chain/forks.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import type { CallRequest } from '../../transaction/evm-job.js';

/** Fees of the block from which a call's are derived, in wei per gas. */
export interface BlockFeesForDefaults {
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
  /** The suggested tip. */
  readonly tip: bigint;
}

/** The sender: its balance in wei, and the most gas for which it pays. */
export interface FeePayer {
  readonly gas: bigint;
  readonly balance: bigint;
}

/**
 * The call with all its fees, or the reason why there are none, with go-ethereum's message. If the sender has the value
 * but cannot pay a default price for that much gas, the call is free, as in eth_call.
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
