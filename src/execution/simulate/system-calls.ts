// System calls of a simulated block: at its start, and at its end for its execution requests.
import {
  depositRequestsInLogs,
  DEPOSIT_CONTRACT_ADDRESS,
  EMPTY_REQUESTS_HASH,
  requestQueues,
  requestsHash,
} from '../../chain/block/execution-requests.js';
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../chain/system-contracts.js';
import type { Log } from '../../state/complete-block.js';
import type { BlockAccessListBuilder } from '../block/block-access-list-builder.js';
import type { CallEnvironment } from '../call/call-sequence.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { callSystemContract } from '../system-call.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

export interface SystemCallDeps {
  readonly environment: CallEnvironment;
  readonly state: JournaledState;
  /** Records which accounts and slots a call has accessed; `null` if not needed. */
  readonly accesses: Pick<BlockAccessListBuilder, 'add'> | null;
}

/** Calls the system contracts of EIP-4788 and EIP-2935 with the beacon root and the parent's hash. */
export async function runBlockStartCalls(parentHash: Uint8Array, deps: SystemCallDeps): Promise<void> {
  const { rules, context } = deps.environment;
  if (rules.common.isActivatedEIP(4788)) await call(BEACON_ROOTS_ADDRESS, context.env.parentBeaconBlockRoot, deps);
  if (rules.common.isActivatedEIP(2935)) await call(HISTORY_STORAGE_ADDRESS, parentHash, deps);
}

/**
 * Returns the hash of the block's execution requests (EIP-7685); `null` before Prague. A missing or failing contract
 * counts as having no requests.
 */
export async function simulatedRequestsHash(
  logs: readonly Log[],
  depositContract: Uint8Array | null,
  deps: SystemCallDeps,
): Promise<Uint8Array | null> {
  const { common, op } = deps.environment.rules;
  if (!common.isActivatedEIP(7685)) return null;
  if (op !== null) return EMPTY_REQUESTS_HASH;
  const requests = [depositRequestsInLogs(logs, depositContract ?? DEPOSIT_CONTRACT_ADDRESS) ?? EMPTY_BYTES];
  for (const { address } of requestQueues(common)) requests.push(await call(address, EMPTY_BYTES, deps));
  return requestsHash(requests);
}

/** Calls a system contract and returns its output; empty if it has no code or fails, in which case nothing changes. */
async function call(
  to: Uint8Array,
  data: Uint8Array,
  { environment, state, accesses }: SystemCallDeps,
): Promise<Uint8Array> {
  state.mark();
  try {
    const { output, reads } = await callSystemContract(to, data, { ...environment, state });
    if (reads !== undefined) accesses?.add(reads);
    state.keep();
    return output ?? EMPTY_BYTES;
  } catch (error) {
    state.undoAll();
    throw error;
  }
}
