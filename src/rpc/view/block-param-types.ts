// The forms in which a parameter names a block.

export const BLOCK_TAGS = ['latest', 'pending', 'safe', 'finalized', 'earliest'] as const;

/** A block parameter (EIP-1898). `requireCanonical`: a block that a reorganization removed is refused. */
export type BlockParam =
  | { readonly kind: (typeof BLOCK_TAGS)[number] }
  | { readonly kind: 'number'; readonly number: bigint }
  | { readonly kind: 'hash'; readonly hash: Uint8Array; readonly requireCanonical?: boolean };

/** The default block, unless the operator has configured another one. */
export const LATEST_BLOCK: BlockParam = { kind: 'latest' };
