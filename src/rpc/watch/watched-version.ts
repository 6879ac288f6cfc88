// A state version at which watched calls are updated, and what `pending` and `latest` refer to in it.
import { activeForkIndex } from '../../chain/active-forks.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import { toHex } from '../../lib/bytes/hex.js';
import type { BlockEnv } from '../../state/state-diff.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import { versionPosition } from '../push/subscription-topic-messages.js';
import type { ReadView } from '../view/pinned-read-view.js';
import type { WatchedTag } from './run-watched-call.js';

/** The state and block to which a block tag refers. */
export interface TagState {
  /** Number of the version in the state table. */
  readonly version: number;
  /** The whole block environment as a string, to see whether it has changed. */
  readonly environment: string;
  /** Fork and gas limit of the block, on which the result of any call depends. */
  readonly rules: string;
  /**
   * Key of the fee recipient's account among the keys that a call has read. That account is warm in every call
   * (EIP-3651).
   */
  readonly feeRecipient: string;
}

/** A state version, and what the block tags refer to in it. */
export interface VersionWithTags extends Readonly<Record<WatchedTag, TagState>> {
  /** Number of the version in the state table. */
  readonly version: number;
  /** Position of the version as JSON, as in messages of the topic `stateChanges`. */
  readonly position: string;
}

/** Describes the pinned version. `version` is its number in chain events. Throws `VersionNotKept`. */
export function versionWithTagsOf(readView: ReadView, chain: ChainDescription, version: number): VersionWithTags {
  const { pinned } = readView;
  return {
    version: pinned.version,
    position: JSON.stringify(versionPosition(pinned.record.coordinates, version)),
    pending: tagPoint(pinned.version, readView, chain),
    latest: tagPoint(pinned.record.latestVersion, readView, chain),
  };
}

function tagPoint(version: number, readView: ReadView, { forks }: ChainDescription): TagState {
  const { env } = readView.stateAt(version);
  return {
    version,
    environment: environmentOf(env),
    rules: `${activeForkIndex(forks, env.number, env.timestamp)} ${env.gasLimit}`,
    feeRecipient: latin1Key(env.coinbase),
  };
}

function environmentOf(env: BlockEnv): string {
  const { number, timestamp, gasLimit, baseFeePerGas, difficulty, excessBlobGas } = env;
  const { coinbase, prevRandao, parentBeaconBlockRoot, slotNumber } = env;
  const words = [coinbase, prevRandao, parentBeaconBlockRoot].map(toHex);
  return [number, timestamp, gasLimit, baseFeePerGas, difficulty, excessBlobGas, slotNumber, ...words].join();
}
