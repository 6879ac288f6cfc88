// Where a frame stands among those that came before it: decided purely, as a named case. Runs on the publisher.
import { sameBytes } from '../../../lib/byte-map.js';
import type { Frame } from '../../streams/flashblocks/frame.js';

/** One build attempt of one block, as far as it is known. */
export interface Attempt {
  readonly block: number;
  readonly payloadId: string;
  /** Increment i at place i, from 0 on without a hole. */
  readonly frames: readonly Frame[];
  /**
   * `open`: nothing is missing. `interrupted`: the connection was lost after the last increment, more of them may have
   * been sent. `broken`: the next increments are missing; those here are right. `rejected`: not to be used at all.
   */
  readonly state: 'open' | 'interrupted' | 'broken' | 'rejected';
}

/** What a frame is compared with. */
export interface SequenceState {
  /** The newest canonical block; `null` while none is known. */
  readonly canonical: { readonly number: number; readonly hash: Uint8Array } | null;
  /** One for each block that is not canonical yet, by ascending number. */
  readonly attempts: readonly Attempt[];
}

/** Where a frame stands among those before it. */
export type SequenceCase =
  /** Index 0 of a block that was not open: its parent is pre-confirmed or canonical. */
  | { readonly kind: 'opens' }
  /** Index 0 of a block whose parent is not here yet: to be kept until it is. */
  | { readonly kind: 'ahead' }
  /** Index 0 of another attempt (or another beginning) of a block that is open: it and all above it begin anew. */
  | { readonly kind: 'replaces'; readonly payloadId: string }
  /** The next increment of the newest block. */
  | { readonly kind: 'next' }
  /** An increment that is here already. */
  | { readonly kind: 'duplicate' }
  /** An increment that is here already, with other content: the attempt cannot be trusted. */
  | { readonly kind: 'conflict' }
  /** Increments of the newest block are missing. */
  | { readonly kind: 'gap'; readonly expected: number; readonly actual: number }
  /** A later increment of an attempt that has a gap or was rejected. */
  | { readonly kind: 'afterGap' }
  /** A follower of another attempt than the one that opened the block. */
  | { readonly kind: 'otherPayload'; readonly expected: string }
  /** A follower of a block whose opening never came. */
  | { readonly kind: 'unopened' }
  /** Of a block that is canonical already, or an increment of a block that a later one was built on. */
  | { readonly kind: 'stale' };

/** The case of `frame`. Index 0 always (re)opens its block; followers count by block number and payload id together. */
export function sequence(state: SequenceState, frame: Frame): SequenceCase {
  if (state.canonical !== null && frame.blockNumber <= state.canonical.number) return { kind: 'stale' };
  const attempt = state.attempts.find(({ block }) => block === frame.blockNumber);
  return frame.index === 0 ? opening(state, attempt, frame) : follower(state, attempt, frame);
}

function opening(state: SequenceState, attempt: Attempt | undefined, frame: Frame): SequenceCase {
  if (attempt === undefined) return { kind: hasParent(state, frame) ? 'opens' : 'ahead' };
  const usable = attempt.state === 'open' || attempt.state === 'interrupted';
  if (usable && attempt.payloadId === frame.payloadId && sameIncrement(attempt.frames[0]!, frame))
    return { kind: 'duplicate' };
  return { kind: 'replaces', payloadId: attempt.payloadId };
}

/** The hash of a pre-confirmed parent is not known yet: it is checked when that block is canonical. */
function hasParent({ canonical, attempts }: SequenceState, { blockNumber, base }: Frame): boolean {
  const parent = blockNumber - 1;
  if (canonical?.number === parent) return sameBytes(canonical.hash, base!.parentHash);
  return attempts.some(({ block, state }) => block === parent && state === 'open');
}

function follower({ attempts }: SequenceState, attempt: Attempt | undefined, frame: Frame): SequenceCase {
  if (attempt === undefined) return { kind: 'unopened' };
  if (attempt.payloadId !== frame.payloadId) return { kind: 'otherPayload', expected: attempt.payloadId };
  if (attempt.state === 'broken' || attempt.state === 'rejected') return { kind: 'afterGap' };
  const expected = attempt.frames.length;
  if (frame.index < expected)
    return { kind: sameIncrement(attempt.frames[frame.index]!, frame) ? 'duplicate' : 'conflict' };
  if (attempt !== attempts.at(-1)) return { kind: 'stale' };
  return frame.index === expected ? { kind: 'next' } : { kind: 'gap', expected, actual: frame.index };
}

/** Whether two frames of the same coordinates say the same about what is executed. */
function sameIncrement(a: Frame, b: Frame): boolean {
  if (a.gasUsed !== b.gasUsed || a.transactions.length !== b.transactions.length) return false;
  return sameBase(a, b) && a.transactions.every((raw, index) => sameBytes(raw, b.transactions[index]!));
}

function sameBase({ base: a }: Frame, { base: b }: Frame): boolean {
  if (a === null || b === null) return a === b;
  return (
    sameBytes(a.parentHash, b.parentHash) &&
    sameBytes(a.prevRandao, b.prevRandao) &&
    sameBytes(a.feeRecipient, b.feeRecipient) &&
    sameBytes(a.extraData, b.extraData) &&
    sameBytes(a.parentBeaconBlockRoot, b.parentBeaconBlockRoot) &&
    a.timestamp === b.timestamp &&
    a.gasLimit === b.gasLimit &&
    a.baseFeePerGas === b.baseFeePerGas
  );
}
