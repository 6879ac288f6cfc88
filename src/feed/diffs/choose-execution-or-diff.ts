// Decides for a single block whether its changes are computed by execution or taken from a diff of the node. Pure.

import type { BlockApplicationMode } from '../chain-source-options.js';

/** Sources of diffs, the most trusted one first: an access list can be verified by the hash in the header. */
export type DiffSource = 'accessList' | 'prestate';

/**
 * How a block with a known parent is applied. `reason` says why this is not what the configured mode normally does;
 * `null` if it is.
 */
export type BlockApplication =
  | { readonly by: 'execution'; readonly reason: string | null }
  | { readonly by: 'diff'; readonly source: DiffSource; readonly reason: string | null };

/**
 * How a block is applied. `beginning`: the block can neither be executed nor applied as a diff, so the whole state is
 * dropped and loaded anew.
 */
export type BlockApplicationOrResync = BlockApplication | { readonly by: 'beginning'; readonly reason: string | null };

/**
 * Why a block was not applied. `mismatch`: it contradicts our state or the rules. `refused`: the node does not offer
 * the source of its diff. `foreign`: it runs non-EVM code, which does not mean that our state is wrong.
 */
export interface NotAppliedReason {
  readonly kind: 'mismatch' | 'refused' | 'foreign';
  readonly reason: string;
}

/** Which RPC methods for diffs the node offers; `null` for a method that was not tried yet. */
export interface OfferedDiffMethods {
  /** Whether the node offers `eth_getBlockAccessList`. */
  readonly accessList: boolean | null;
  /** Whether the node offers `debug_traceBlockByHash` with prestateTracer. */
  readonly prestate: boolean | null;
}

/** The properties of a block that decide how it is applied. */
export interface BlockTraits {
  /** True if the block's header contains the hash of an access list. */
  readonly hasAccessList: boolean;
  /** A fork, header field or transaction type of the block that is unknown to us; `null` if everything is known. */
  readonly unknown: string | null;
  /** True if the block runs code that is not EVM code. */
  readonly isNonEvm: boolean;
}

const SOURCES: readonly DiffSource[] = ['accessList', 'prestate'];
const NO_SOURCE =
  'the upstream node offers no eth_getBlockReceipts beside eth_getBlockAccessList or debug_traceBlockByHash';
const NON_EVM = "it runs code that is not the EVM's";

/**
 * Chooses how a block is applied. `repeated` names a kind of mismatch that keeps occurring; `null` if there is none.
 */
export function chooseExecutionOrDiff(
  setting: BlockApplicationMode,
  block: BlockTraits,
  offered: OfferedDiffMethods,
  repeated: string | null,
): BlockApplicationOrResync {
  const { unknown } = block;
  const obstacle = unknown ?? (block.isNonEvm ? NON_EVM : null);
  if (setting === 'execution') return obstacle === null ? executed(null) : { by: 'beginning', reason: null };
  const wish = obstacle ?? repeated;
  if (setting === 'auto' && wish === null) return executed(null);
  const source = SOURCES.find((name) => offered[name] !== false && (name !== 'accessList' || block.hasAccessList));
  if (source !== undefined) return { by: 'diff', source, reason: wish };
  return obstacle === null ? executed(NO_SOURCE) : { by: 'beginning', reason: NO_SOURCE };
}

function executed(reason: string | null): BlockApplicationOrResync {
  return { by: 'execution', reason };
}
