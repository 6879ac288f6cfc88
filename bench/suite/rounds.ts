// The rounds of a row: each target has one turn per round, and its responses are verified afterwards. Runs in the
// bench.
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

/** Maximum number of samples of one turn that are requested again. */
const RETRIES_MAX = 10;
/** Background load starts this much before the turn and ends this much after it. */
const BESIDE_EXTRA_S = 0.3;

/** Turns of a target, and the reason why some are missing; `null`: none is. */
export interface TargetTurns {
  readonly turns: CheckedTurn[];
  gone: string | null;
}

/** Runs all turns, alternating among the targets. A target that fails gets no further turns; the others do. */
export async function runRounds(
  plan: RowPlan,
  pace: Pace,
  targets: readonly Target[],
): Promise<ReadonlyMap<Target, TargetTurns>> {
  const all = new Map(targets.map((target): [Target, TargetTurns] => [target, { turns: [], gone: null }]));
  for (let round = 0; round < plan.options.rounds; round++) {
    for (const target of orderOf(targets, round)) {
      const taken = all.get(target)!;
      if (plan.signal.aborted) taken.gone ??= taken.turns.length === 0 ? 'interrupted before its turn' : null;
      else if (taken.gone === null) await runInto(taken, plan, pace, target, round + 1);
    }
  }
  return all;
}

async function runInto(taken: TargetTurns, plan: RowPlan, pace: Pace, target: Target, round: number): Promise<void> {
  try {
    taken.turns.push(await runTurn(plan, pace, target, round));
  } catch (error) {
    taken.gone = `turn ${round} of ${plan.options.rounds} failed: ${reasonOf(error)}`;
    await plan.parts.renew();
  }
}

/** A turn and the differences found in its responses. */
export interface CheckedTurn extends Turn {
  readonly differences: readonly Difference[];
}

async function runTurn(plan: RowPlan, pace: Pace, target: Target, round: number): Promise<CheckedTurn> {
  const { parts, stage, listed } = plan;
  const { generator } = parts;
  await generator.prepare(jobOf(plan, pace, target, round));
  const background = await startBackground(plan, target, round);
  const before = targetUsage(target);
  const { onLive } = plan;
  const report = await generator.run((live) => onLive?.(target.name, live));
  const after = targetUsage(target);
  await background?.ended;
  const used = before === null || after === null ? null : { before, after };
  if (target.isFloor) return { report, used, checked: 0, differences: [] };
  const other = stage.targets.find((one) => !one.isFloor && one !== target);
  const reference = { target: other ?? target, samplesMax: RETRIES_MAX };
  const differences = await checkSamples(listed.scenario, stage.world, target, reference, report.samples);
  return { report, used, checked: report.samples.length, differences };
}

/** Starts the target's background load; `ended` resolves when it ends. */
async function startBackground(
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
