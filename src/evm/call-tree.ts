// A number that tells trees of calls apart: how each frame ended, at its depth, in the order of their ends. The kernel
// counts the same (assembly/execution.ts). Runs on publisher and estimators.

// Decision (2026-11, two cores): The tree of calls is kept where code looks at its gas. Who hands on `gas - 2500` or
// half of it, or reads GAS, has no need that one run tells. Then the search goes for the least limit at which every
// frame, at its depth, ends as at the highest one: success, revert, halt, or not begun. Engines count that as one
// number (`src/evm/call-tree.ts`). Before, a callee that wrote two slots was out of gas at its estimate: 24,453 where
// 68,533 does the work. Where that is not monotone, the answer is one of the limits at which it holds and with one less
// does not. Two ends are as good as equal: one by other frames that leaves the same state, logs and return data, and
// any success of code that makes as many calls as its gas allows, which shows as yet another tree with twice the cap:
// no end of it says more than another (`src/execution/call/estimate.ts`). It was estimated near the cap, at 29,656,020
// where 127,724 does. Price: the last bits of a hash, some 3 % of an ERC-20 estimate without HTTP; and runs at the cap
// and at twice the cap where code looks at its gas and the tracked need does not do.
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
