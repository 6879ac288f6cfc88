// The accounts and slots that the instructions of an execution have accessed: its outcome depends on them. With
// `EvmMessage.isListed`, those that its block's access list must contain.

/**
 * Accounts accessed by CALLs, BALANCE, EXTCODE* and SELFDESTRUCT, and slots accessed by SLOAD and SSTORE; each once, in
 * no particular order. Accesses by failed frames are included, and those that could not be paid for. Sender, recipient,
 * fee recipient, delegates and created contracts are only included if an instruction has accessed them.
 */
export interface ReadSet {
  /** Addresses of the accounts, 20 bytes each. */
  readonly accounts: readonly Uint8Array[];
  /** Slots: address of the account (20 bytes) and key (32 bytes). */
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** Read set of an execution that accesses nothing. */
export const EMPTY_READ_SET: ReadSet = { accounts: [], slots: [] };
