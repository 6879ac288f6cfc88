// A complete block as plain data: feeds report it, the archive stores it and main answers from it. Every thread may
// read it.

/** A transaction as it is announced to subscribers of pending transactions. */
export interface PublishedTransaction {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** EIP-2718 bytes. */
  readonly raw: Uint8Array;
  /** Sender, 20 bytes. */
  readonly from: Uint8Array;
}

/** An executed transaction: of a pre-confirmed block, or of a complete one as the archive stores it. */
export interface ConfirmedTransaction extends PublishedTransaction {
  readonly receipt: Receipt;
  /** Absent: the response is built from the fields here. */
  readonly reported?: ReportedJson;
}

/** The upstream node's own JSON for a transaction whose fields are not all known here. */
export interface ReportedJson {
  /** `null`: the transaction's type is known, so its JSON is built here. */
  readonly transaction: string | null;
  readonly receipt: string;
}

/** Outcome of a transaction (yellow paper 4.3.1; EIP-658 status, EIP-2718 type). */
export interface Receipt {
  readonly type: number;
  readonly status: 0 | 1;
  /** State root after the transaction, 32 bytes: before Byzantium, instead of the status. */
  readonly root?: Uint8Array;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  /** Wei per gas paid. */
  readonly effectiveGasPrice: bigint;
  /** Address created by a contract creation, 20 bytes. */
  readonly contractAddress: Uint8Array | null;
  readonly logs: readonly Log[];
  /** Only of an OP-Stack deposit: its sender's nonce when it ran. */
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
  /** RLP headers; absent if there are none. Only blocks before the merge have some. */
  readonly uncles?: readonly Uint8Array[];
  /** RLP of its access list (EIP-7928); absent if it has none, or if it is not known here. */
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

/** A block before the first version of a table: only its hash is known, for BLOCKHASH, not its state. */
export interface Ancestor {
  readonly number: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
}

/** A complete block that later ones build on: the point from which a feed continues. */
export interface Head {
  readonly number: number;
  readonly hash: Uint8Array;
  /** RLP. */
  readonly header: Uint8Array;
}
