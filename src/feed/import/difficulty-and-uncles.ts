// Rules for blocks before the merge: the difficulty, computed from the parent, and uncles. The proof of work itself is
// not checked. Pure.
import { EMPTY_UNCLES_HASH, encodeHeader, type Header } from '../../chain/block/header.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { maxBigInt } from '../../lib/min-max-bigint.js';

/** An ancestor block, with the fields that are needed to check the uncles of later blocks. */
export interface UncleAncestor {
  readonly hash: Uint8Array;
  readonly header: Header;
  readonly uncles: readonly Header[];
}

/** An uncle's parent must be among this many ancestors of the block that includes the uncle (yellow paper 11.1). */
export const UNCLE_ANCESTOR_DEPTH = 7;
/** Largest number of uncles that a block may include (yellow paper 11.1). */
const UNCLES_MAX = 2;

const DIFFICULTY_MIN = 131_072n;
const DIFFICULTY_DIVISOR = 2048n;
/** Number of blocks after which the difficulty bomb doubles (yellow paper 4.3.4). */
const BOMB_PERIOD = 100_000n;
/** The most by which one block can lower the difficulty, as a multiple of the parent's difficulty / 2048. */
const FALL_MAX = -99n;
/** By how many blocks each fork delays the difficulty bomb (EIP-5133, 4345, 3554, 2384, 1234, 649). */
const BOMB_DELAYS: readonly (readonly [fork: string, blocks: bigint])[] = [
  ['grayGlacier', 11_400_000n],
  ['arrowGlacier', 10_700_000n],
  ['london', 9_700_000n],
  ['muirGlacier', 9_000_000n],
  ['constantinople', 5_000_000n],
  ['byzantium', 3_000_000n],
];

/**
 * Returns the difficulty of the block after `parent` at this time, by the block's fork (yellow paper 4.3.4, EIP-2,
 * EIP-100).
 */
export function nextDifficulty(parent: Header, timestamp: bigint, rules: ForkRules): bigint {
  const moved = parent.difficulty + (parent.difficulty / DIFFICULTY_DIVISOR) * pace(parent, timestamp, rules);
  const delay = BOMB_DELAYS.find(([fork]) => rules.common.gteHardfork(fork))?.[1] ?? 0n;
  const period = (BigInt(parent.number + 1) - delay) / BOMB_PERIOD;
  return maxBigInt(moved, DIFFICULTY_MIN) + (period > 1n ? 2n ** (period - 2n) : 0n);
}

/**
 * Returns the change of the difficulty, as a multiple of the parent's difficulty / 2048. It is positive if the block
 * came soon after its parent.
 */
function pace({ timestamp: before, unclesHash }: Header, timestamp: bigint, { common }: ForkRules): bigint {
  const seconds = timestamp - before;
  if (!common.gteHardfork('homestead')) return seconds < 13n ? 1n : -1n;
  if (!common.gteHardfork('byzantium')) return maxBigInt(1n - seconds / 10n, FALL_MAX);
  const most = sameBytes(unclesHash, EMPTY_UNCLES_HASH) ? 1n : 2n;
  return maxBigInt(most - seconds / 9n, FALL_MAX);
}

/**
 * Returns what is wrong with a block's uncles as one line, or `null`. `ancestors` are the blocks before it, its parent
 * first. `headerMismatch` returns how an uncle's header contradicts its parent.
 */
export function unclesMismatch(
  block: UncleAncestor,
  ancestors: readonly UncleAncestor[],
  headerMismatch: (uncle: Header, parent: Header) => string | null,
): string | null {
  if (block.uncles.length > UNCLES_MAX) return `${block.uncles.length} uncles, at most ${UNCLES_MAX} are allowed`;
  const near = ancestors.slice(0, UNCLE_ANCESTOR_DEPTH);
  const included = new Set(near.flatMap(({ uncles }) => uncles.map(hashOf)));
  const own = new Set([block, ...near].map(({ hash }) => toHex(hash)));
  for (const uncle of block.uncles) {
    const hash = hashOf(uncle);
    if (included.has(hash)) return `uncle ${hash} is included already`;
    if (own.has(hash)) return `uncle ${hash} is an ancestor`;
    included.add(hash);
    const parent = near.slice(1).find((ancestor) => sameBytes(ancestor.hash, uncle.parentHash));
    if (parent === undefined)
      return `uncle ${hash} does not stand beside one of the last ${UNCLE_ANCESTOR_DEPTH - 1} blocks`;
    const mismatch = headerMismatch(uncle, parent.header);
    if (mismatch !== null) return `uncle ${hash}: ${mismatch}`;
  }
  return null;
}

function hashOf(header: Header): string {
  return toHex(keccak256(encodeHeader(header)));
}
