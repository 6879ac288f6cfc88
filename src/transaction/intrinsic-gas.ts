// Gas of a transaction before its first instruction. Runs on main, publisher and estimators.
import type { AccessListEntry } from '../chain/block/access-list.js';
import type { ActiveForks } from '../chain/forks.js';

/** The parts of a transaction that are paid for by their size. */
export interface Priced {
  readonly to: Uint8Array | null;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[] | null;
  readonly authorizationList: readonly unknown[] | null;
}

const BASE_GAS = 21_000;

/** A transaction that does nothing. */
export const TRANSACTION_GAS = BigInt(BASE_GAS);

/** Gas of a transaction beside what its code uses. */
export interface TransactionGas {
  /** Paid before the first instruction: base, creation (EIP-2, 3860), data (EIP-2028), access list (EIP-2930), authorisations (EIP-7702). */
  readonly intrinsicGas: bigint;
  /** EIP-7623: the least that a transaction with this data pays, 0 before Prague. */
  readonly floorGas: bigint;
}

/**
 * Gas before the first instruction, and the least that is paid. Counted in numbers: what a body can hold costs less than 2^53,
 * and each step with a bigint takes 50 ns.
 */
export function transactionGas(
  { to, data, accessList, authorizationList }: Priced,
  common: ActiveForks,
): TransactionGas {
  const zeros = zeroBytes(data);
  let gas = BASE_GAS + zeros * 4 + (data.length - zeros) * (common.gteHardfork('istanbul') ? 16 : 68);
  if (to === null && common.gteHardfork('homestead')) gas += 32_000;
  if (to === null && common.isActivatedEIP(3860)) gas += 2 * Math.ceil(data.length / 32);
  if (accessList !== null) for (const { slots } of accessList) gas += 2400 + 1900 * slots.length;
  if (authorizationList !== null) gas += 25_000 * authorizationList.length;
  const floorGas = common.isActivatedEIP(7623) ? BigInt(BASE_GAS + 10 * (4 * data.length - 3 * zeros)) : 0n;
  return { intrinsicGas: BigInt(gas), floorGas };
}

function zeroBytes(data: Uint8Array): number {
  let zeros = 0;
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++;
  return zeros;
}
