// A version on which watched calls are brought up to date: where `pending` and `latest` stand in it. Runs on main.
import { activeFork } from '../../chain/forks.js';
import type { ChainDescription } from '../../chain/spec.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { BlockEnv } from '../../state/diff.js';
import { accountName } from '../../state/views/reads.js';
import type { ReadView } from '../view/read-view.js';
import type { Tag } from './watched-call.js';

/** State and block that a tag stands for. */
export interface TagPoint {
  /** Version of the table. */
  readonly version: number;
  /** All of the block environment, to be compared. */
  readonly environment: string;
  /** Fork and gas limit, which the rules of any call take from it. */
  readonly rules: string;
  /** Name of the fee recipient, which is warm in every call (EIP-3651). */
  readonly feeRecipient: string;
}

/** A version and what the tags stand for in it. */
export interface WatchPoint extends Readonly<Record<Tag, TagPoint>> {
  /** Version of the table. */
  readonly version: number;
  /** JSON of where it stands, as in messages of `stateChanges`. */
  readonly position: string;
}

/** The point of the version that the read view has pinned. `version`: the same as events count it. Throws VersionNotKept. */
export function pointOf(readView: ReadView, chain: ChainDescription, version: number): WatchPoint {
  const { pinned } = readView;
  const { block, index, hash } = pinned.record.coordinates;
  const place = {
    block: toQuantity(block),
    index: toQuantity(index),
    hash: hash === null ? null : toHex(hash),
    version,
  };
  return {
    version: pinned.version,
    position: JSON.stringify(place),
    pending: tagPoint(pinned.version, readView, chain),
    latest: tagPoint(pinned.record.latestVersion, readView, chain),
  };
}

function tagPoint(version: number, readView: ReadView, { forks }: ChainDescription): TagPoint {
  const { env } = readView.stateAt(version);
  return {
    version,
    environment: environmentOf(env),
    rules: `${activeFork(forks, env.number, env.timestamp)} ${env.gasLimit}`,
    feeRecipient: accountName(env.coinbase),
  };
}

function environmentOf(env: BlockEnv): string {
  const { number, timestamp, gasLimit, baseFeePerGas, difficulty, excessBlobGas } = env;
  const { coinbase, prevRandao, parentBeaconBlockRoot, slotNumber } = env;
  const words = [coinbase, prevRandao, parentBeaconBlockRoot].map(toHex);
  return [number, timestamp, gasLimit, baseFeePerGas, difficulty, excessBlobGas, slotNumber, ...words].join();
}
