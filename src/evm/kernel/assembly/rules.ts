// Rules that forks have changed, as flags the host has written to RULES.
import { RULES } from './layout';

/** EIP-3860: code that makes contracts is limited, and paid for by its words. */
export const INITCODE: u32 = 1;
/** EIP-6780: only a contract of the same transaction is destroyed. */
export const DESTROYS_NEW_ONLY: u32 = 2;
/** EIP-7702: accounts may delegate to code elsewhere. */
export const DELEGATION: u32 = 4;

@inline
export function has(rule: u32): bool {
  return (load<u32>(RULES) & rule) != 0;
}
