// A transaction that went through this door, and its fate so far. Runs on main.

/** Place in the chain. `hash`: of the block, once it is complete. */
export interface SendPlace {
  readonly block: number;
  readonly index: number;
  readonly hash: Uint8Array | null;
}

/**
 * `sent`: the node has not answered yet. `withdrawn`: it was pre-confirmed or confirmed and is not any more, so it waits as one that
 * is accepted. `replaced`: by another transaction with its nonce, `by` its hash; `null`: its nonce was used otherwise. `dropped`: it
 * has waited for as long as is counted. `unknown`: its nonce is used, in blocks that were not seen here.
 */
export type Fate =
  | { readonly kind: 'sent' }
  | { readonly kind: 'accepted' | 'withdrawn' | 'dropped' | 'unknown' }
  | { readonly kind: 'preconfirmed' | 'confirmed'; readonly place: SendPlace }
  | { readonly kind: 'replaced'; readonly by: Uint8Array | null };

/** Fates of which senders are told, in the order of a transaction's life. */
export const TOLD_FATES = [
  'accepted',
  'preconfirmed',
  'confirmed',
  'replaced',
  'withdrawn',
  'dropped',
  'unknown',
] as const satisfies readonly Fate['kind'][];

/** A fate of which senders are told. */
export type ToldFate = (typeof TOLD_FATES)[number];

/** A transaction as it was handed in. */
export interface Handed {
  readonly hash: Uint8Array;
  /** EIP-2718 bytes, blobs put aside. */
  readonly raw: Uint8Array;
  /** The client that has handed it in; absent where it cannot be told from others. */
  readonly client: string | undefined;
  /** When, by the monotonic clock. */
  readonly atMs: number;
}

/** One whose sender is known. */
export interface Send extends Handed {
  /** 20 bytes, and the same as hex. */
  readonly from: Uint8Array;
  readonly sender: string;
  readonly nonce: bigint;
  fate: Fate;
  /** When its fate was told. */
  fateAtMs: number;
  /** Number of the newest block when it began to wait, or of the one that it is pre-confirmed in; `null`: not known. */
  sinceBlock: number | null;
  sinceMs: number;
  /** True if blocks have passed since that were not seen here. */
  isUncertain: boolean;
}
