// Completes the environment of a pre-confirmed block: fields that its feed does not send are derived from its parent.
// Pure.
import { nextSlotNumber, type Header } from '../../../chain/block/header.js';
import { nextBaseFeeOnChain } from '../../../chain/base-fee.js';
import type { BlockPlan } from '../../../execution/block/block-executor.js';
import { nextExcessBlobGas } from '../../../execution/block/header-validation.js';
import type { BlockEnv } from '../../../state/state-diff.js';
import type { PayloadBase } from '../../pre-confirmation-stream-events.js';
import type { ForkScheduleTracker } from '../rules/fork-schedule-tracker.js';
import { ZERO_WORD } from '../../../lib/bytes/big-endian.js';

/** Everything that is needed to open a pre-confirmed block. */
export type BlockAttributes = Pick<BlockPlan, 'env' | 'parentHash' | 'extraData'>;

/** What is known about a block's parent. A field is `null` if unknown, as for a parent that is itself pre-confirmed. */
export interface KnownParent {
  readonly hash: Uint8Array | null;
  readonly header: Header | null;
}

type Expected = Omit<BlockEnv, 'number' | 'timestamp' | 'excessBlobGas'>;

/** Returns a block's attributes; `null` if an attribute is neither sent by the feed nor determined by the parent. */
export function blockAttributesOf(
  { parentHash, extraData, env }: PayloadBase,
  parent: KnownParent,
  rules: ForkScheduleTracker,
): BlockAttributes | null {
  const { hash, header } = parent;
  const fork = rules.at(env.number, env.timestamp);
  const excessBlobGas = header === null ? 0n : nextExcessBlobGas(header, fork);
  const whole: Partial<BlockEnv> = {
    ...(header === null ? {} : expectedAfter(header, rules)),
    ...(header === null ? {} : nextSlotNumber(header, fork)),
    ...env,
    excessBlobGas,
  };
  const extra = extraData ?? header?.extraData;
  const parentOrNull = parentHash ?? hash;
  if (!isWhole(whole) || extra === undefined || parentOrNull === null) return null;
  return { parentHash: parentOrNull, extraData: extra, env: whole };
}

/**
 * Returns the environment expected for the block after `parent`: the base fee as computed, the other fields as in
 * `parent`.
 */
function expectedAfter(parent: Header, { chain }: ForkScheduleTracker): Expected {
  const { gasLimit, coinbase, mixHash, parentBeaconBlockRoot } = parent;
  return {
    gasLimit,
    baseFeePerGas: nextBaseFeeOnChain(chain, parent),
    coinbase,
    prevRandao: mixHash,
    difficulty: 0n,
    parentBeaconBlockRoot: parentBeaconBlockRoot ?? ZERO_WORD,
  };
}

/** Returns true if the environment is complete. A feed sends either all of its fields or none. */
function isWhole(env: Partial<BlockEnv>): env is BlockEnv {
  return env.gasLimit !== undefined;
}
