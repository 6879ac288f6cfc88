// A complete block as plain data: feeds report it, the archive stores it, and the main thread builds responses from it.

/** A transaction with its sender, as it is known before its execution. */
export interface AnnouncedTransaction {
  /** The transaction's hash, 32 bytes. */
  readonly hash: Uint8Array;
  /** The transaction's EIP-2718 bytes. */
  readonly raw: Uint8Array;
  /** Sender, 20 bytes. */
  readonly from: Uint8Array;
}

/** An executed transaction with its receipt, of a pre-confirmed or a complete block. */
export interface ExecutedTransaction extends AnnouncedTransaction {
  readonly receipt: Receipt;
  /** The upstream node's own JSON, which clients receive; absent if responses are built from the other fields. */
  readonly reported?: NodeTransactionJson;
}

/** The upstream node's own JSON for a transaction, used if we do not know all fields of the transaction or receipt. */
export interface NodeTransactionJson {
  /** JSON of the transaction; `null` if we know its type and can build the JSON ourselves. */
  readonly transaction: string | null;
  readonly receipt: string;
}

/** The receipt of a transaction (yellow paper 4.3.1; status of EIP-658, type of EIP-2718). */
export interface Receipt {
  readonly type: number;
  readonly status: 0 | 1;
  /** State root after the transaction, 32 bytes. Receipts before Byzantium have it instead of a status. */
  readonly root?: Uint8Array;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  /** Price that was paid, in wei per gas. */
  readonly effectiveGasPrice: bigint;
  /** 20-byte address of the contract that the transaction has created; `null` if it has created none. */
  readonly contractAddress: Uint8Array | null;
  readonly logs: readonly Log[];
  /** Nonce of the sender when the transaction was executed; only for OP-Stack deposits. */
  readonly depositNonce?: bigint;
}

/** A log entry that a contract has emitted. The address has 20 bytes, each topic 32. */
export interface Log {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** A complete block. `header` is RLP, `hash` its keccak-256; transactions and withdrawals are in order. */
export interface CompleteBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly header: Uint8Array;
  /** Size of the whole block's RLP in bytes. */
  readonly sizeBytes: number;
  readonly transactions: readonly ExecutedTransaction[];
  readonly withdrawals: readonly Withdrawal[] | null;
  /** Headers of uncles in RLP; absent if there are none. Only blocks before the merge have uncles. */
  readonly uncles?: readonly Uint8Array[];
  /** RLP of the block's access list (EIP-7928); absent if the block has none, or if we do not know it. */
  readonly accessList?: Uint8Array;
}

/** A withdrawal (EIP-4895). */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Uint8Array;
  /** The amount in gwei. */
  readonly amount: bigint;
}

/** A block before the first block in the state table. Its hash is needed for BLOCKHASH; its state is not available. */
export interface AncestorBlock {
  readonly number: number;
  /** The block's hash, 32 bytes. */
  readonly hash: Uint8Array;
  /** The parent's hash, 32 bytes. */
  readonly parentHash: Uint8Array;
}

/** A complete block without its body, such as the newest block, after which a feed continues. */
export type ChainHead = Pick<CompleteBlock, 'number' | 'hash' | 'header'>;
