// Tracks which nonces of one sender are used by the transactions that it submitted through this program.

export interface SubmittedRawTransaction {
  readonly hash: Uint8Array;
  /** EIP-2718 encoded transaction, without a blob sidecar. */
  readonly raw: Uint8Array;
  /** Name of the client that has submitted the transaction; `undefined` if clients are not distinguished. */
  readonly client: string | undefined;
  /** When the transaction was submitted, in monotonic milliseconds. */
  readonly atMs: number;
}

/** A transaction whose sender is known. */
export interface TrackedTransaction extends SubmittedRawTransaction {
  readonly from: Uint8Array;
  readonly nonce: bigint;
  /** True if the node has accepted the transaction, or a block or increment includes it. */
  isCounted: boolean;
  isIncluded: boolean;
  /**
   * Number of the newest block when the node accepted the transaction, or of the block that includes it; `null` if not
   * known.
   */
  sinceBlock: number | null;
  sinceMs: number;
}

/** The last result of `next`: nonces `from` to `next - 1` are used, `next` is not. */
interface Run {
  readonly from: bigint;
  readonly next: bigint;
}

/**
 * The submitted transactions of one sender by nonce, from which the sender's `pending` nonce is computed. If several
 * have the same nonce, only one of them counts.
 */
export class SenderNonces {
  readonly #covering = new Map<bigint, TrackedTransaction>();
  /** Transactions to which the node has not responded yet. */
  readonly #sent = new Set<TrackedTransaction>();
  #run: Run | null = null;

  /** True if none of the sender's transactions counts in its `pending` nonce. */
  get coversNone(): boolean {
    return this.#covering.size === 0;
  }

  get isEmpty(): boolean {
    return this.coversNone && this.#sent.size === 0;
  }

  /** Returns the transaction that uses a nonce; `undefined` if none does. */
  at(nonce: bigint): TrackedTransaction | undefined {
    return this.#covering.get(nonce);
  }

  /** Records that a transaction uses its nonce, in place of any other transaction with that nonce. */
  cover(send: TrackedTransaction): void {
    this.#sent.delete(send);
    this.#covering.set(send.nonce, send);
    if (this.#run?.next === send.nonce) this.#run = { from: this.#run.from, next: this.#endOf(send.nonce) };
  }

  /** Removes a transaction. If its nonce was used because of this transaction, the nonce is unused again. */
  uncover(send: TrackedTransaction): void {
    this.#sent.delete(send);
    if (this.#covering.get(send.nonce) !== send) return;
    this.#covering.delete(send.nonce);
    this.#run = null;
  }

  /** Adds a transaction to which the node has not responded yet. */
  wait(send: TrackedTransaction): void {
    this.#sent.add(send);
  }

  /** Returns the first unused nonce from `nonce` on. The search continues where the previous one ended. */
  next(nonce: bigint): bigint {
    const run = this.#run;
    if (run !== null && run.from <= nonce && nonce <= run.next) return run.next;
    const next = this.#endOf(nonce);
    this.#run = { from: nonce, next };
    return next;
  }

  /** Like `next`, but nonces of transactions to which the node has not responded yet count as used, too. */
  nextSent(nonce: bigint): bigint {
    const sent = new Set([...this.#sent].map((send) => send.nonce));
    let next = this.next(nonce);
    while (sent.has(next)) next = this.next(next + 1n);
    return next;
  }

  #endOf(nonce: bigint): bigint {
    let next = nonce;
    while (this.#covering.has(next)) next++;
    return next;
  }
}
