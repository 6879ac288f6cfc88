// Computes a fingerprint of a message's tree of calls: how each call frame ended and at which depth, in the order in
// which they ended. The kernel computes the same number (assembly/execution-wide-state.ts).

// Gas estimates of code that reads its remaining gas compare fingerprints: if those of two runs with different gas
// limits are equal, the runs count as equal. See DECISIONS.md.
import { FRAME_NOT_STARTED, HALT, REVERT, SUCCESS } from './kernel/assembly/shared/status.js';

/** How a call ended. `refused`: no frame was started, because of balance, depth or nonce. */
export type FrameEndStatus = 'success' | 'revert' | 'halt' | 'refused';

const CODES: Readonly<Record<FrameEndStatus, number>> = {
  success: SUCCESS,
  revert: REVERT,
  halt: HALT,
  refused: FRAME_NOT_STARTED,
};
const MULTIPLIER = 0x9e37_79b9_7f4a_7c15n;

/**
 * Adds the end of a call to the fingerprint. `depth` is the depth of the calling frame; 0 is the caller of the
 * outermost frame.
 */
export function addFrameEnd(tree: bigint, depth: number, end: FrameEndStatus): bigint {
  return BigInt.asUintN(64, (tree + BigInt((depth << 5) | CODES[end]) + 1n) * MULTIPLIER);
}

/** Reduces the fingerprint to a number that JavaScript represents exactly. */
export function callTreeHashToNumber(tree: bigint): number {
  return Number(tree >> 11n);
}

/** Fingerprint of a single frame that succeeds and makes no calls. */
export const SINGLE_FRAME_FINGERPRINT: number = callTreeHashToNumber(addFrameEnd(0n, 0, 'success'));
