// Messages and contexts for engines, with defaults for everything a test does not care about.
import type { ExecutionContext, EvmMessage } from '../../src/evm/evm-engine.js';
import { blockEnv } from './jobs.js';

/** A message without value, data, fees, access list and blobs, except for the given fields. */
export function plainMessage(fields: Pick<EvmMessage, 'caller' | 'to'> & Partial<EvmMessage>): EvmMessage {
  return {
    value: 0n,
    data: new Uint8Array(0),
    gasPrice: 0n,
    blobVersionedHashes: [],
    accessList: [],
    warm: [],
    ...fields,
  };
}

/** The block of `blockEnv`, without deadline and block hashes, except for the given fields. */
export function plainContext(fields: Partial<ExecutionContext> = {}): ExecutionContext {
  return {
    env: blockEnv(),
    blobBaseFee: 1n,
    precompileMoves: [],
    blockHash: () => null,
    deadline: Infinity,
    ...fields,
  };
}
