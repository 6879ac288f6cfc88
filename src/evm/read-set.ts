// State that the instructions of an execution have named: its outcome hangs on it, or its block's access list
// (Message.isListed).

/**
 * Accounts that CALLs, BALANCE, EXTCODE* and SELFDESTRUCT have named, and slots of SLOAD and SSTORE, each once, in no
 * promised order; those of frames that failed too, and what could not be paid for. Sender, receiver, fee recipient,
 * their delegations and what creations make are not in it unless they are named.
 */
export interface ReadSet {
  /** 20 bytes each. */
  readonly accounts: readonly Uint8Array[];
  /** 20 and 32 bytes. */
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** The set of an execution that names nothing. */
export const EMPTY_READ_SET: ReadSet = { accounts: [], slots: [] };
