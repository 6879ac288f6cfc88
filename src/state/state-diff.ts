// StateDiff, the only form in which state changes are passed on. The dev chain, imports and live feeds all produce it
// on the publisher; every thread may read it. It is plain, self-contained data that can be cloned.

/** The block's environment for the EVM (yellow paper H, EIP-1559, EIP-4399, EIP-4788, EIP-4844). */
export interface BlockEnv {
  readonly number: number;
  /** Seconds since 1970, 64 bits. */
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  /** Wei per gas; 0 before London. */
  readonly baseFeePerGas: bigint;
  /** Fee recipient, 20 bytes. */
  readonly coinbase: Uint8Array;
  /** 32 bytes. All zeros before the merge. */
  readonly prevRandao: Uint8Array;
  /** Zero from the merge on. */
  readonly difficulty: bigint;
  readonly excessBlobGas: bigint;
  /** 32 bytes. All zeros before Cancun. */
  readonly parentBeaconBlockRoot: Uint8Array;
  /** Slot number (EIP-7843); absent before Amsterdam. */
  readonly slotNumber?: bigint;
}

/** The position of a state in the chain: block, increment and hashes. */
export interface Coordinates {
  readonly block: number;
  /** Index of the increment in the block, from 0 on. A complete block has the index of its last increment. */
  readonly index: number;
  /** The block's hash (32 bytes) if the block is complete and confirmed; `null` while it is pre-confirmed. */
  readonly hash: Uint8Array | null;
  /** The parent's hash, 32 bytes. */
  readonly parentHash: Uint8Array;
}

/** Block numbers of the tags `latest`, `safe` and `finalized`; `null` for an unknown one. */
export interface BlockTags {
  readonly latest: number;
  readonly safe: number | null;
  readonly finalized: number | null;
}

/** An account's new value. `account: null` deletes it; its slots are then listed separately with zero words. */
export interface AccountChange {
  readonly address: Uint8Array;
  readonly account: { readonly nonce: bigint; readonly balance: bigint; readonly codeHash: Uint8Array } | null;
}

/** The new value of a storage slot: 20-byte address, 32-byte slot, 32-byte word. */
export interface SlotChange {
  readonly address: Uint8Array;
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
}

/** The code of a changed account. It is listed even if the receiver may know it already. */
export interface CodeChange {
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

/** State changes as final values; each key occurs at most once. */
export interface StateChanges {
  readonly accounts: readonly AccountChange[];
  readonly slots: readonly SlotChange[];
  readonly codes: readonly CodeChange[];
}

/** No changes, for a state version that changes no key. */
export const NO_STATE_CHANGES: StateChanges = { accounts: [], slots: [], codes: [] };

/**
 * The changes of one state version (the state after an increment or a block), with its position in the chain, its
 * environment and its tags.
 */
export interface StateDiff extends StateChanges {
  readonly coordinates: Coordinates;
  readonly env: BlockEnv;
  readonly heads: BlockTags;
}

/** Position of a state version in the chain: block, increment, hashes and environment. */
export type ChainPosition = Pick<StateDiff, 'coordinates' | 'env'>;
