// A transaction submitted through this program, and its status.

/** Position in the chain. `hash`: of the block, once it is complete. */
export interface TransactionInclusion {
  readonly block: number;
  readonly index: number;
  readonly hash: Uint8Array | null;
}

/**
 * `sent`: the node has not responded yet. `withdrawn`: it was pre-confirmed or confirmed and no longer is, so it is
 * pending like an accepted one. `replaced`: by another transaction with its nonce, whose hash is `by`; `null`: its
 * nonce was used otherwise. `dropped`: it has expired. `unknown`: its nonce was used in blocks that were not seen here.
 */
export type SubmissionStatus =
  | { readonly kind: 'sent' }
  | { readonly kind: 'accepted' | 'withdrawn' | 'dropped' | 'unknown' }
  | { readonly kind: 'preconfirmed' | 'confirmed'; readonly place: TransactionInclusion }
  | { readonly kind: 'replaced'; readonly by: Uint8Array | null };

/** Statuses that are reported to clients, in the order of a transaction's life. */
export const REPORTED_STATUSES = [
  'accepted',
  'preconfirmed',
  'confirmed',
  'replaced',
  'withdrawn',
  'dropped',
  'unknown',
] as const satisfies readonly SubmissionStatus['kind'][];

/** A status that is reported to clients. */
export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

/** A submitted transaction. */
export interface Submitted {
  readonly hash: Uint8Array;
  /** EIP-2718 bytes, without a blob sidecar. */
  readonly raw: Uint8Array;
  /** The client that has submitted it; absent if clients are not distinguished. */
  readonly client: string | undefined;
  /** When it was submitted, in monotonic milliseconds. */
  readonly atMs: number;
}

/** A transaction whose sender is known. */
export interface TransactionSubmission extends Submitted {
  /** 20 bytes, and the same as hex. */
  readonly from: Uint8Array;
  readonly sender: string;
  readonly nonce: bigint;
  fate: SubmissionStatus;
  /** When its status last changed. */
  fateAtMs: number;
  /**
   * Number of the newest block when it became pending, or of the block that it is pre-confirmed in; `null`: not known.
   */
  sinceBlock: number | null;
  sinceMs: number;
  /** True if blocks have passed since then that were not seen here. */
  isUncertain: boolean;
}
