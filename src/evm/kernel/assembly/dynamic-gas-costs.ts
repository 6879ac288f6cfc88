// Gas of instructions in addition to their static gas. Static gas, and prices that differ between forks, are written by
// the host together with the fork's rules.
import { PRICES } from './shared/memory-layout';

/** Returns a price of the fork; `field` is an offset of price-fields.ts. */
@inline
export function forkPrice(field: usize): i64 {
  return load<i64>(PRICES + field);
}

// ---- account and slot access (EIP-2929) ----
/** Gas of SLOAD for the first access to a slot (EIP-2929). */
export const COLD_SLOAD_GAS: i64 = 2100;
/** Gas of an access to a warm account or slot (EIP-2929). */
export const WARM_ACCESS_GAS: i64 = 100;
/** SSTORE fails if the gas left is not more than this (EIP-2200). */
export const SSTORE_SENTRY_GAS: i64 = 2300;

// ---- gas that depends on a length ----
/** Gas of EXP per byte of the exponent (EIP-160). */
export const EXP_BYTE_GAS: i64 = 50;
/** Gas of KECCAK256 and CREATE2 per word hashed (yellow paper, appendix G; EIP-1014). */
export const KECCAK_WORD_GAS: i64 = 6;
/** Gas of copies to memory per word (yellow paper, appendix G). */
export const COPY_WORD_GAS: i64 = 3;
/** Gas of LOG0 to LOG4 per byte of data (yellow paper, appendix G). */
export const LOG_DATA_BYTE_GAS: i64 = 8;
/** Gas of CREATE and CREATE2 per word of init code (EIP-3860). */
export const INITCODE_WORD_GAS: i64 = 2;

// ---- gas of calls ----
/** Additional gas that a call with value gives to its callee (yellow paper, appendix G). */
export const CALL_STIPEND_GAS: i64 = 2300;
