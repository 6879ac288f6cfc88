// Warm-up before the rounds: targets run until their code is compiled, and their capacity is measured. Runs in the
// bench.
import type { LoadJob } from '../load/job.js';
import type { Load } from '../scenarios/scenario.js';
import type { MeasuredRates } from './pace.js';
import type { RowPlan } from './row-plan.js';
import { type Target, targetUsage } from './target.js';
import { jobOf } from './turn-job.js';

/** A target is warm if in this many turns the cost of a call did not fall below this share of the previous minimum. */
const STEADY_TURNS = 2;
const WARM_SHARE = 0.9;
const RISING_FACTOR = 5;
/** More in flight would only measure queues. */
const MEASURED_CONNECTIONS_MAX = 64;

/**
 * Closed loops at every target until the cost of a call stops falling, as cold code is slow. Other loads are shares of
 * the best rate. For later steps of a scenario the targets are warm and the rate is known.
 */
export async function warmUp(plan: RowPlan, targets: readonly Target[]): Promise<MeasuredRates> {
  const { listed, run, parts } = plan;
  const known = parts.rates.get(listed.scenario.name);
  if (run.load.kind === 'step' && known !== undefined) return { first: known, slowest: known };
  const rates = new Map<Target, number>();
  // The rounds report a target that accepts no connection.
  for (const target of targets)
    await warmUpTarget(plan, target).then(
      (rate) => rates.set(target, rate),
      () => plan.parts.renew(),
    );
  const measured = targets.filter(({ isFloor }) => !isFloor).flatMap((target) => rates.get(target) ?? []);
  if (measured.length === 0) throw new Error('no target accepts connections');
  if (isRising(run.load)) parts.rates.set(listed.scenario.name, measured[0]!);
  return { first: measured[0]!, slowest: Math.min(...measured) };
}

/** Capacity in requests a second. */
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

/** True if other loads of the scenario depend on the rate measured here. */
function isRising({ kind }: Load): boolean {
  return kind === 'step' || kind === 'surge';
}

/** Longer if other loads are shares of the measured rate. */
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
