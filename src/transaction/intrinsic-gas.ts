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
/** EIP-3860: bytes of code that a transaction or CREATE may run to make a contract. */
export const INITCODE_BYTES_MAX = 49_152;

/** Gas of base, creation (EIP-2, 3860), data (EIP-2028), access list (EIP-2930) and authorisations (EIP-7702). */
export function intrinsicGas(tx: Priced, common: ActiveForks): bigint {
  const zeros = zeroBytes(tx.data);
  let gas = TRANSACTION_GAS + BigInt(zeros * 4);
  gas += BigInt((tx.data.length - zeros) * (common.gteHardfork('istanbul') ? 16 : 68));
  if (tx.to === null && common.gteHardfork('homestead')) gas += 32_000n;
  if (tx.to === null && common.isActivatedEIP(3860)) gas += 2n * BigInt(Math.ceil(tx.data.length / 32));
  for (const { slots } of tx.accessList ?? []) gas += 2400n + 1900n * BigInt(slots.length);
  return gas + 25_000n * BigInt(tx.authorizationList?.length ?? 0);
}

/** EIP-7623: the least that a transaction with this data pays, 0 before Prague. */
export function floorGas(data: Uint8Array, common: ActiveForks): bigint {
  if (!common.isActivatedEIP(7623)) return 0n;
  const zeros = zeroBytes(data);
  return TRANSACTION_GAS + 10n * BigInt(zeros + 4 * (data.length - zeros));
}

function zeroBytes(data: Uint8Array): number {
  let zeros = 0;
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++;
  return zeros;
}
