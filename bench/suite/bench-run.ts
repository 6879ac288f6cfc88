// A whole run: opens one stage after the other, measures row after row, and sums up. Runs in the bench.
import { replayed } from '../scenarios/replay.js';
import type { Run, StageName } from '../scenarios/scenario.js';
import { type Listed, scenariosNamed } from '../scenarios/scenarios.js';
import { Generators } from './generator-host.js';
import { openGivenStage } from './given-stage.js';
import { thisMachine } from './machine.js';
import { openMovingStage } from './moving-stage.js';
import type { Options } from './options.js';
import { Progress } from './progress.js';
import { RESULTS_VERSION, type Results, type Row, type TargetText } from './results.js';
import { measureRow } from './row.js';
import type { Stage } from './stage.js';
import { openStillStage } from './still-stage.js';

/** Of warm-ups: seconds of a turn, and turns at most. */
const WARM_UP = { warmUpSeconds: 0.2, warmUpsMax: 6 };
const STAGES: readonly StageName[] = ['still', 'moving'];

/** Results that come together while it runs. */
interface Gathered {
  readonly rows: Row[];
  readonly targets: TargetText[];
  readonly skipped: string[];
}

/** Means of measuring, for the whole run. */
interface Means {
  readonly options: Options;
  readonly generators: Generators;
  readonly progress: Progress;
  readonly gathered: Gathered;
}

/** Measures everything that is asked for. `write` takes lines for a person. */
export async function bench(options: Options, command: string, write: (text: string) => void): Promise<Results> {
  const { name, seconds: secondsPerTurn, rounds, seed, accounts } = options;
  const [startedAt, startMs, machine] = [new Date().toISOString(), performance.now(), thisMachine()];
  const listed = await listedFor(options);
  const progress = new Progress(count(listed), write, () => performance.now());
  const gathered: Gathered = { rows: [], targets: [], skipped: [] };
  const generators = new Generators();
  try {
    for (const stage of STAGES) {
      const own = listed.filter(({ scenario }) => scenario.stage === stage);
      if (own.length > 0) await onStage(stage, own, { options, generators, progress, gathered });
    }
  } finally {
    await generators.stop();
  }
  const seconds = Math.round((performance.now() - startMs) / 1000);
  const settings = { secondsPerTurn, rounds, seed, accounts };
  return { version: RESULTS_VERSION, name, startedAt, seconds, command, machine, settings, ...gathered };
}

async function listedFor({ replay, rate, scenarios }: Options): Promise<Listed[]> {
  if (replay === null) return scenariosNamed(scenarios);
  const module = new URL('../scenarios/replay.js', import.meta.url).href;
  return [{ scenario: replayed(replay.file, rate === null ? replay.speed : null), module }];
}

function count(listed: readonly Listed[]): number {
  return listed.reduce((sum, { scenario }) => sum + scenario.runs.length, 0);
}

async function onStage(name: StageName, listed: readonly Listed[], means: Means): Promise<void> {
  const { options, progress, gathered } = means;
  const stage = await openStage(name, options);
  if (stage === null) {
    progress.skip(count(listed));
    gathered.skipped.push(...listed.map(({ scenario }) => `${scenario.name}: needs a feed of the bench's own`));
    return;
  }
  try {
    gathered.targets.push(
      ...stage.targets.map((target) => ({ name: target.name, version: target.version, url: target.url })),
    );
    for (const each of listed) for (const run of each.scenario.runs) await measure(each, run, stage, means);
  } finally {
    await stage.stop();
  }
}

/** One row. Where it fails, the others are measured all the same. */
async function measure(
  listed: Listed,
  run: Run,
  stage: Stage,
  { options, generators, progress, gathered }: Means,
): Promise<void> {
  const lack = listed.scenario.lacks?.(stage.world, run.part) ?? null;
  const name = `${listed.scenario.name}: ${run.name}`;
  if (lack !== null) {
    progress.skip(1);
    gathered.skipped.push(`${name}: ${lack}`);
    return;
  }
  try {
    const rowOptions = { ...options, ...WARM_UP };
    const row = await measureRow({ listed, run, stage, options: rowOptions, parts: generators });
    gathered.rows.push(row);
    progress.row(row);
  } catch (error) {
    progress.failed(name, error);
    gathered.skipped.push(`${name}: failed: ${String(error)}`);
    await generators.renew();
  }
}

/** `null`: there is none of endpoints that somebody else runs. */
function openStage(name: StageName, { targets, peers, accounts }: Options): Promise<Stage | null> {
  if (targets.length === 0) return name === 'still' ? openStillStage(accounts, peers) : openMovingStage();
  return name === 'still' ? openGivenStage(targets, accounts) : Promise.resolve(null);
}
