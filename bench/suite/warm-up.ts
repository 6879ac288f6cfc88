// Warm-up before the rounds: targets run until their code is compiled, and the rates that they can do are found. Runs
// in the bench.
import type { LoadJob } from '../load/job.js';
import type { Load } from '../scenarios/scenario.js';
import type { MeasuredRates } from './pace.js';
import type { RowPlan } from './row-plan.js';
import { type Target, targetUsage } from './target.js';
import { jobOf } from './turn-job.js';

/** A target is warm when in so many turns a call has cost no less than this share of the least before. */
const STEADY_TURNS = 2;
const WARM_SHARE = 0.9;
const RISING_FACTOR = 5;
/** More in flight would only measure queues when the rate is to be found. */
const MEASURED_CONNECTIONS_MAX = 64;

/**
 * Closed loops of every target, until a call costs it no less than before: code that has not run often is slow. The
 * best rate of them is what other loads are shares of. Steps after the first one of a scenario find their targets warm
 * and the rate known.
 */
export async function warmUp(plan: RowPlan, targets: readonly Target[]): Promise<MeasuredRates> {
  const { listed, run, parts } = plan;
  const known = parts.rates.get(listed.scenario.name);
  if (run.load.kind === 'step' && known !== undefined) return { first: known, slowest: known };
  const rates = new Map<Target, number>();
  // One that takes no connection is told by the rounds.
  for (const target of targets)
    await warmUpTarget(plan, target).then(
      (rate) => rates.set(target, rate),
      () => plan.parts.renew(),
    );
  const measured = targets.filter(({ isFloor }) => !isFloor).flatMap((target) => rates.get(target) ?? []);
  if (measured.length === 0) throw new Error('no target takes connections');
  if (isRising(run.load)) parts.rates.set(listed.scenario.name, measured[0]!);
  return { first: measured[0]!, slowest: Math.min(...measured) };
}

/** Requests a second that it can do. */
async function warmUpTarget(plan: RowPlan, target: Target): Promise<number> {
  let [leastUs, rate, steady] = [Infinity, 1, 0];
  for (let turn = 0; turn < plan.options.warmUpsMax && steady < STEADY_TURNS && !plan.signal.aborted; turn++) {
    const { perSecond, cpuUs } = await warmUpTurn(plan, target, turn);
    const isLess = cpuUs !== null && cpuUs < leastUs * WARM_SHARE;
    steady = isLess ? 0 : steady + 1;
    leastUs = Math.min(leastUs, cpuUs ?? leastUs);
    rate = Math.max(rate, perSecond);
  }
  return rate;
}

/** True if other loads of the scenario are told by the rate that is found here. */
function isRising({ kind }: Load): boolean {
  return kind === 'step' || kind === 'surge';
}

/** Longer where the rate is found that others are shares of. */
function warmUpSeconds({ run, options }: RowPlan): number {
  return options.warmUpSeconds * (isRising(run.load) ? RISING_FACTOR : 1);
}

async function warmUpTurn(
  plan: RowPlan,
  target: Target,
  turn: number,
): Promise<{ readonly perSecond: number; readonly cpuUs: number | null }> {
  const { parts } = plan;
  const job = { ...(jobOf(plan, { kind: 'closed' }, target, -1 - turn) as LoadJob), isLive: false };
  const connections = Math.min(MEASURED_CONNECTIONS_MAX, job.connections);
  await parts.generator.prepare({ ...job, connections, seconds: warmUpSeconds(plan) });
  const before = targetUsage(target);
  const { requests, durationMs } = await parts.generator.run();
  const after = targetUsage(target);
  const cpuUs =
    before === null || after === null || requests === 0 ? null : ((after.cpuMs - before.cpuMs) * 1000) / requests;
  return { perSecond: (requests * 1000) / durationMs, cpuUs };
}
