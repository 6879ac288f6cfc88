// The interface to a group of instances that count each other's submitted transactions in `pending` nonces. The feed of
// each instance implements it.

/** A transaction that a client of one instance has submitted and a node has accepted. */
export interface PeerSubmission {
  /** EIP-2718 bytes of the transaction, without blobs. */
  readonly raw: Uint8Array;
  /** Sender, 20 bytes. */
  readonly from: Uint8Array;
  readonly nonce: bigint;
  /** The client that has submitted the transaction; absent if it cannot be identified. */
  readonly client?: string | undefined;
  /** Milliseconds since the transaction was submitted. */
  readonly ageMs: number;
}

export interface NonceSharingGroupListener {
  /** Called with a transaction that was submitted to another member. It must be confirmed by `acknowledge`. */
  readonly onSend: (send: PeerSubmission, member: string, id: number) => void;
  /** Called when a new member has joined. It does not know the transactions that were reported before. */
  readonly onMember: (member: string) => void;
}

/** This instance's membership in the group. Reports transactions that it has submitted to the other members. */
export interface NonceSharingGroupMember {
  /** Joins the group at once, or as soon as the NATS server can be reached. */
  start(listener: NonceSharingGroupListener): void;
  /**
   * Reports a transaction to all members, or only to the member `to`. Resolves when they have confirmed that their
   * `pending` nonces count it, or when the time limit is reached.
   */
  report(send: PeerSubmission, to: string | null): Promise<void>;
  /** Confirms to a member that this instance's `pending` nonces count the transaction that the member has reported. */
  acknowledge(member: string, id: number): void;
}
