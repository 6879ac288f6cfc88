// Rules that forks have changed, as the flags that the host writes to RULES. Runs on publisher and estimators.

/** EIP-3860: code that makes contracts is limited, and paid for by its words. */
export const INITCODE: u32 = 1;
/** EIP-6780: only a contract of the same transaction is destroyed. */
export const DESTROYS_NEW_ONLY: u32 = 2;
/** EIP-7702: accounts may delegate to code elsewhere. */
export const DELEGATION: u32 = 4;
/** EIP-8037: what adds to the state pays state gas. */
export const STATE_GAS: u32 = 8;
/** EIP-7708: moves of ether are logged. */
export const TRANSFER_LOGS: u32 = 16;
/** EIP-8246: a contract that is destroyed keeps its balance. */
export const KEEPS_BALANCE: u32 = 32;
/** EIP-7610: a contract cannot be made where storage is; Amsterdam took that back. */
export const STORED_COLLIDES: u32 = 64;
