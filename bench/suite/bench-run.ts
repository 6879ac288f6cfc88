// A complete run: opens the stages in order, measures their rows, and collects the results. Runs in the bench.
import { replayed } from '../scenarios/replay.js';
import type { Run, Scenario, StageName } from '../scenarios/scenario.js';
import { type Listed, scenariosNamed } from '../scenarios/scenarios.js';
import { shownCommand, shownUrl } from './endpoint-text.js';
import { Generators } from './generator-host.js';
import { openGivenStage } from './given-stage.js';
import { type LeftOut, leftOutLines } from './left-out.js';
import { thisMachine } from './machine.js';
import type { Options } from './options.js';
import { runsAt, withConnections } from './pace.js';
import type { Progress } from './progress.js';
import { RESULTS_VERSION, type Results, type Row, type TargetText } from './results.js';
import { measureRow } from './row.js';
import type { Stage } from './stage.js';
import { waitFor } from './target.js';
import { failuresOf } from './threshold.js';

/** Warm-up: seconds of a turn, and maximum number of turns. */
const WARM_UP = { warmUpSeconds: 0.2, warmUpsMax: 6 };
const STAGES: readonly StageName[] = ['still', 'moving'];

/** Environment of a run. */
export interface RunMeans {
  /** The command line, to repeat the run. */
  readonly command: string;
  readonly progress: Progress;
  /** When aborted, the running turn is cut short and nothing else starts. */
  readonly signal: AbortSignal;
  /** Saves the results after each row, so that they survive a later failure. */
  readonly keep: (results: Results) => void;
}

/** Measures all selected loads. */
export async function bench(options: Options, means: RunMeans): Promise<Results> {
  const run = new BenchRun(options, means, await listedFor(options));
  try {
    await run.measureAll();
  } finally {
    await run.generators.stop();
  }
  return run.results();
}

async function listedFor({ replay, pace, scenarios, connections }: Options): Promise<Listed[]> {
  const module = new URL('../scenarios/replay.js', import.meta.url).href;
  const listed =
    replay === null
      ? await scenariosNamed(scenarios)
      : [{ scenario: replayed(replay.file, pace === null ? replay.speed : 0), module }];
  return listed.map((one) => {
    const runs = connections === null ? one.scenario.runs : withConnections(one.scenario.runs, connections);
    return { ...one, scenario: { ...one.scenario, runs: pace === null ? runs : runsAt(runs, pace) } };
  });
}

/** Number of loads of all scenarios. */
export function countOf(listed: readonly Listed[]): number {
  return listed.reduce((sum, { scenario }) => sum + scenario.runs.length, 0);
}

class BenchRun {
  readonly generators = new Generators();
  readonly #options: Options;
  readonly #means: RunMeans;
  readonly #listed: readonly Listed[];
  readonly #rows: Row[] = [];
  readonly #targets: TargetText[] = [];
  readonly #leftOut: LeftOut[] = [];
  readonly #startedAt = new Date();
  readonly #machine = thisMachine();

  constructor(options: Options, means: RunMeans, listed: readonly Listed[]) {
    this.#options = options;
    this.#means = means;
    this.#listed = listed;
    means.progress.expect(countOf(listed));
    means.signal.addEventListener('abort', () => this.generators.cut());
  }

  async measureAll(): Promise<void> {
    await this.#awaitEndpoints();
    for (const name of STAGES) {
      const listed = this.#listed.filter(({ scenario }) => scenario.stage === name);
      if (listed.length > 0 && !this.#means.signal.aborted) await this.#onStage(name, listed);
    }
  }

  results(): Results {
    const { name, seconds: secondsPerTurn, rounds, seed, accounts, thresholds } = this.#options;
    const { signal, command } = this.#means;
    return {
      version: RESULTS_VERSION,
      name,
      startedAt: this.#startedAt.toISOString(),
      seconds: Math.round((Date.now() - this.#startedAt.getTime()) / 1000),
      command: shownCommand(command),
      machine: this.#machine,
      settings: { secondsPerTurn, rounds, seed, accounts },
      targets: this.#targets,
      rows: this.#rows,
      skipped: leftOutLines(this.#leftOut),
      failures: failuresOf(thresholds, this.#rows),
      isCut: signal.aborted,
    };
  }

  /** Waits for external endpoints that are still starting. */
  async #awaitEndpoints(): Promise<void> {
    const { targets, peers, headers, waitSeconds } = this.#options;
    const { signal, progress } = this.#means;
    for (const { name, url } of [...targets, ...peers]) {
      const onWait = (reason: string): void => progress.waiting(name, reason);
      await waitFor({ url, headers }, { ms: waitSeconds * 1000, signal, onWait });
    }
  }

  async #onStage(name: StageName, listed: readonly Listed[]): Promise<void> {
    const stage = await openStage(name, this.#options);
    try {
      for (const { name: target, version, url } of stage.targets)
        if (!this.#targets.some((one) => one.name === target && one.version === version))
          this.#targets.push({ name: target, version, url: shownUrl(url) });
      for (const each of listed) for (const run of each.scenario.runs) await this.#measure(each, run, stage);
    } finally {
      await stage.stop();
    }
  }

  /** Measures one row. A failure does not affect the others. */
  async #measure(listed: Listed, run: Run, opened: Stage): Promise<void> {
    const { scenario } = listed;
    const { progress, signal, keep } = this.#means;
    if (signal.aborted) return this.#leaveOut(scenario, run, 'interrupted');
    try {
      const stage = await opened.now();
      const reason = whyUnavailable(scenario, run, stage);
      if (reason !== null) return this.#leaveOut(scenario, run, reason);
      const options = { ...this.#options, ...WARM_UP };
      const onLive = progress.live.bind(progress, `${scenario.name}: ${run.name}`);
      const row = await measureRow({ listed, run, stage, options, parts: this.generators, signal, onLive });
      this.#rows.push(row);
      progress.row(row);
      keep(this.results());
    } catch (error) {
      const reason = signal.aborted
        ? 'interrupted'
        : `failed: ${error instanceof Error ? error.message : String(error)}`;
      this.#leaveOut(scenario, run, reason);
      if (!signal.aborted) progress.failed(`${scenario.name}: ${run.name}`, reason);
      await this.generators.renew();
    }
  }

  #leaveOut({ name: scenario }: Scenario, { name: run }: Run, reason: string): void {
    this.#leftOut.push({ scenario, run, reason });
    this.#means.progress.skip(1);
  }
}

/** The reason why a load cannot be measured on a stage; `null`: it can. */
function whyUnavailable(
  { needsFeed, stage: name, unavailable: lacks }: Scenario,
  { part }: Run,
  { feed, world }: Stage,
): string | null {
  if (needsFeed === true && feed === null) return 'needs a feed generated by the bench';
  if (name === 'moving' && world.isStill) return "the targets' state is static";
  return lacks?.(world, part) ?? null;
}

/** Only a clone has stages of its own build: the package has neither compiler nor anvil. */
async function openStage(name: StageName, { targets, peers, accounts, headers }: Options): Promise<Stage> {
  if (targets.length > 0) return openGivenStage(targets, headers, accounts);
  if (name === 'moving') return (await import('../own/moving-stage.js')).openMovingStage();
  return (await import('../own/still-stage.js')).openStillStage(accounts, peers, headers);
}
