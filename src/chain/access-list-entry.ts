// Accounts and slots that a transaction declares to access (EIP-2930).

/** EIP-2930 access list entry. */
export interface AccessListEntry {
  readonly address: Uint8Array;
  readonly slots: readonly Uint8Array[];
}
