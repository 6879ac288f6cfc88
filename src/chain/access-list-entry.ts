// Entries of access lists: accounts and slots that a transaction declares to access (EIP-2930).

/** One address with its storage keys. */
export interface AccessListEntry {
  readonly address: Uint8Array;
  readonly slots: readonly Uint8Array[];
}
