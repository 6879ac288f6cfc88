// A complete block as plain data: what a feed reports, the archive keeps and main answers from. Every thread may read it.

/** A transaction as it is announced to those who watch pending transactions. */
export interface PublishedTransaction {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** EIP-2718 bytes. */
  readonly raw: Uint8Array;
  /** Sender, 20 bytes. */
  readonly from: Uint8Array;
}

/** A transaction that was executed: of a pre-confirmed block, or of a complete one as the archive keeps it. */
export interface ConfirmedTransaction extends PublishedTransaction {
  readonly receipt: Receipt;
  /** Absent: it is shown as it is known here. */
  readonly told?: ToldTexts;
}

/** A transaction as the node shows it, JSON texts, where what is known here is not all of it. */
export interface ToldTexts {
  /** `null`: its type is known. */
  readonly transaction: string | null;
  readonly receipt: string;
}

/** Outcome of a transaction (yellow paper 4.3.1; EIP-658 status, EIP-2718 type). */
export interface Receipt {
  readonly type: number;
  readonly status: 0 | 1;
  /** State root after the transaction, 32 bytes: before Byzantium, in the place of the status. */
  readonly root?: Uint8Array;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  /** Wei per gas paid. */
  readonly effectiveGasPrice: bigint;
  /** Address created by a contract creation, 20 bytes. */
  readonly contractAddress: Uint8Array | null;
  readonly logs: readonly Log[];
  /** Of an OP-Stack deposit: its sender's nonce when it ran. */
  readonly depositNonce?: bigint;
}

/** An event of a contract: address 20 bytes, topics 32 bytes each. */
export interface Log {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** A complete block: RLP header (its keccak-256 is `hash`), transactions and withdrawals in order. */
export interface CompleteBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly header: Uint8Array;
  /** Size of the whole block's RLP, bytes. */
  readonly sizeBytes: number;
  readonly transactions: readonly ConfirmedTransaction[];
  readonly withdrawals: readonly Withdrawal[] | null;
  /** RLP headers, of which there are some before the merge alone; left out where there are none. */
  readonly uncles?: readonly Uint8Array[];
  /** RLP of its access list (EIP-7928); absent: it has none, or it is not known here. */
  readonly accessList?: Uint8Array;
}

/** EIP-4895. */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Uint8Array;
  /** Gwei. */
  readonly amount: bigint;
}

/** A block before the first version of a table: of it the hash is known, for BLOCKHASH, not the state. */
export interface Ancestor {
  readonly number: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
}

/** A complete block and what every later one is built on: the point from which a feed goes on. */
export interface Head {
  readonly number: number;
  readonly hash: Uint8Array;
  /** RLP. */
  readonly header: Uint8Array;
}
