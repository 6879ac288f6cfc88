// By which way a block comes into the state: executed here, or taken as a diff. Decided per block, in this one place.
// Pure.

import type { FollowBy } from '../options.js';

/** Sources of diffs, the most trusted first: a list is checked against its header. */
export type DiffSource = 'accessList' | 'prestate';

/**
 * Way on which a block goes on from its parent. `reason`: why it is not the one that the setting asks for; `null`: it
 * is.
 */
export type BlockSourceOn =
  | { readonly by: 'execution'; readonly reason: string | null }
  | { readonly by: 'diff'; readonly source: DiffSource; readonly reason: string | null };

/**
 * Way of one block. `beginning`: it cannot be executed, and does not come as a diff, for the reason given: the state
 * begins anew.
 */
export type DiffBlockSource = BlockSourceOn | { readonly by: 'beginning'; readonly reason: string | null };

/** Methods of the node; `null`: not asked for yet. */
export interface OfferedDiffs {
  /** `eth_getBlockAccessList`. */
  readonly accessList: boolean | null;
  /** `debug_traceBlockByHash` with prestateTracer. */
  readonly prestate: boolean | null;
}

/** A block as far as its way depends on it. */
export interface BlockNature {
  /** Its header has the hash of an access list. */
  readonly hasAccessList: boolean;
  /** A fork, a header field or a type of transaction that is not known here; `null`: all is known. */
  readonly unknown: string | null;
  /** It runs code that is not the EVM's. */
  readonly isNonEvm: boolean;
}

const SOURCES: readonly DiffSource[] = ['accessList', 'prestate'];
const NO_SOURCE =
  'the upstream node offers no eth_getBlockReceipts beside eth_getBlockAccessList or debug_traceBlockByHash';
const NON_EVM = "it runs code that is not the EVM's";

/** `repeated`: a kind of mismatch that has come again and again; `null`: none has. */
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
