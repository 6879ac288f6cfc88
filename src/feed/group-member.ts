// A member of a group of instances that count each other's transactions, as each instance's feed provides it.

/** A transaction that a node has accepted from a member. */
export interface GroupSend {
  /** EIP-2718 bytes, without blobs. */
  readonly raw: Uint8Array;
  /** 20 bytes. */
  readonly from: Uint8Array;
  readonly nonce: bigint;
  /** The client that submitted it; absent if it cannot be identified. */
  readonly client: string | undefined;
  /** Milliseconds since it was submitted. */
  readonly ageMs: number;
}

/** Called with what other members report. */
export interface GroupListener {
  /** Another member's transaction, to be confirmed by `acknowledge`. */
  readonly onSend: (send: GroupSend, member: string, id: number) => void;
  /** A new member does not know what was sent before. */
  readonly onMember: (member: string) => void;
}

/** Reports what is accepted here to the others. */
export interface GroupMember {
  /** Joins the group, at once or when the server is reached. */
  start(listener: GroupListener): void;
  /**
   * Reports a transaction to all, or to the member `to`; resolves once they count it, or have not confirmed it in time.
   */
  report(send: GroupSend, to: string | null): Promise<void>;
  /** Confirms that a transaction of another member counts here. */
  acknowledge(member: string, id: number): void;
}
