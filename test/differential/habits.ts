// Questions as anvil takes them.
import type { Request } from './requests.js';

/**
 * The question in anvil's habits: without a fee go-ethereum's base fee is 0 and anvil's is the block's; a missing tip
 * is none to go-ethereum and the whole fee to anvil; go-ethereum's estimates ignore a gas limit below 21000.
 */
export function inAnvil(method: string, requested: Request): Request {
  const { gas, ...rest } = requested.call;
  const keepsGas = gas !== undefined && (method !== 'eth_estimateGas' || BigInt(gas) >= 21_000n);
  const tip = rest.maxFeePerGas !== undefined && rest.maxPriorityFeePerGas === undefined ? '0x0' : undefined;
  const call = { ...rest, ...(keepsGas ? { gas } : {}), ...(tip === undefined ? {} : { maxPriorityFeePerGas: tip }) };
  const fees = [call.gasPrice, call.maxFeePerGas, call.maxPriorityFeePerGas];
  const isFree = fees.every((fee) => BigInt(fee ?? 0) === 0n);
  return { ...requested, call, ...(isFree ? { blockOverride: { baseFeePerGas: '0x0' } } : {}) };
}

/** The question to a tracer of either. */
export function traceParamsOf({ call, stateOverride, blockOverride }: Request, config: object): unknown[] {
  return [call, 'latest', { ...config, stateOverrides: stateOverride ?? {}, blockOverrides: blockOverride ?? {} }];
}
