// The rounds of a row: each target takes its turn in each of them, and what it has answered is checked after it. Runs
// in the bench.
import { setTimeout } from 'node:timers/promises';
import { reasonOf } from '../load/ask.js';
import type { LoadJob, TurnReport } from '../load/job.js';
import type { Pace } from '../load/schedule.js';
import { besidePace } from './pace.js';
import type { Turn } from './figures.js';
import type { RowPlan } from './row-plan.js';
import { orderOf } from './statistics.js';
import { type Target, targetUsage } from './target.js';
import { checkSamples, type Difference } from './truth.js';
import { jobOf } from './turn-job.js';

/** Samples of one turn that are asked again. */
const RETRIES_MAX = 10;
/** A load that goes on beside is there before the turn begins and after it ends. */
const BESIDE_EXTRA_S = 0.3;

/** Turns of a target, and why there are no more; `null`: all are there. */
export interface Taken {
  readonly turns: CheckedTurn[];
  gone: string | null;
}

/** All turns, the targets in turns. One that takes no more connections has no more; others have theirs. */
export async function takeRounds(
  plan: RowPlan,
  pace: Pace,
  targets: readonly Target[],
): Promise<ReadonlyMap<Target, Taken>> {
  const all = new Map(targets.map((target): [Target, Taken] => [target, { turns: [], gone: null }]));
  for (let round = 0; round < plan.options.rounds; round++) {
    for (const target of orderOf(targets, round)) {
      const taken = all.get(target)!;
      if (plan.signal.aborted) taken.gone ??= taken.turns.length === 0 ? 'interrupted before its turn' : null;
      else if (taken.gone === null) await takeInto(taken, plan, pace, target, round + 1);
    }
  }
  return all;
}

async function takeInto(taken: Taken, plan: RowPlan, pace: Pace, target: Target, round: number): Promise<void> {
  try {
    taken.turns.push(await takeTurn(plan, pace, target, round));
  } catch (error) {
    taken.gone = `turn ${round} of ${plan.options.rounds} failed: ${reasonOf(error)}`;
    await plan.parts.renew();
  }
}

/** A turn, and what was wrong in it. */
export interface CheckedTurn extends Turn {
  readonly differences: readonly Difference[];
}

async function takeTurn(plan: RowPlan, pace: Pace, target: Target, round: number): Promise<CheckedTurn> {
  const { parts, stage, listed } = plan;
  const { generator } = parts;
  await generator.prepare(jobOf(plan, pace, target, round));
  const aside = await startBeside(plan, target, round);
  const before = targetUsage(target);
  const { onLive } = plan;
  const report = await generator.run((live) => onLive?.(target.name, live));
  const after = targetUsage(target);
  await aside?.ended;
  const used = before === null || after === null ? null : { before, after };
  if (target.isFloor) return { report, used, checked: 0, differences: [] };
  const other = stage.targets.find((one) => !one.isFloor && one !== target);
  const reference = { target: other ?? target, samplesMax: RETRIES_MAX };
  const differences = await checkSamples(listed.scenario, stage.world, target, reference, report.samples);
  return { report, used, checked: report.samples.length, differences };
}

/** Starts the load that the target has besides; resolves to the end of it. */
async function startBeside(
  plan: RowPlan,
  target: Target,
  round: number,
): Promise<{ ended: Promise<TurnReport> } | null> {
  const { run, parts, listed, options } = plan;
  if (run.beside === undefined) return null;
  const job = jobOf(plan, besidePace(run, parts.rates.get(listed.scenario.name) ?? null), target, -round) as LoadJob;
  const { part, connections } = run.beside;
  const seconds = job.seconds + 2 * BESIDE_EXTRA_S;
  const url = options.beside ?? job.url;
  await parts.beside.prepare({ ...job, isLive: false, url, part, connections, seconds });
  const ended = parts.beside.run();
  await setTimeout(BESIDE_EXTRA_S * 1000);
  return { ended };
}
