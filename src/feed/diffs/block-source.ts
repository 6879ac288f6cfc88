// How a block's changes come into the state: executed here, or applied as a diff. Decided per block, in this one place.
// Pure.

import type { FollowBy } from '../options.js';

/** Sources of diffs, the most trusted first: a list is checked against its header. */
export type DiffSource = 'accessList' | 'prestate';

/**
 * How a block that extends its parent is applied. `reason`: why not by the mode that the setting asks for; `null`: it
 * is.
 */
export type BlockSourceOn =
  | { readonly by: 'execution'; readonly reason: string | null }
  | { readonly by: 'diff'; readonly source: DiffSource; readonly reason: string | null };

/**
 * How one block is applied. `beginning`: it can neither be executed nor, for the given reason, be applied as a diff:
 * the state is resynced.
 */
export type DiffBlockSource = BlockSourceOn | { readonly by: 'beginning'; readonly reason: string | null };

/** Methods that the node offers; `null`: not tried yet. */
export interface OfferedDiffs {
  /** `eth_getBlockAccessList`. */
  readonly accessList: boolean | null;
  /** `debug_traceBlockByHash` with prestateTracer. */
  readonly prestate: boolean | null;
}

/** What the choice of a source depends on. */
export interface BlockNature {
  /** Its header has the hash of an access list. */
  readonly hasAccessList: boolean;
  /** A fork, a header field or a type of transaction that is unknown; `null`: all is known. */
  readonly unknown: string | null;
  /** It runs non-EVM code. */
  readonly isNonEvm: boolean;
}

const SOURCES: readonly DiffSource[] = ['accessList', 'prestate'];
const NO_SOURCE =
  'the upstream node offers no eth_getBlockReceipts beside eth_getBlockAccessList or debug_traceBlockByHash';
const NON_EVM = "it runs code that is not the EVM's";

/** `repeated`: a kind of mismatch that keeps coming; `null`: none does. */
export function blockSourceOf(
  setting: FollowBy,
  block: BlockNature,
  offered: OfferedDiffs,
  repeated: string | null,
): DiffBlockSource {
  const { unknown } = block;
  const obstacle = unknown ?? (block.isNonEvm ? NON_EVM : null);
  if (setting === 'execution') return obstacle === null ? executed(null) : { by: 'beginning', reason: null };
  const wish = obstacle ?? repeated;
  if (setting === 'auto' && wish === null) return executed(null);
  const source = SOURCES.find((name) => offered[name] !== false && (name !== 'accessList' || block.hasAccessList));
  if (source !== undefined) return { by: 'diff', source, reason: wish };
  return obstacle === null ? executed(NO_SOURCE) : { by: 'beginning', reason: NO_SOURCE };
}

function executed(reason: string | null): DiffBlockSource {
  return { by: 'execution', reason };
}
