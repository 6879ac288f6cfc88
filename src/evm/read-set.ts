// The state that the instructions of an execution have accessed, which its outcome depends on, or which its block's
// access list contains (`EvmMessage.isListed`).

/**
 * Accounts that CALLs, BALANCE, EXTCODE* and SELFDESTRUCT have accessed, and slots that SLOAD and SSTORE have accessed,
 * each once, in no particular order. They include those of failed frames, and those whose access could not be paid for.
 * Sender, recipient, fee recipient, their delegations and created contracts are only included if an instruction has
 * accessed them.
 */
export interface ReadSet {
  /** Addresses, 20 bytes each. */
  readonly accounts: readonly Uint8Array[];
  /** Addresses of 20 bytes and slots of 32 bytes. */
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** The set of an execution that accesses nothing. */
export const EMPTY_READ_SET: ReadSet = { accounts: [], slots: [] };
