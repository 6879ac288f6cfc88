// Runs a job again after the state that it missed was fetched from the upstream node, within the job's own time limit.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { isTimeoutOutcome, timeoutOutcome, type Job, type JobOutcome } from '../../transaction/evm-job.js';
import type { BackingNode } from '../view/upstream-node-access.js';

/** What is needed to run a job again. */
interface ColdJobDeps {
  /** Runs the job; returns `null` if the pool is full. */
  readonly run: (job: Job) => Promise<JobOutcome> | null;
  readonly backing: BackingNode;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/**
 * A repeated job gets the remaining time, rounded to this fraction of the time limit. Equal jobs that wait for the same
 * state can then continue as one job. If less than one such part is left, a job is not run again.
 */
const TIME_STEPS = 16;

/**
 * Runs the job again and again, each time after fetching all state that it has missed. The node is asked for an access
 * list (eth_createAccessList) at once if the job missed the code that it calls, otherwise at its second miss. With that
 * list, the next run usually finds all state. Without it, each step from a slot to the slot that its value points to
 * takes another run. There are at most LIMITS.missRoundsMax runs. `request` is the client's original call, and `first`
 * the result of the first run.
 */
export async function rerunWithFetchedState(
  job: Job,
  request: unknown,
  first: Promise<JobOutcome>,
  { run, backing, now }: ColdJobDeps,
): Promise<JobOutcome | RpcError> {
  const epoch = backing.epoch();
  const untilMs = now() + job.timeoutMs;
  let outcome = await first;
  let isListed = false;
  for (let round = 0; outcome.kind === 'missing' && round < LIMITS.missRoundsMax; round++) {
    const usesUpstreamList: boolean = !isListed && (round > 0 || missesCode(job, outcome));
    isListed ||= usesUpstreamList;
    const failure = await backing.fill(outcome.missingKeys, untilMs, {
      to: job.call.to,
      call: usesUpstreamList ? request : undefined,
    });
    if (failure !== null) return failure;
    if (backing.epoch() !== epoch) return rpcError('stateReset');
    const timeoutMs = leftOf(job.timeoutMs, untilMs - now());
    if (timeoutMs === 0) return timeoutOutcome(job.timeoutMs);
    const again = run({ ...job, timeoutMs });
    if (again === null) return rpcError('overload');
    outcome = await again;
  }
  return isTimeoutOutcome(outcome) ? timeoutOutcome(job.timeoutMs) : outcome;
}

/** True if the job calls an account with call data, and that account was not in the state table. */
function missesCode({ call: { to, data } }: Job, outcome: JobOutcome & { readonly kind: 'missing' }): boolean {
  return to !== null && data.length > 0 && outcome.missingKeys.accounts.some((address) => sameBytes(address, to));
}

function leftOf(timeoutMs: number, leftMs: number): number {
  const step = timeoutMs / TIME_STEPS;
  return Math.max(0, Math.floor(leftMs / step)) * step;
}
