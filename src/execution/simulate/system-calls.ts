// Calls that a simulated block makes by itself: at its beginning, and for its execution requests at its end. Runs on
// the estimators.
import {
  CONSOLIDATION_REQUESTS,
  depositRequests,
  DEPOSIT_CONTRACT,
  NO_REQUESTS,
  requestsHash,
  WITHDRAWAL_REQUESTS,
} from '../../chain/block/execution-requests.js';
import { BEACON_ROOTS, BLOCK_HASHES } from '../../chain/system-contracts.js';
import type { Log } from '../../state/block.js';
import { BrokenOff } from '../broken-off.js';
import type { CallScene } from '../call/sequence.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { callSystemContract } from '../system-call.js';

const NOTHING = new Uint8Array(0);

/** EIP-4788, EIP-2935: gives the contracts the beacon root and the parent's hash. */
export async function beginBlock(parentHash: Uint8Array, scene: CallScene, state: JournaledState): Promise<void> {
  const { common } = scene.rules;
  if (common.isActivatedEIP(4788)) await call(BEACON_ROOTS, scene.context.env.parentBeaconBlockRoot, scene, state);
  if (common.isActivatedEIP(2935)) await call(BLOCK_HASHES, parentHash, scene, state);
}

/** The hash over the block's requests (EIP-7685); `null` before Prague. A contract that is not there, or fails, has none. */
export async function requestsOf(
  logs: readonly Log[],
  depositContract: Uint8Array | null,
  scene: CallScene,
  state: JournaledState,
): Promise<Uint8Array | null> {
  if (!scene.rules.common.isActivatedEIP(7685)) return null;
  if (scene.rules.op !== null) return NO_REQUESTS;
  const deposits = depositRequests(logs, depositContract ?? DEPOSIT_CONTRACT) ?? NOTHING;
  const withdrawals = await call(WITHDRAWAL_REQUESTS, NOTHING, scene, state);
  return requestsHash([deposits, withdrawals, await call(CONSOLIDATION_REQUESTS, NOTHING, scene, state)]);
}

/** The output; nothing where there is no code, or it fails or is broken off, which changes nothing. */
async function call(to: Uint8Array, data: Uint8Array, scene: CallScene, state: JournaledState): Promise<Uint8Array> {
  state.mark();
  try {
    const { output } = await callSystemContract(to, data, { ...scene, state });
    state.keep();
    return output ?? NOTHING;
  } catch (error) {
    state.undoAll();
    if (error instanceof BrokenOff) return NOTHING;
    throw error;
  }
}
