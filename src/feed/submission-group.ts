// The interface by which an instance belongs to a group whose members count each other's submitted transactions. Each
// instance's feed implements it.

/** A transaction that a member has submitted and a node has accepted. */
export interface GroupSubmission {
  /** EIP-2718 bytes, without blobs. */
  readonly raw: Uint8Array;
  /** 20 bytes. */
  readonly from: Uint8Array;
  readonly nonce: bigint;
  /** The client that has submitted it; absent if the client cannot be identified. */
  readonly client?: string | undefined;
  /** Milliseconds since it was submitted. */
  readonly ageMs: number;
}

export interface SubmissionGroupListener {
  /** Called with another member's transaction, which `acknowledge` must confirm. */
  readonly onSend: (send: GroupSubmission, member: string, id: number) => void;
  /** Called with a new member, which does not know earlier transactions. */
  readonly onMember: (member: string) => void;
}

/** Reports transactions that are accepted here to the other members. */
export interface SubmissionGroupMember {
  /** Joins the group at once, or as soon as the server can be reached. */
  start(listener: SubmissionGroupListener): void;
  /** Reports a transaction to all members or the one `to`. Resolves when they count it, or after the time for it. */
  report(send: GroupSubmission, to: string | null): Promise<void>;
  /** Confirms that a transaction of another member counts here. */
  acknowledge(member: string, id: number): void;
}
