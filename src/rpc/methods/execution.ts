// Methods that run code: estimates and calls through the pool, transactions to the chain. Runs on main.
import { rpcError } from '../../errors.js';
import type { Job, Outcome } from '../../transaction/call-request.js';
import { monotonicMs } from '../../lib/clock.js';
import { toQuantity } from '../../lib/hex.js';
import { LIMITS } from '../../limits.js';
import type { Asker } from '../../pool/estimator/pool.js';
import { readBlockOverride, readCall, readStateOverride } from './call-arguments.js';
import type { Backing, CallResult, MethodParts, Run } from './method.js';
import { revertError } from './revert.js';

function execute(kind: Job['kind']): Run {
  return (args, readView, parts, asker) => {
    const call = readCall(args, 0, parts.chain.chainId);
    const block = args.block(1);
    const stateOverride = readStateOverride(args, 2);
    const blockOverride = readBlockOverride(args, 3);
    if (args.failure) return args.failure;
    const position = readView.resolve(block);
    if ('error' in position) return position;
    if (position.kind === 'upstream') return args.forward(1, position);
    const { gasCap, timeoutMs } = parts;
    const job = { kind, position, call, stateOverride, blockOverride, gasCap, timeoutMs };
    const answer = parts.preflight.answer(job, readView);
    if (answer !== null) return render(answer, parts.revertErrorCode);
    return submit(job, args.all[0], parts, asker);
  };
}

/** `[transaction, block?, stateOverride?, blockOverride?]`: the least gas limit that lets the transaction succeed. */
export const estimateGas = execute('estimate');

/** `[transaction, block?, stateOverride?, blockOverride?]`: the return data. */
export const call = execute('call');

/** `[transaction, block?, stateOverride?, blockOverride?]`: what it reads, as an access list, and its gas with that. */
export const createAccessList = execute('accessList');

/** Hands the job to an estimator. `asked`: the call as it came, where it is one alone. */
export function submit(job: Job, asked: unknown, parts: MethodParts, asker: Asker): CallResult | Promise<CallResult> {
  const outcome = parts.pool.submit(job, asker);
  if (outcome === null) return rpcError('overload');
  const { backing, revertErrorCode, timeoutMs } = parts;
  if (backing === null) return outcome.then((settled) => render(settled, revertErrorCode));
  const again = (): ReturnType<typeof parts.pool.submit> => parts.pool.submit(job, asker);
  return settle(outcome, asked, again, backing, { revertErrorCode, timeoutMs });
}

/**
 * Runs a job again after what it lacked was read, each time with all that it lacked. One that lacks something for the second
 * time goes deeper than its arguments say, and the upstream node is asked what it reads: with a list, the third run has
 * everything; without one there are as many as there are steps from a slot to what its value leads to. `asked`: the call as it came.
 */
async function settle(
  first: Promise<Outcome>,
  asked: unknown,
  run: () => Promise<Outcome> | null,
  backing: Backing,
  { revertErrorCode, timeoutMs }: Pick<MethodParts, 'revertErrorCode' | 'timeoutMs'>,
): Promise<CallResult> {
  const epoch = backing.epoch();
  let outcome = await first;
  const untilMs = monotonicMs() + timeoutMs;
  for (let round = 0; outcome.kind === 'missing' && round < LIMITS.missRoundsMax; round++) {
    const failure = await backing.fill(outcome.wants, untilMs, round === 1 ? asked : undefined);
    if (failure !== null) return failure;
    if (backing.epoch() !== epoch) return rpcError('stateReset');
    const again = run();
    if (again === null) return rpcError('overload');
    outcome = await again;
  }
  return render(outcome, revertErrorCode);
}

function render(outcome: Outcome, revertErrorCode: number): CallResult {
  switch (outcome.kind) {
    case 'gas':
      return `"${toQuantity(outcome.gas)}"`;
    case 'return':
      return outcome.data;
    case 'json':
      return outcome.text;
    case 'revert':
      return revertError(outcome.data, revertErrorCode);
    case 'failure':
      return rpcError(outcome.error, outcome.message);
    case 'missing':
      return rpcError('upstream', `state is still missing after ${LIMITS.missRoundsMax} reads`);
  }
}

/** `[raw transaction]`: its hash, once the chain has taken it. */
export const sendRawTransaction: Run = (args, _readView, parts) => {
  const raw = args.bytes(0);
  if (args.failure) return args.failure;
  if (raw.length > LIMITS.transactionBytesMax) {
    const text = `oversized data: transaction size ${raw.length}, limit ${LIMITS.transactionBytesMax}`;
    return rpcError('transactionRejected', text);
  }
  return parts.submit === null ? rpcError('methodNotFound') : parts.submit(raw);
};
