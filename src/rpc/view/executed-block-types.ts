// Types for blocks that were executed completely or in part, with the data that methods about transactions, receipts
// and logs need.
import type { OpRules } from '../../chain/op/forks.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import type { LoggedTransaction } from '../../state/archive/format/decode-transaction-logs.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import type { L1Attributes } from '../../transaction/op/l1-attributes.js';
import type { SingleBlockReader } from './stored-blocks.js';
import type { BlockSoFar } from './pre-confirmed-blocks.js';

/** A block that was executed completely or in part. */
export interface ExecutedBlock {
  readonly number: number;
  /** Block hash; `null` while the block is not complete. */
  readonly hash: Uint8Array | null;
  /** Block time in seconds since 1970. */
  readonly timestamp: bigint;
  /** Block time in milliseconds since 1970, if the block has it (Base from the Denim fork on); otherwise `null`. */
  readonly timestampMs: bigint | null;
  /** Price in wei per blob gas; 0 before Cancun. */
  readonly blobGasPrice: bigint;
  /** Parameters of the L1 fees that transactions paid; `null` outside of the OP Stack, or if they are unknown. */
  readonly l1: L1FeeParams | null;
  readonly transactions: readonly ExecutedTransaction[];
  /** RLP headers of the uncles. Only complete blocks from before the merge have uncles. */
  readonly uncles: readonly Uint8Array[];
}

/** Parameters from which the L1 fee of a transaction in an OP-Stack block is computed. */
export interface L1FeeParams {
  readonly attributes: L1Attributes;
  readonly rules: OpRules;
}

/** The fields of a block that log searches need. */
export type BlockWithLogs = Pick<ExecutedBlock, 'number' | 'hash' | 'timestamp' | 'timestampMs'> & {
  readonly transactions: readonly LoggedTransaction[];
};

/** Where a transaction is included: the block, and the index in the block. */
export interface Inclusion {
  readonly block: ExecutedBlock;
  readonly index: number;
}

/** A pre-confirmed block with its increments up to some index. */
export interface PreConfirmedBlock {
  readonly soFar: BlockSoFar;
  readonly block: ExecutedBlock;
  /** The chain whose rules the block's header follows. */
  readonly chain: ChainDescription;
}

/** A complete block that has joined or left the chain, and a reader for it. */
export interface CompleteBlockHandle {
  /** Key under which the decoded block is cached. */
  readonly key: string;
  readonly number: number;
  readonly hash: Uint8Array;
  readonly reader: SingleBlockReader;
  /** True if only the block's header is known, because the block contains something unsupported. */
  readonly isHeaderAlone?: true;
}

/** A block that will be searched for logs. It can be read later, even if the chain has been reorganized. */
export interface LogSearchBlock {
  /** Returns the bloom filter in the header; `null` if the block is not complete. */
  readonly bloom: () => Uint8Array | null;
  /** Reads the block; returns `null` if it is no longer stored. */
  readonly open: () => BlockWithLogs | null;
}
