// One row: checks the answers, warms up, takes the rounds in turns, and makes figures of them. Runs in the bench.
import type { Job, TurnReport } from '../load/job.js';
import { randomOf } from '../load/random.js';
import type { Pace } from '../load/schedule.js';
import type { Load, Run, Scenario } from '../scenarios/scenario.js';
import type { Listed } from '../scenarios/scenarios.js';
import { comparisonsOf } from './comparison.js';
import { figuresOf, cpuUsOf, notesOf, type Turn, voidReason } from './figures.js';
import type { GeneratorHost } from './generator-host.js';
import type { Row, Side } from './results.js';
import type { Stage } from './stage.js';
import { orderOf } from './statistics.js';
import { type Target, targetUsage } from './target.js';
import { checkSamples, type Difference, type Truth, truthOf } from './truth.js';

/** How long and how often. */
export interface RowOptions {
  /** Seconds of a turn. */
  readonly seconds: number;
  readonly rounds: number;
  readonly seed: number;
  /** Requests a second in the place of every load's own pace; `null`: its own. */
  readonly rate: number | null;
}

/** What turns are made with. */
export interface RowParts {
  readonly generator: GeneratorHost;
  /** For what a target has to do meanwhile. */
  readonly beside: GeneratorHost;
}

/** Requests asked of every target beforehand, and calls in them at most. */
const CHECKED_REQUESTS = 100;
const CHECKED_CALLS_MAX = 2000;
/** One of so many answers is checked. */
const SAMPLE_EVERY = 50;
/** Samples of one turn that are asked again. */
const ASKED_AGAIN_MAX = 10;
/** Turns' lengths that a warm-up takes: code that has not run often is slow. */
const WARM_UP_TURNS = 2;
/** A load that goes on beside is there before the turn begins and after it ends. */
const BESIDE_EXTRA_S = 0.3;
/** More in flight would only measure queues when the rate is to be found. */
const MEASURED_CONNECTIONS_MAX = 64;

/** What is known of a row before its rounds. */
interface Prepared {
  readonly listed: Listed;
  readonly run: Run;
  readonly stage: Stage;
  readonly options: RowOptions;
  readonly parts: RowParts;
  readonly pace: Pace;
}

/** Measures one load at every target of the stage. */
export async function measureRow(
  listed: Listed,
  run: Run,
  stage: Stage,
  options: RowOptions,
  parts: RowParts,
): Promise<Row> {
  const { scenario } = listed;
  const targets = targetsOf(hasFloor(scenario, run), stage.targets);
  const checked = await checkBefore(listed, run, stage, options.seed);
  const base = { listed, run, stage, options, parts };
  const rates = isRequests(run.load) ? await warmUp(base, targets) : new Map<string, number>();
  const pace = paceOf(run.load, options.rate, targets, rates);
  const turns = await takeRounds({ ...base, pace }, targets);
  return rowOf({ ...base, pace }, targets, checked, turns);
}

function targetsOf(hasFloor: boolean, targets: readonly Target[]): readonly Target[] {
  return targets.filter(({ isFloor }) => hasFloor || !isFloor);
}

/** The handler that answers a constant knows no WebSocket. */
function hasFloor(scenario: Scenario, { load }: Run): boolean {
  return scenario.hasFloor === true && !(load.kind === 'closed' && load.transport === 'websocket');
}

/** Whether requests are sent at all: subscribers only listen. */
function isRequests({ kind }: Load): boolean {
  return kind !== 'subscribers' && kind !== 'freshness';
}

function checkBefore({ scenario }: Listed, { part }: Run, { world, targets }: Stage, seed: number): Promise<Truth> {
  const next = scenario.requests(world, randomOf(seed), part);
  const bodies: string[] = [];
  for (let calls = 0; bodies.length < CHECKED_REQUESTS && calls < CHECKED_CALLS_MAX;) {
    const request = next();
    calls += request.calls;
    bodies.push(request.body);
  }
  return truthOf(scenario, world, targetsOf(false, targets), bodies);
}

