// Methods that run code: estimates and calls through the pool, transactions to the chain. Runs on main.
import { rpcError } from '../errors.js';
import type { Job, Outcome } from '../evm/call.js';
import { toHex, toQuantity } from '../lib/hex.js';
import { LIMITS } from '../limits.js';
import type { Asker } from '../pool/pool.js';
import { readBlockOverride, readCall, readStateOverride } from './call-arguments.js';
import type { CallResult, MethodParts, Run } from './method.js';
import { revertError } from './revert.js';

function execute(kind: Job['kind']): Run {
  return (args, session, parts, asker) => {
    const call = readCall(args, 0, parts.chain.chainId);
    const block = args.block(1);
    const stateOverride = readStateOverride(args, 2);
    const blockOverride = readBlockOverride(args, 3);
    if (args.failure) return args.failure;
    const position = session.resolve(block);
    if ('error' in position) return position;
    const { gasCap, timeoutMs } = parts;
    return submit({ kind, position, call, stateOverride, blockOverride, gasCap, timeoutMs }, parts, asker);
  };
}

/** `[transaction, block?, stateOverride?, blockOverride?]`: the least gas limit that lets the transaction succeed. */
export const estimateGas = execute('estimate');

/** `[transaction, block?, stateOverride?, blockOverride?]`: the return data. */
export const call = execute('call');

function submit(job: Job, parts: MethodParts, asker: Asker): CallResult | Promise<CallResult> {
  const outcome = parts.pool.submit(job, asker);
  return outcome === null ? rpcError('overload') : outcome.then((settled) => render(settled, parts.revertErrorCode));
}

function render(outcome: Outcome, revertErrorCode: number): CallResult {
  switch (outcome.kind) {
    case 'gas':
      return `"${toQuantity(outcome.gas)}"`;
    case 'return':
      return `"${toHex(outcome.data)}"`;
    case 'revert':
      return revertError(outcome.data, revertErrorCode);
    case 'failure':
      return rpcError(outcome.error, outcome.message);
  }
}

/** `[raw transaction]`: its hash, once the chain has taken it. */
export const sendRawTransaction: Run = (args, _session, parts) => {
  const raw = args.bytes(0);
  if (args.failure) return args.failure;
  if (raw.length > LIMITS.transactionBytesMax) {
    const text = `oversized data: transaction size ${raw.length}, limit ${LIMITS.transactionBytesMax}`;
    return rpcError('transactionRejected', text);
  }
  return parts.submit === null ? rpcError('methodNotFound') : parts.submit(raw);
};
