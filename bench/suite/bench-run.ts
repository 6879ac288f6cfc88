// A whole run: opens one stage after the other, measures row after row, and sums up. Runs in the bench.
import { replayed } from '../scenarios/replay.js';
import type { Run, StageName } from '../scenarios/scenario.js';
import { type Listed, scenariosNamed } from '../scenarios/scenarios.js';
import { GeneratorHost } from './generator-host.js';
import { openGivenStage } from './given-stage.js';
import { thisMachine } from './machine.js';
import { openMovingStage } from './moving-stage.js';
import type { Options } from './options.js';
import { Progress } from './progress.js';
import { RESULTS_VERSION, type Results, type Row, type TargetText } from './results.js';
import { measureRow } from './row.js';
import type { Stage } from './stage.js';
import { openStillStage } from './still-stage.js';

const STAGES: readonly StageName[] = ['still', 'moving'];

/** What comes together while it runs. */
interface Gathered {
  readonly rows: Row[];
  readonly targets: TargetText[];
  readonly skipped: string[];
}

type Generators = Readonly<Record<'generator' | 'beside', GeneratorHost>>;

/** Measures everything that is asked for. `write` takes lines for a person. */
export async function bench(options: Options, command: string, write: (text: string) => void): Promise<Results> {
  const { name, seconds: secondsPerTurn, rounds, seed, accounts } = options;
  const [startedAt, startMs, machine] = [new Date().toISOString(), performance.now(), thisMachine()];
  const listed = await listedFor(options);
  const progress = new Progress(count(listed), write, () => performance.now());
  const gathered: Gathered = { rows: [], targets: [], skipped: [] };
  const generators = { generator: new GeneratorHost(), beside: new GeneratorHost() };
  try {
    for (const stage of STAGES) {
      const own = listed.filter(({ scenario }) => scenario.stage === stage);
      if (own.length > 0) await onStage(stage, own, options, { generators, progress, gathered });
    }
  } finally {
    await generators.generator.stop();
    await generators.beside.stop();
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

async function onStage(
  name: StageName,
  listed: readonly Listed[],
  options: Options,
  { generators, progress, gathered }: { generators: Generators; progress: Progress; gathered: Gathered },
): Promise<void> {
  const stage = await openStage(name, options);
  if (stage === null) {
    progress.skip(count(listed));
    gathered.skipped.push(...listed.map(({ scenario }) => `${scenario.name}: needs a feed of the bench's own`));
    return;
  }
  try {
    gathered.targets.push(...stage.targets.map((target) => ({ name: target.name, version: target.version, url: target.url })));
    for (const [one, run] of listed.flatMap((each) => each.scenario.runs.map((own): [Listed, Run] => [each, own]))) {
      const lack = one.scenario.lacks?.(stage.world, run.part) ?? null;
      if (lack !== null) {
        progress.skip(1);
        gathered.skipped.push(`${one.scenario.name}: ${run.name}: ${lack}`);
        continue;
      }
      const row = await measureRow(one, run, stage, options, generators);
      gathered.rows.push(row);
      progress.row(row);
    }
  } finally {
    await stage.stop();
  }
}

/** `null`: there is none of endpoints that somebody else runs. */
function openStage(name: StageName, { targets, peers, accounts }: Options): Promise<Stage | null> {
  if (targets.length === 0) return name === 'still' ? openStillStage(accounts, peers) : openMovingStage();
  return name === 'still' ? openGivenStage(targets, accounts) : Promise.resolve(null);
}
