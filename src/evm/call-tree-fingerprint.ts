// A number that identifies the tree of calls: how each frame ended, at which depth, in the order of their ends. The
// kernel computes the same number (assembly/execution.ts).

// The tree of calls is only computed where code reads its gas. See DECISIONS.md.
import { REFUSED, HALT, REVERT, SUCCESS } from './kernel/assembly/shared/status.js';

/** How a call ended. `refused`: no frame was started, because of balance, depth or nonce. */
export type FrameEnd = 'success' | 'revert' | 'halt' | 'refused';

const CODES: Readonly<Record<FrameEnd, number>> = { success: SUCCESS, revert: REVERT, halt: HALT, refused: REFUSED };
const MULTIPLIER = 0x9e37_79b9_7f4a_7c15n;

/** The tree after a frame at `depth` has ended a call of its own; 0 is the caller of the outermost frame. */
export function addFrameEnd(tree: bigint, depth: number, end: FrameEnd): bigint {
  return BigInt.asUintN(64, (tree + BigInt((depth << 5) | CODES[end]) + 1n) * MULTIPLIER);
}

/** The tree as a number that JavaScript represents exactly. */
export function callTreeFingerprint(tree: bigint): number {
  return Number(tree >> 11n);
}

/** The tree of a single frame that succeeds and makes no calls. */
export const SINGLE_FRAME_FINGERPRINT: number = callTreeFingerprint(addFrameEnd(0n, 0, 'success'));
