// The environment of a pre-confirmed block: what its feed sends, completed by what follows from its parent. Pure.
import { nextSlotNumber, type Header } from '../../../chain/block/header.js';
import { nextBaseFeeOnChain } from '../../../chain/base-fee.js';
import { nextExcessBlobGas } from '../../../execution/block/header-validation.js';
import type { BlockEnv } from '../../../state/state-diff.js';
import type { PayloadBase } from '../../stream-events.js';
import type { RuleHistory } from '../rules/rule-history.js';
import { ZERO_WORD } from '../../../lib/bytes/big-endian.js';

/** Everything that opening a block needs. */
export interface BlockAttributes {
  readonly parentHash: Uint8Array;
  readonly extraData: Uint8Array;
  readonly env: BlockEnv;
}

/** The parent of the block. A `null` field is unknown, as it is for a parent that is itself pre-confirmed. */
export interface KnownParent {
  readonly hash: Uint8Array | null;
  readonly header: Header | null;
}

type Expected = Omit<BlockEnv, 'number' | 'timestamp' | 'excessBlobGas'>;

/** The attributes of a block; `null` if something is neither sent nor known from the parent. */
export function blockAttributesOf(
  { parentHash, extraData, env }: PayloadBase,
  parent: KnownParent,
  rules: RuleHistory,
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

/** The environment that is expected for the next block: its base fee as computed, the other fields as in this block. */
function expectedAfter(parent: Header, { chain }: RuleHistory): Expected {
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

/** True if the environment is complete. Feeds send either all of it or nothing. */
function isWhole(env: Partial<BlockEnv>): env is BlockEnv {
  return env.gasLimit !== undefined;
}
