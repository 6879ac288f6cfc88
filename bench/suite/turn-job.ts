// The generator's job for one turn. Pure.
import type { Job } from '../load/job.js';
import { randomOf } from '../load/random.js';
import type { Pace } from '../load/schedule.js';
import type { Listed } from '../scenarios/scenarios.js';
import type { RowPlan } from './row-plan.js';
import type { Stage } from './stage.js';
import type { Target } from './target.js';

/** One response out of this many is verified. */
const SAMPLE_EVERY = 50;

/** Seconds of a turn. */
export function secondsOf({ run, options }: RowPlan): number {
  if (options.pace?.kind === 'stages') return options.pace.stages.reduce((sum, { seconds }) => sum + seconds, 0);
  return Math.max(options.seconds, run.secondsMin ?? 0);
}

/** `round`: requests differ among rounds, and are the same for every target of a round. */
export function jobOf(plan: RowPlan, pace: Pace, { url, headers }: Target, round: number): Job {
  const { listed, run, stage, options } = plan;
  const { load } = run;
  const seconds = secondsOf(plan);
  if (load.kind === 'subscribers') return { ...load, url, headers, seconds };
  if (load.kind === 'freshness')
    return { kind: 'freshness', url, headers, feed: stage.feed!, body: freshBody(listed, stage), seconds };
  const { connections } = load;
  const { pipelined = 1, transport = 'http' } =
    load.kind === 'closed' || load.kind === 'open' ? { pipelined: 1, ...load } : {};
  const seed = options.seed + 1 + round;
  const where = { module: listed.module, world: stage.world, part: run.part, url, headers };
  const watched = { sampleEvery: SAMPLE_EVERY, isLive: plan.onLive !== null };
  return { kind: 'load', ...where, seed, connections, pipelined, transport, pace, seconds, ...watched };
}

function freshBody({ scenario }: Listed, { world }: Stage): string {
  return scenario.requests(world, randomOf(1), '')().body;
}
