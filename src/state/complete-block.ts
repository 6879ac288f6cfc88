// A complete block as plain data, which feeds report, the archive stores, and main answers from.

/** A transaction as it is announced to subscribers of pending transactions. */
export interface AnnouncedTransaction {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** EIP-2718 bytes. */
  readonly raw: Uint8Array;
  /** Sender, 20 bytes. */
  readonly from: Uint8Array;
}

/** An executed transaction of a pre-confirmed block, or of a complete block as the archive stores it. */
export interface ExecutedTransaction extends AnnouncedTransaction {
  readonly receipt: Receipt;
  /** The node's own JSON; absent if responses are built from the fields here. */
  readonly reported?: NodeTransactionJson;
}

/** The upstream node's own JSON for a transaction, if not all of its fields are known here. */
export interface NodeTransactionJson {
  /** `null` if the transaction's type is known, so that its JSON is built here. */
  readonly transaction: string | null;
  readonly receipt: string;
}

/** The outcome of a transaction (yellow paper 4.3.1; status of EIP-658, type of EIP-2718). */
export interface Receipt {
  readonly type: number;
  readonly status: 0 | 1;
  /** State root after the transaction, 32 bytes; before Byzantium receipts have it instead of a status. */
  readonly root?: Uint8Array;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  /** Wei per gas that was paid. */
  readonly effectiveGasPrice: bigint;
  /** 20-byte address of the contract that the transaction has created. */
  readonly contractAddress: Uint8Array | null;
  readonly logs: readonly Log[];
  /** Nonce of the sender when the deposit ran; only for OP-Stack deposits. */
  readonly depositNonce?: bigint;
}

/** An event of a contract. The address has 20 bytes, each topic 32. */
export interface Log {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** A complete block: RLP header, whose keccak-256 is `hash`, transactions and withdrawals in order. */
export interface CompleteBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly header: Uint8Array;
  /** Size of the whole block's RLP in bytes. */
  readonly sizeBytes: number;
  readonly transactions: readonly ExecutedTransaction[];
  readonly withdrawals: readonly Withdrawal[] | null;
  /** RLP headers of uncles; absent if there are none. Only blocks before the merge have uncles. */
  readonly uncles?: readonly Uint8Array[];
  /** RLP of its access list (EIP-7928); absent if it has none or it is not known here. */
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

/** A block from before a table's first version. Its hash is known, which BLOCKHASH needs, but not its state. */
export interface AncestorBlock {
  readonly number: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
}

/** A complete block on which later ones are built; a feed continues from it. */
export interface ChainHead {
  readonly number: number;
  readonly hash: Uint8Array;
  /** RLP. */
  readonly header: Uint8Array;
}
