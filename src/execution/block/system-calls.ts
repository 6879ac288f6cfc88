// System calls of a block: at its start, and at its end for its execution requests.
import {
  depositRequestsInLogs,
  DEPOSIT_CONTRACT_ADDRESS,
  EMPTY_REQUESTS_HASH,
  requestQueueContracts,
  requestsHash,
} from '../../chain/block/execution-requests.js';
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../chain/block-start-system-contracts.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';
import type { Log } from '../../state/complete-block.js';
import type { SystemCallResult } from '../system-call.js';
import type { BlockPlan } from './seal-block.js';

/** Calls a system contract, and adds what the call reads to the block's access list. */
export type CallSystemContract = (address: Uint8Array, data: Uint8Array) => Promise<SystemCallResult>;

/** Makes the calls of EIP-4788 and EIP-2935. It is no error if they fail or find no code. */
export async function runBlockStartCalls(
  { common }: ForkRules,
  { env, parentHash }: Pick<BlockPlan, 'env' | 'parentHash'>,
  call: CallSystemContract,
): Promise<void> {
  if (common.isActivatedEIP(4788)) await call(BEACON_ROOTS_ADDRESS, env.parentBeaconBlockRoot);
  if (common.isActivatedEIP(2935)) await call(HISTORY_STORAGE_ADDRESS, parentHash);
}

/** Sources of a block's execution requests. The functions may throw an error to reject the block as invalid. */
interface RequestSources {
  readonly logs: readonly Log[];
  /** Address of the chain's deposit contract; `null` means the address that Ethereum uses. */
  readonly depositContract: Uint8Array | null;
  readonly call: CallSystemContract;
  /** Returns what to use as the deposit requests if a deposit event is malformed. */
  readonly malformedDeposits: () => Uint8Array;
  /** Returns the requests of the system contract `name` from the result of calling it. */
  readonly requestsOf: (name: string, result: SystemCallResult) => Uint8Array;
}

/** Returns the hash of the block's execution requests (EIP-7685); `null` before Prague. */
export async function executionRequestsHash(
  { common, op }: ForkRules,
  { logs, depositContract, call, malformedDeposits, requestsOf }: RequestSources,
): Promise<Uint8Array | null> {
  if (!common.isActivatedEIP(7685)) return null;
  if (op !== null) return EMPTY_REQUESTS_HASH;
  const requests = [depositRequestsInLogs(logs, depositContract ?? DEPOSIT_CONTRACT_ADDRESS) ?? malformedDeposits()];
  for (const { address, name } of requestQueueContracts(common))
    requests.push(requestsOf(name, await call(address, EMPTY_BYTES)));
  return requestsHash(requests);
}
