// Adapts requests to anvil's conventions.
import type { Request } from './requests.js';

/**
 * The request for anvil: without a fee, go-ethereum's base fee is 0 and anvil's is the block's; a missing tip is zero
 * in go-ethereum and the whole fee in anvil; go-ethereum's estimates ignore a gas limit below 21000.
 */
export function asAnvilExpects(method: string, requested: Request): Request {
  const { gas, ...rest } = requested.call;
  const keepsGas = gas !== undefined && (method !== 'eth_estimateGas' || BigInt(gas) >= 21_000n);
  const tip = rest.maxFeePerGas !== undefined && rest.maxPriorityFeePerGas === undefined ? '0x0' : undefined;
  const call = { ...rest, ...(keepsGas ? { gas } : {}), ...(tip === undefined ? {} : { maxPriorityFeePerGas: tip }) };
  const fees = [call.gasPrice, call.maxFeePerGas, call.maxPriorityFeePerGas];
  const isFree = fees.every((fee) => BigInt(fee ?? 0) === 0n);
  return { ...requested, call, ...(isFree ? { blockOverride: { baseFeePerGas: '0x0' } } : {}) };
}

/** The parameters of a trace of this request, for either program. */
export function traceParamsOf({ call, stateOverride, blockOverride }: Request, config: object): unknown[] {
  return [call, 'latest', { ...config, stateOverrides: stateOverride ?? {}, blockOverrides: blockOverride ?? {} }];
}