/** A closed loop of every target: what has not run yet is slow; and its rate is what the other loads are shares of. */
async function warmUp(prepared: Omit<Prepared, 'pace'>, targets: readonly Target[]): Promise<Map<string, number>> {
  const rates = new Map<string, number>();
  const { parts, options } = prepared;
  for (const target of targets) {
    const job = jobOf({ ...prepared, pace: { kind: 'closed' } }, target, 0);
    const connections = Math.min(MEASURED_CONNECTIONS_MAX, job.kind === 'load' ? job.connections : 1);
    await parts.generator.prepare({ ...job, connections, seconds: options.seconds * WARM_UP_TURNS } as Job);
    const { requests, durationMs } = await parts.generator.run();
    rates.set(target.name, Math.max(1, (requests * 1000) / durationMs));
  }
  return rates;
}

function paceOf(load: Load, rate: number | null, targets: readonly Target[], rates: ReadonlyMap<string, number>): Pace {
  const measured = targets.filter(({ isFloor }) => !isFloor).map(({ name }) => rates.get(name) ?? 1);
  if (rate !== null && isRequests(load) && load.kind !== 'bursts') return { kind: 'rate', perSecond: rate };
  switch (load.kind) {
    case 'open':
      return { kind: 'rate', perSecond: Math.round(load.share * Math.min(...measured)) };
    case 'step':
      return { kind: 'rate', perSecond: Math.round(load.share * measured[0]!) };
    case 'bursts':
      return { kind: 'bursts', size: load.size, everyMs: load.everyMs };
    case 'recorded':
      return load.speed === 0 ? { kind: 'closed' } : { kind: 'recorded', startsMs: load.startsMs, speed: load.speed };
    case 'closed':
    case 'subscribers':
    case 'freshness':
      return { kind: 'closed' };
  }
}

async function takeRounds(prepared: Prepared, targets: readonly Target[]): Promise<Map<Target, CheckedTurn[]>> {
  const turns = new Map(targets.map((target): [Target, CheckedTurn[]] => [target, []]));
  for (let round = 0; round < prepared.options.rounds; round++) {
    for (const target of orderOf(targets, round)) {
      turns.get(target)!.push(await takeTurn(prepared, target, round + 1));
    }
  }
  return turns;
}

interface CheckedTurn extends Turn {
  readonly differences: readonly Difference[];
}

async function takeTurn(prepared: Prepared, target: Target, round: number): Promise<CheckedTurn> {
  const { parts, stage, listed } = prepared;
  const { generator } = parts;
  await generator.prepare(jobOf(prepared, target, round));
  const aside = await startBeside(prepared, target, round);
  const before = targetUsage(target);
  const report = await generator.run();
  const after = targetUsage(target);
  await aside?.ended;
  const used = before === null || after === null ? null : { before, after };
  if (target.isFloor) return { report, used, checked: 0, differences: [] };
  const others = stage.targets.filter((other) => !other.isFloor && other !== target);
  const reference = { target: others[0] ?? target, samplesMax: ASKED_AGAIN_MAX };
  const differences = await checkSamples(listed.scenario, stage.world, target, reference, report.samples);
  return { report, used, checked: report.samples.length, differences };
}

/** What the target has to do meanwhile; resolves to the end of it. */
async function startBeside(prepared: Prepared, target: Target, round: number): Promise<{ ended: Promise<TurnReport> } | null> {
  const { run, parts } = prepared;
  if (run.beside === undefined) return null;
  const job = jobOf({ ...prepared, pace: { kind: 'closed' } }, target, -round);
  const seconds = job.seconds + 2 * BESIDE_EXTRA_S;
  await parts.beside.prepare({ ...job, ...run.beside, seconds } as Job);
  const ended = parts.beside.run();
  await new Promise((resolve) => setTimeout(resolve, BESIDE_EXTRA_S * 1000));
  return { ended };
}

