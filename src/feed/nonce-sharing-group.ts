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
  /** Milliseconds since it was submitted. */
  readonly ageMs: number;
}

export interface NonceSharingGroupListener {
  /** Called with a transaction of another member. `acknowledge` must confirm it. */
  readonly onSend: (send: PeerSubmission, member: string, id: number) => void;
  /** Called with a new member, which does not know earlier transactions yet. */
  readonly onMember: (member: string) => void;
}

/** Membership in the group: reports transactions that were accepted here to the other members. */
export interface NonceSharingGroupMember {
  /** Joins the group at once, or as soon as the server can be reached. */
  start(listener: NonceSharingGroupListener): void;
  /**
   * Reports a transaction to all members, or only to the member `to`. Resolves when they have confirmed that their
   * `pending` nonces count it, or when the time limit is reached.
   */
  report(send: PeerSubmission, to: string | null): Promise<void>;
  /** Confirms to a member that the `pending` nonces here count the transaction that it has reported. */
  acknowledge(member: string, id: number): void;
}
