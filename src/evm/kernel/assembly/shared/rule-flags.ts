// Rules that forks have changed, as the flags that the host writes to RULES.

/** EIP-3860: init code is limited, and paid for by the word. */
export const LIMITS_INITCODE: u32 = 1;
/** EIP-6780: only a contract created in the same transaction is destroyed. */
export const DESTROYS_NEW_ONLY: u32 = 2;
/** EIP-7702: accounts may delegate to another account's code. */
export const DELEGATION: u32 = 4;
/** EIP-8037: additions to the state pay state gas. */
export const STATE_GAS: u32 = 8;
/** EIP-7708: transfers of ether are logged. */
export const TRANSFER_LOGS: u32 = 16;
/** EIP-8246: a destroyed contract keeps its balance. */
export const KEEPS_BALANCE: u32 = 32;
/** EIP-7610: a contract cannot be created at an address with storage; Amsterdam repeals that. */
export const STORAGE_COLLIDES: u32 = 64;
