// Blocks that were executed completely or in part, in the form that methods about transactions, receipts and logs need.
import type { OpRules } from '../../chain/op/forks.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import type { LoggedTransaction } from '../../state/archive/format/logged-transaction.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import type { L1Attributes } from '../../transaction/op/l1-attributes.js';
import type { BlockReader } from './chain-blocks.js';
import type { BlockSoFar } from './pre-confirmed-blocks.js';

/** A block that was executed completely or in part. */
export interface ExecutedBlock {
  readonly number: number;
  /** `null` while the block is not complete. */
  readonly hash: Uint8Array | null;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  /** Milliseconds since 1970, if the block has them (Base from Denim on). */
  readonly timestampMs: bigint | null;
  /** Wei per blob gas; 0 before Cancun. */
  readonly blobGasPrice: bigint;
  /** The parameters of L1 fees; `null` outside of the OP Stack, or if they are unknown. */
  readonly l1: L1FeeParams | null;
  readonly transactions: readonly ExecutedTransaction[];
  /** RLP headers; only complete blocks from before the merge have uncles. */
  readonly uncles: readonly Uint8Array[];
}

/** The parameters by which transactions of an OP-Stack block pay for L1. */
export interface L1FeeParams {
  readonly attributes: L1Attributes;
  readonly rules: OpRules;
}

/** The part of a block that log searches need. */
export type BlockWithLogs = Pick<ExecutedBlock, 'number' | 'hash' | 'timestamp' | 'timestampMs'> & {
  readonly transactions: readonly LoggedTransaction[];
};

/** A transaction, and the block that contains it. */
export interface Inclusion {
  readonly block: ExecutedBlock;
  readonly index: number;
}

/** A pre-confirmed block up to some increment. */
export interface PreConfirmedBlock {
  readonly soFar: BlockSoFar;
  readonly block: ExecutedBlock;
  /** The chain whose rules its header follows. */
  readonly chain: ChainDescription;
}

/** A complete block that has joined the chain or left it. */
export interface CompleteBlockHandle {
  /** Key under which the decoded block is cached. */
  readonly key: string;
  readonly number: number;
  readonly hash: Uint8Array;
  readonly reader: BlockReader;
  /** True if only its header is known, because the block contains something unsupported. */
  readonly isHeaderAlone?: true;
}

/** A block that is searched for logs, opened when its turn comes, whatever has become of the chain. */
export interface LogSearchBlock {
  /** Returns the header's bloom filter, if the block is complete. */
  readonly bloom: () => Uint8Array | null;
  /** Opens the block; `null` if it is no longer here. */
  readonly open: () => BlockWithLogs | null;
}
