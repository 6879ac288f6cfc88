// A member of a group of instances that count each other's transactions, as the feed of each has it.

/** A transaction that a node has accepted from a member. */
export interface GroupSend {
  /** EIP-2718 bytes, without blobs. */
  readonly raw: Uint8Array;
  /** 20 bytes. */
  readonly from: Uint8Array;
  readonly nonce: bigint;
  /** The client that has submitted it; absent where it cannot be told from others. */
  readonly client: string | undefined;
  /** Milliseconds since it was submitted. */
  readonly ageMs: number;
}

/** Called with what other members report. */
export interface GroupListener {
  /** Another member's transaction; to be answered by `acknowledge`. */
  readonly onSend: (send: GroupSend, member: string, id: number) => void;
  /** A member that is new here knows nothing of what was sent before. */
  readonly onMember: (member: string) => void;
}

/** Reports what is accepted here to the others. */
export interface GroupMember {
  /** Joins the group, at once or when the server is reached. */
  start(listener: GroupListener): void;
  /** Reports a transaction to all, or to the member `to`; resolves once they count it, or do not say so in time. */
  report(send: GroupSend, to: string | null): Promise<void>;
  /** A transaction of another member counts here. */
  acknowledge(member: string, id: number): void;
}
