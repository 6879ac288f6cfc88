// What comes before the rounds: targets run until their code is compiled, and the rates that they can do are found. Runs in
// the bench.
import type { LoadJob } from '../load/job.js';
import type { MeasuredRates } from './pace.js';
import type { RowPlan } from './row-plan.js';
import { type Target, targetUsage } from './target.js';
import { jobOf } from './turn-job.js';

/** A target is warm when a call costs more than this share of what it cost in the turn before. */
const WARM_SHARE = 0.9;
/** More in flight would only measure queues when the rate is to be found. */
const MEASURED_CONNECTIONS_MAX = 64;

/**
 * Closed loops of every target, until a call costs it no less than in the one before: code that has not run often is slow. The
 * rate of the last one is what other loads are shares of.
 */
export async function warmUp(plan: RowPlan, targets: readonly Target[]): Promise<MeasuredRates> {
  const rates = new Map<Target, number>();
  for (const target of targets) {
    let [cpuUs, isWarm] = [Infinity, false];
    for (let turn = 0; turn < plan.options.warmUpsMax && !isWarm; turn++) {
      const { perSecond, cpuUs: now } = await warmUpTurn(plan, target, turn);
      rates.set(target, perSecond);
      isWarm = now === null ? turn > 0 : now > cpuUs * WARM_SHARE;
      cpuUs = now ?? cpuUs;
    }
  }
  const measured = targets.filter(({ isFloor }) => !isFloor).map((target) => rates.get(target)!);
  return { first: firstRate(plan, measured[0]!), slowest: Math.min(...measured) };
}

/** Of a scenario of rising rates that of its first step. */
function firstRate({ listed, parts }: RowPlan, measured: number): number {
  const rate = parts.rates.get(listed.scenario.name) ?? measured;
  parts.rates.set(listed.scenario.name, rate);
  return rate;
}

async function warmUpTurn(
  plan: RowPlan,
  target: Target,
  turn: number,
): Promise<{ readonly perSecond: number; readonly cpuUs: number | null }> {
  const { parts, options } = plan;
  const job = jobOf(plan, { kind: 'closed' }, target, -1 - turn) as LoadJob;
  const connections = Math.min(MEASURED_CONNECTIONS_MAX, job.connections);
  await parts.generator.prepare({ ...job, connections, seconds: options.warmUpSeconds });
  const before = targetUsage(target);
  const { requests, durationMs } = await parts.generator.run();
  const after = targetUsage(target);
  const cpuUs =
    before === null || after === null || requests === 0 ? null : ((after.cpuMs - before.cpuMs) * 1000) / requests;
  return { perSecond: Math.max(1, (requests * 1000) / durationMs), cpuUs };
}
