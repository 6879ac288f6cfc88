// Gas of instructions in addition to their static gas. The static gas, and prices that differ between forks, come from
// the host with the rules.
import { PRICES } from './shared/layout';

/** A price of the fork (price-fields.ts). */
@inline
export function forkPrice(field: usize): i64 {
  return load<i64>(PRICES + field);
}

// ---- EIP-2929 ----
/** SLOAD's first access to a slot (EIP-2929). */
export const COLD_SLOAD_GAS: i64 = 2100;
/** Any later access (EIP-2929). */
export const WARM_ACCESS_GAS: i64 = 100;
/** SSTORE fails if no more than this gas is left (EIP-2200). */
export const SSTORE_SENTRY_GAS: i64 = 2300;

// ---- by length ----
/** EXP, for each byte of the exponent (EIP-160). */
export const EXP_BYTE_GAS: i64 = 50;
/** KECCAK256 and CREATE2, for each word hashed (yellow paper, appendix G; EIP-1014). */
export const KECCAK_WORD_GAS: i64 = 6;
/** Copies to memory, for each word (yellow paper, appendix G). */
export const COPY_WORD_GAS: i64 = 3;
/** Logs, for each byte of data (yellow paper, appendix G). */
export const LOG_DATA_BYTE_GAS: i64 = 8;
/** Creations, for each word of init code (EIP-3860). */
export const INITCODE_WORD_GAS: i64 = 2;

// ---- calls ----
/** Gas that a call with value gives its callee in addition (yellow paper, appendix G). */
export const CALL_STIPEND_GAS: i64 = 2300;
