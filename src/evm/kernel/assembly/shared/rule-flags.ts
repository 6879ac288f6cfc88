// Rules that forks have changed, as the flags that the host writes to RULES. Runs on publisher and estimators.

/** EIP-3860: code that makes contracts is limited, and paid for by its words. */
export const INITCODE: u32 = 1;
/** EIP-6780: only a contract of the same transaction is destroyed. */
export const DESTROYS_NEW_ONLY: u32 = 2;
/** EIP-7702: accounts may delegate to code elsewhere. */
export const DELEGATION: u32 = 4;
