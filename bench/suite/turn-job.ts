// The generator's job of one turn. Pure.
import type { Job } from '../load/job.js';
import { randomOf } from '../load/random.js';
import type { Pace } from '../load/schedule.js';
import type { Listed } from '../scenarios/scenarios.js';
import type { RowPlan } from './row-plan.js';
import type { Stage } from './stage.js';
import type { Target } from './target.js';

/** One of so many answers is checked. */
const SAMPLE_EVERY = 50;

/** Seconds of a turn. */
export function secondsOf({ run, options }: RowPlan): number {
  return Math.max(options.seconds, run.secondsMin ?? 0);
}

/** `round`: other rounds have other requests; every target of a round has the same. */
export function jobOf(plan: RowPlan, pace: Pace, { url }: Target, round: number): Job {
  const { listed, run, stage, options } = plan;
  const { load } = run;
  const seconds = secondsOf(plan);
  if (load.kind === 'subscribers') return { ...load, url, seconds };
  if (load.kind === 'freshness')
    return { kind: 'freshness', url, feed: stage.feed!, body: freshBody(listed, stage), seconds };
  const { connections } = load;
  const { pipelined = 1, transport = 'http' } =
    load.kind === 'closed' || load.kind === 'open' ? { pipelined: 1, ...load } : {};
  const seed = options.seed + 1 + round;
  const where = { module: listed.module, world: stage.world, part: run.part, url };
  return { kind: 'load', ...where, seed, connections, pipelined, transport, pace, seconds, sampleEvery: SAMPLE_EVERY };
}

function freshBody({ scenario }: Listed, { world }: Stage): string {
  return scenario.requests(world, randomOf(1), '')().body;
}
