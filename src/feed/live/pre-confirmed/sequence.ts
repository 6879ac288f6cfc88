// The place of an increment among those that came before it: decided purely, as a named case. Runs on the publisher.
import { isDeepStrictEqual } from 'node:util';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import type { Appending, BlockBase, Increment, Opening, ToldIncrement } from '../../stream.js';

/** One build attempt of one block, as far as it is known. */
export interface Attempt {
  readonly block: number;
  readonly name: string;
  readonly base: BlockBase;
  /** Increment i at place i, from 0 on without a hole. */
  readonly increments: readonly Increment[];
  /**
   * `open`: nothing is missing. `interrupted`: the connection was lost after the last increment, more of them may have
   * been sent. `broken`: the next increments are missing, and may still come; those here are right. `rejected`: not to be used at
   * all.
   */
  readonly state: 'open' | 'interrupted' | 'broken' | 'rejected';
}

/** Compared with an increment. */
export interface SequenceState {
  /** The newest canonical block; `null` while none is known. */
  readonly canonical: { readonly number: number; readonly hash: Uint8Array } | null;
  /** One for each block that is not canonical yet, by ascending number. */
  readonly attempts: readonly Attempt[];
}

/** The place of an increment among those before it. */
export type SequenceCase =
  /** Index 0 of a block that was not open: its parent is pre-confirmed or canonical. */
  | { readonly kind: 'opens' }
  /** Index 0 of a block whose parent is not here yet: to be kept until it is. */
  | { readonly kind: 'ahead' }
  /** Index 0 of another attempt (or another beginning) of a block that is open: it and all above it begin anew. */
  | { readonly kind: 'replaces' }
  /** The next increment of its block; of a block that a later one was built on: one that was missing. */
  | { readonly kind: 'next' }
  /** An increment that is here already. */
  | { readonly kind: 'duplicate' }
  /** An increment that is here already, with other content: the attempt cannot be trusted. */
  | { readonly kind: 'conflict' }
  /** Increments before it are missing. */
  | { readonly kind: 'gap'; readonly expected: number }
  /** An increment beyond a gap that is known: to be kept until what is missing comes. */
  | { readonly kind: 'afterGap' }
  /** A follower of an attempt that was rejected. */
  | { readonly kind: 'useless' }
  /** A follower of another attempt than the one that opened the block. */
  | { readonly kind: 'otherAttempt' }
  /** A follower of a block whose opening never came. */
  | { readonly kind: 'unopened' }
  /** Of a block that is canonical already. */
  | { readonly kind: 'stale' };

/** The case of `told`. An opening always (re)opens its block; followers count by block number and attempt together. */
export function sequence(state: SequenceState, told: ToldIncrement): SequenceCase {
  if (state.canonical !== null && told.block <= state.canonical.number) return { kind: 'stale' };
  const attempt = state.attempts.find(({ block }) => block === told.block);
  return told.kind === 'open' ? opening(state, attempt, told) : follower(attempt, told);
}

function opening(state: SequenceState, attempt: Attempt | undefined, told: Opening): SequenceCase {
  if (attempt === undefined) return { kind: hasParent(state, told) ? 'opens' : 'ahead' };
  const first = { block: attempt.block, attempt: attempt.name, base: attempt.base, increment: attempt.increments[0]! };
  return { kind: attempt.state !== 'rejected' && isSameOpening(first, told) ? 'duplicate' : 'replaces' };
}

/** Two openings say the same of the same attempt. */
export function isSameOpening(a: Opening, b: Opening): boolean {
  return a.attempt === b.attempt && isDeepStrictEqual(a.base, b.base) && sameIncrement(a.increment, b.increment);
}

/** The hash of a pre-confirmed parent is not known yet: it is checked when that block is canonical. */
function hasParent({ canonical, attempts }: SequenceState, told: Opening): boolean {
  const parent = told.block - 1;
  const { parentHash } = told.base;
  if (canonical?.number === parent) return parentHash === null || sameBytes(canonical.hash, parentHash);
  return parentHash !== null && attempts.some(({ block, state }) => block === parent && state === 'open');
}

function follower(attempt: Attempt | undefined, { attempt: name, increment }: Appending): SequenceCase {
  if (attempt === undefined) return { kind: 'unopened' };
  if (attempt.name !== name) return { kind: 'otherAttempt' };
  if (attempt.state === 'rejected') return { kind: 'useless' };
  const expected = attempt.increments.length;
  const known = attempt.increments[increment.index];
  if (known !== undefined) return { kind: sameIncrement(known, increment) ? 'duplicate' : 'conflict' };
  if (increment.index === expected) return { kind: 'next' };
  return attempt.state === 'broken' ? { kind: 'afterGap' } : { kind: 'gap', expected };
}

/** Two increments of the same coordinates say the same about what is executed. */
function sameIncrement(a: Increment, b: Increment): boolean {
  if (a.gasUsed !== b.gasUsed || a.transactions.length !== b.transactions.length) return false;
  const isSame = a.transactions.every((raw, index) => sameBytes(raw, b.transactions[index]!));
  return isSame && isDeepStrictEqual(a.outcome, b.outcome);
}
