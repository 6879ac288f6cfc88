// A number that tells trees of calls apart: how each frame ended, at its depth, in the order of their ends. The kernel
// counts the same (assembly/execution.ts).

// The tree of calls is kept where code looks at its gas. See DECISIONS.md.
import { REFUSED, HALT, REVERT, SUCCESS } from './kernel/assembly/shared/status.js';

/** The end of a call; `refused`: it has begun no frame, for want of balance, depth or a nonce. */
export type FrameEnd = 'success' | 'revert' | 'halt' | 'refused';

const CODES: Readonly<Record<FrameEnd, number>> = { success: SUCCESS, revert: REVERT, halt: HALT, refused: REFUSED };
const MULTIPLIER = 0x9e37_79b9_7f4a_7c15n;

/** The tree once the call of a frame has ended; `depth`: of that frame, 0 for who calls the outermost one. */
export function withEnd(tree: bigint, depth: number, end: FrameEnd): bigint {
  return BigInt.asUintN(64, (tree + BigInt((depth << 5) | CODES[end]) + 1n) * MULTIPLIER);
}

/** The tree as JavaScript holds it exactly. */
export function treeNumber(tree: bigint): number {
  return Number(tree >> 11n);
}

/** One frame that succeeds and calls nobody. */
export const SINGLE_FRAME: number = treeNumber(withEnd(0n, 0, 'success'));
