// Rules that differ between forks, as flags that the host writes to RULES.

/** Init code has a size limit, and each of its words costs gas (EIP-3860). */
export const LIMITS_INITCODE: u32 = 1;
/** SELFDESTRUCT only destroys a contract that was created in the same transaction (EIP-6780). */
export const DESTROYS_NEW_ONLY: u32 = 2;
/** Accounts may delegate to another account's code (EIP-7702). */
export const DELEGATION: u32 = 4;
/** Additions to the state cost state gas (EIP-8037). */
export const STATE_GAS: u32 = 8;
/** Transfers of ether are logged (EIP-7708). */
export const TRANSFER_LOGS: u32 = 16;
/** A destroyed contract keeps its balance (EIP-8246). */
export const DESTROYED_KEEPS_BALANCE: u32 = 32;
/** A contract cannot be created at an address with storage (EIP-7610); Amsterdam repeals this rule. */
export const STORAGE_COLLIDES: u32 = 64;
