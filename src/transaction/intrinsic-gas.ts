// Computes the gas that a transaction is charged before its first instruction.
import type { CallRequest } from './evm-job.js';
import type { ActiveForks } from '../chain/active-forks.js';
import { transactionPrices, type TransactionPrices } from '../chain/gas-schedule.js';
import { sameBytes } from '../lib/bytes/byte-map.js';

export interface IntrinsicGasInput extends Pick<CallRequest, 'from' | 'to' | 'value' | 'data' | 'accessList'> {
  readonly authorizationList: readonly unknown[] | null;
}

/** Gas of a transaction that does not depend on what its code does. */
export interface IntrinsicAndFloorGas {
  /**
   * Gas charged before the first instruction: base cost, creation (EIP-2, 3860), data (EIP-2028), access list
   * (EIP-2930), authorizations (EIP-7702), recipient and value (EIP-2780).
   */
  readonly intrinsicGas: bigint;
  /** Minimum charge for a transaction with this data (EIP-7623); 0 before Prague. */
  readonly floorGas: bigint;
}

/**
 * Computes intrinsic gas and floor gas. Computes with numbers, because a bigint operation takes 50 ns, and no request
 * body is large enough for 2^53 gas.
 */
export function intrinsicAndFloorGas(transaction: IntrinsicGasInput, common: ActiveForks): IntrinsicAndFloorGas {
  const { to, data, accessList, authorizationList } = transaction;
  const prices = transactionPrices(common);
  const zeros = zeroBytes(data);
  const others = data.length - zeros;
  const parties = partiesGas(transaction, prices, common);
  let gas = prices.base + parties + zeros * 4 + others * (common.gteHardfork('istanbul') ? 16 : 68);
  let floor = prices.base + zeros * prices.floorZero + others * prices.floorByte;
  if (prices.receiver > 0) floor += parties;
  if (to === null && common.isActivatedEIP(3860)) gas += 2 * Math.ceil(data.length / 32);
  for (const { slots } of accessList ?? NONE) {
    gas += prices.listedAddress + prices.listedSlot * slots.length;
    floor += prices.floorAddress + prices.floorSlot * slots.length;
  }
  if (authorizationList !== null) gas += prices.authorization * authorizationList.length;
  return { intrinsicGas: BigInt(gas), floorGas: common.isActivatedEIP(7623) ? BigInt(floor) : 0n };
}

const NONE: NonNullable<IntrinsicGasInput['accessList']> = [];

/** Returns the gas for creating a contract (EIP-2), or for the recipient and the value transfer (EIP-2780). */
function partiesGas({ from, to, value }: IntrinsicGasInput, prices: TransactionPrices, common: ActiveForks): number {
  if (to === null) return common.gteHardfork('homestead') ? prices.creation : 0;
  if (prices.receiver === 0 || sameBytes(from, to)) return 0;
  return prices.receiver + (value === 0n ? 0 : prices.value);
}

function zeroBytes(data: Uint8Array): number {
  let zeros = 0;
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++;
  return zeros;
}