function jobOf({ listed, run, stage, options, pace }: Prepared, { url }: Target, round: number): Job {
  const { load } = run;
  const seconds = Math.max(options.seconds, run.secondsMin ?? 0);
  if (load.kind === 'subscribers') return { ...load, url, seconds };
  if (load.kind === 'freshness') return { kind: 'freshness', url, feed: stage.feed!, body: freshBody(listed, stage), seconds };
  const { connections } = load;
  const { pipelined = 1, transport = 'http' } = load.kind === 'closed' || load.kind === 'open' ? { pipelined: 1, ...load } : {};
  const seed = options.seed + 1 + round;
  const where = { module: listed.module, world: stage.world, part: run.part, url };
  return { kind: 'load', ...where, seed, connections, pipelined, transport, pace, seconds, sampleEvery: SAMPLE_EVERY };
}

function freshBody({ scenario }: Listed, { world }: Stage): string {
  return scenario.requests(world, randomOf(1), '')().body;
}

function rowOf(prepared: Prepared, targets: readonly Target[], before: Truth, turns: ReadonlyMap<Target, readonly CheckedTurn[]>): Row {
  const { listed, run, stage, pace, options } = prepared;
  const floor = targets.find(({ isFloor }) => isFloor);
  const floorCpuUs = floor === undefined ? null : cpuUsOf(turns.get(floor)!);
  const differences = [...before.differences, ...[...turns.values()].flat().flatMap((turn) => turn.differences)];
  const sides = targets.map((target) =>
    sideOf(prepared, target, turns.get(target)!, differences, target.isFloor ? null : floorCpuUs),
  );
  return {
    scenario: listed.scenario.name,
    question: listed.scenario.question,
    run: run.name,
    load: loadText(run, pace, Math.max(options.seconds, run.secondsMin ?? 0)),
    loadKind: run.load.kind === 'closed' && pace.kind === 'rate' ? 'open' : run.load.kind,
    offered: pace.kind === 'rate' ? pace.perSecond : null,
    world: stage.world.name,
    sides,
    comparisons: comparisonsOf(sides),
    checkedBefore: before.checked,
    digests: before.digests,
    differences,
  };
}

function sideOf(
  { listed, run }: Prepared,
  target: Target,
  turns: readonly Turn[],
  differences: readonly Difference[],
  floorCpuUs: number | null,
): Side {
  const figures = figuresOf(turns, floorCpuUs);
  const { name, isFloor } = target;
  const wrong = isFloor ? undefined : differences.find((one) => one.target === null || one.target === name);
  const reason = wrong === undefined ? voidReason(figures, run.load.kind, listed.scenario.mayRefuse === true || listed.scenario.mayFail === true) : `wrong answers: ${wrong.reason}`;
  const side = { target: name, isFloor, void: reason };
  // What went wrong is told with its figures; wrong answers have none.
  return wrong === undefined ? { ...side, notes: notesOf(figures, run.load.kind), figures } : { ...side, notes: [], figures: null };
}

function loadText({ load, beside }: Run, pace: Pace, seconds: number): string {
  const aside = beside === undefined ? '' : `, beside ${beside.connections} connections with ${beside.part}`;
  if (load.kind === 'subscribers') return `${load.subscribers} subscribers of ${load.topic}, ${seconds} s`;
  if (load.kind === 'freshness') return `one poller beside the feed, ${seconds} s`;
  const lanes = `${load.connections} ${load.connections === 1 ? 'connection' : 'connections'}`;
  return `${paceText(pace)}, ${lanes}, turns of ${seconds} s${aside}`;
}

function paceText(pace: Pace): string {
  switch (pace.kind) {
    case 'closed':
      return 'closed loop';
    case 'rate':
      return `${pace.perSecond.toLocaleString('en')} requests/s`;
    case 'bursts':
      return `${pace.size.toLocaleString('en')} at once every ${pace.everyMs.toLocaleString('en')} ms`;
    case 'recorded':
      return `${pace.startsMs.length} recorded requests at ${pace.speed} times their pace`;
  }
}
