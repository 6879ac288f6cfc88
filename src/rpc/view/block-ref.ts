// Blocks by the names that parameters have for them. Runs on main.

/** The names of blocks. */
export const TAGS = ['latest', 'pending', 'safe', 'finalized', 'earliest'] as const;

/**
 * A block as a parameter names it (EIP-1898). `requireCanonical`: a block that a reorganization has left is refused.
 */
export type BlockRef =
  | { readonly kind: (typeof TAGS)[number] }
  | { readonly kind: 'number'; readonly number: bigint }
  | { readonly kind: 'hash'; readonly hash: Uint8Array; readonly requireCanonical?: boolean };

/** The block of a call that names none, unless the operator has it otherwise. */
export const LATEST: BlockRef = { kind: 'latest' };
