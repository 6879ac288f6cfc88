// Warms the program up after its start. V8 optimizes a function only after thousands of calls, so the first requests
// would take twice as long as later ones. See DECISIONS.md.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HISTORY_STORAGE_ADDRESS } from '../chain/block-start-system-contracts.js';
import { toHex, toQuantity } from '../lib/bytes/hex.js';
import type { EngineRequest } from '../engine-types.js';
import type { InProcessClient } from './in-process-client.js';

interface WarmUpOptions {
  /** Number of calls in all. */
  readonly calls: number;
  /** Number of calls in flight at a time: one for each worker thread. */
  readonly concurrency: number;
  /** Returns the number of the newest complete block. */
  readonly head: () => number;
}

/**
 * The contract that is called: the block hashes of EIP-2935. Every chain has it since Prague, and every block writes
 * to it, so that a live chain has its state; of an older chain, an account without code is called.
 */
const CONTRACT = toHex(HISTORY_STORAGE_ADDRESS);

/** The requests that are repeated, most of them those that clients send most. */
const REQUESTS: readonly ((call: object) => EngineRequest)[] = [
  estimate,
  () => ({ method: 'eth_getTransactionCount', params: [CONTRACT, 'pending'] }),
  (call) => ({ method: 'eth_call', params: [call, 'pending'] }),
  estimate,
  () => ({ method: 'eth_getStorageAt', params: [CONTRACT, '0x1', 'pending'] }),
  (call) => ({ method: 'debug_traceCall', params: [call, 'pending', { tracer: 'callTracer' }] }),
  estimate,
  (call) => ({ method: 'debug_traceCall', params: [call, 'pending', { tracer: 'prestateTracer' }] }),
];

function estimate(call: object): EngineRequest {
  return { method: 'eth_estimateGas', params: [call, 'pending'] };
}

/**
 * Sends the requests, and resolves when all have been answered. It ends early, without an error, if one fails: because
 * the client is stopped, the chain is older than London, the upstream node does not return the state, or clients
 * already use all that the pool can do.
 */
export async function warmUp(
  client: Pick<InProcessClient, 'request'>,
  { calls, concurrency, head }: WarmUpOptions,
): Promise<void> {
  let sent = 0;
  const sendInTurn = async (): Promise<void> => {
    for (; sent < calls; await nextTurn()) await client.request(requestOf(sent++, head()));
  };
  await Promise.allSettled(Array.from({ length: concurrency }, sendInTurn));
}

/** Returns request number `index`. Each call has another gas limit, because equal calls in flight are executed once. */
function requestOf(index: number, head: number): EngineRequest {
  const data = `0x${head.toString(16).padStart(64, '0')}`;
  return REQUESTS[index % REQUESTS.length]!({ to: CONTRACT, data, gas: toQuantity(1_000_000 + index) });
}
