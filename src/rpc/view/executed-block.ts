// Blocks that were executed, whole or in part, as their transactions, receipts and logs show them. Runs on main.
import type { OpRules } from '../../chain/op/forks.js';
import type { ChainDescription } from '../../chain/spec.js';
import type { LoggedTransaction } from '../../state/archive/format/logged-transaction.js';
import type { ConfirmedTransaction } from '../../state/block.js';
import type { L1Attributes } from '../../transaction/op/l1-attributes.js';
import type { BlockReader } from './chain-blocks.js';
import type { BlockSoFar } from './pre-confirmed-blocks.js';

/** A block that was executed, whole or in part. */
export interface ExecutedBlock {
  readonly number: number;
  /** `null` while it is not complete. */
  readonly hash: Uint8Array | null;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  /** Milliseconds since 1970, where the block says them (Base from Denim on). */
  readonly timestampMs: bigint | null;
  /** Wei per blob gas; 0 before Cancun. */
  readonly blobGasPrice: bigint;
  /**
   * Terms by which transactions pay for L1; `null` on other chains than those of the OP Stack, or where it is not
   * known.
   */
  readonly l1: L1Terms | null;
  readonly transactions: readonly ConfirmedTransaction[];
  /** RLP headers; of complete blocks before the merge alone. */
  readonly uncles: readonly Uint8Array[];
}

/** Terms by which the transactions of an OP-Stack block pay for L1. */
export interface L1Terms {
  readonly attributes: L1Attributes;
  readonly rules: OpRules;
}

/** A block as far as its logs need it. */
export type LoggedBlock = Pick<ExecutedBlock, 'number' | 'hash' | 'timestamp' | 'timestampMs'> & {
  readonly transactions: readonly LoggedTransaction[];
};

/** A transaction and the block that it is in. */
export interface Inclusion {
  readonly block: ExecutedBlock;
  readonly index: number;
}

/** A pre-confirmed block up to an increment. */
export interface AnnouncedBlock {
  readonly soFar: BlockSoFar;
  readonly block: ExecutedBlock;
  /** The rules of its header. */
  readonly chain: ChainDescription;
}

/** A complete block that came to the chain, or left it. */
export interface Placed {
  /** Key under which the block is kept decoded. */
  readonly key: string;
  readonly number: number;
  readonly hash: Uint8Array;
  readonly reader: BlockReader;
  /** True if there is no more than this: the block has something that is not known here. */
  readonly isHeaderAlone?: true;
}

/** A block whose logs are asked for: opened when it is its turn, whatever became of the chain meanwhile. */
export interface SearchedBlock {
  /** Bloom of the header, where the block is complete. */
  readonly bloom: () => Uint8Array | null;
  /** `null`: it is not here any more. */
  readonly open: () => LoggedBlock | null;
}
