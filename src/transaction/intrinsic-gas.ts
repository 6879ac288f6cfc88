// What a transaction costs before its first instruction. Runs on main, publisher and estimators.
import type { AccessListEntry } from '../chain/access-list.js';
import type { ActiveForks } from '../chain/forks.js';

/** The parts of a transaction that are paid for by their size. */
export interface Priced {
  readonly to: Uint8Array | null;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[] | null;
  readonly authorizationList: readonly unknown[] | null;
}

/** A transaction that does nothing. */
export const TRANSACTION_GAS = 21_000n;

/**
 * Gas of base, creation (EIP-2, 3860), data (EIP-2028), access list (EIP-2930) and authorisations (EIP-7702). Counted in
 * numbers: what a body can hold costs less than 2^53, and each step with a bigint takes 50 ns.
 */
export function intrinsicGas(tx: Priced, common: ActiveForks): bigint {
  const { to, data, accessList, authorizationList } = tx;
  const zeros = zeroBytes(data);
  let gas = zeros * 4 + (data.length - zeros) * (common.gteHardfork('istanbul') ? 16 : 68);
  if (to === null && common.gteHardfork('homestead')) gas += 32_000;
  if (to === null && common.isActivatedEIP(3860)) gas += 2 * Math.ceil(data.length / 32);
  if (accessList !== null) for (const { slots } of accessList) gas += 2400 + 1900 * slots.length;
  if (authorizationList !== null) gas += 25_000 * authorizationList.length;
  return TRANSACTION_GAS + BigInt(gas);
}

/** EIP-7623: the least that a transaction with this data pays, 0 before Prague. */
export function floorGas(data: Uint8Array, common: ActiveForks): bigint {
  if (!common.isActivatedEIP(7623)) return 0n;
  return TRANSACTION_GAS + BigInt(10 * (4 * data.length - 3 * zeroBytes(data)));
}

function zeroBytes(data: Uint8Array): number {
  let zeros = 0;
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++;
  return zeros;
}
