// The forms in which parameters refer to blocks.

export const BLOCK_TAGS = ['latest', 'pending', 'safe', 'finalized', 'earliest'] as const;

/** A block as in a parameter (EIP-1898). `requireCanonical`: one that a reorganization removed is refused. */
export type BlockParam =
  | { readonly kind: (typeof BLOCK_TAGS)[number] }
  | { readonly kind: 'number'; readonly number: bigint }
  | { readonly kind: 'hash'; readonly hash: Uint8Array; readonly requireCanonical?: boolean };

/** The default block, unless the operator has configured another one. */
export const LATEST_BLOCK: BlockParam = { kind: 'latest' };
