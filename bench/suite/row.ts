// Measures one row: compares responses, warms up, runs the rounds, and computes the figures. Runs in the bench.
import { randomOf } from '../load/random.js';
import type { Pace } from '../load/schedule.js';
import type { Run, Scenario } from '../scenarios/scenario.js';
import { comparisonsOf } from './comparison.js';
import { cpuUsOf, figuresOf, notesOf, type Tolerated, voidReason } from './figures.js';
import { loadText, paceOf, sendsRequests } from './pace.js';
import type { Figures, LoadKind, Row, Side } from './results.js';
import { type TargetTurns, runRounds } from './rounds.js';
import type { RowPlan } from './row-plan.js';
import { silenceOf, type Target } from './target.js';
import { type Difference, type Truth, truthOf } from './truth.js';
import { secondsOf } from './turn-job.js';
import { warmUp } from './warm-up.js';

/** Number of requests compared at every target beforehand, and maximum number of calls in them. */
const CHECKED_REQUESTS = 100;
const CHECKED_CALLS_MAX = 2000;
const DIFFERING = ['not all targets answer the same: see the list'];

/** Measures one load at every target of the stage. Throws if none of them has a turn. */
export async function measureRow(whole: RowPlan): Promise<Row> {
  const plan = whole.run.isOfFirst === true ? ofFirst(whole) : whole;
  const { listed, run, stage, options } = plan;
  const silences = await silencesOf(stage.targets);
  const targets = targetsOf(hasFloor(listed.scenario, run), [...silences.keys()]).filter(
    (target) => silences.get(target) === null,
  );
  if (targetsOf(false, targets).length === 0) throw new Error([...silences.values()].join('; '));
  const checked = await checkBefore(plan, targetsOf(false, targets));
  const rates = sendsRequests(run.load) ? await warmUp(plan, targets) : { first: 0, slowest: 0 };
  const pace = paceOf(run.load, options.pace, rates);
  const taken = new Map(await runRounds(plan, pace, targets));
  if ([...taken].every(([{ isFloor }, { turns }]) => isFloor || turns.length === 0))
    throw new Error([...taken.values()].map(({ gone }) => gone).find((gone) => gone !== null) ?? 'no turn');
  for (const [target, silence] of silences) if (silence !== null) taken.set(target, { turns: [], gone: silence });
  return rowOf(plan, pace, checked, taken);
}

/** Why targets do not respond; `null`: the target does. */
async function silencesOf(targets: readonly Target[]): Promise<ReadonlyMap<Target, string | null>> {
  const reasons = await Promise.all(targets.map((one) => (one.isFloor ? Promise.resolve(null) : silenceOf(one))));
  return new Map(targets.map((target, i) => [target, reasons[i]!]));
}

function ofFirst(plan: RowPlan): RowPlan {
  return { ...plan, stage: { ...plan.stage, targets: plan.stage.targets.slice(0, 1) } };
}

function targetsOf(withFloor: boolean, targets: readonly Target[]): readonly Target[] {
  return targets.filter(({ isFloor }) => withFloor || !isFloor);
}

/** The handler that returns a constant does not support WebSocket. */
function hasFloor(scenario: Scenario, { load }: Run): boolean {
  return scenario.hasFloor === true && !(load.kind === 'closed' && load.transport === 'websocket');
}

function checkBefore(
  { listed: { scenario }, run, stage: { world }, options }: RowPlan,
  targets: readonly Target[],
): Promise<Truth> {
  // Block numbers may be outdated by the time of the request: tags are replaced by a block that all targets have.
  const pinned = world.follows ? { ...world, blocks: ['latest'] } : world;
  const next = scenario.requests(pinned, randomOf(options.seed), run.part);
  const bodies: string[] = [];
  for (let calls = 0; bodies.length < CHECKED_REQUESTS && calls < CHECKED_CALLS_MAX;) {
    const request = next();
    calls += request.calls;
    bodies.push(request.body);
  }
  return truthOf(scenario, world, targets, bodies);
}

function rowOf(plan: RowPlan, pace: Pace, before: Truth, taken: ReadonlyMap<Target, TargetTurns>): Row {
  const { listed, run, stage, options } = plan;
  const targets = stage.targets.filter((target) => taken.has(target));
  const floor = targets.find(({ isFloor }) => isFloor);
  const floorCpuUs = floor === undefined ? null : cpuUsOf(taken.get(floor)!.turns);
  const turns = [...taken.values()].flatMap((one) => one.turns);
  const differences = [...before.differences, ...turns.flatMap((turn) => turn.differences)];
  const sides = targets.map((target) => {
    const { turns: own, gone } = taken.get(target)!;
    const figures = own.length === 0 ? null : figuresOf(own, pace, target.isFloor ? null : floorCpuUs);
    return sideOf(listed.scenario, kindOf(plan, pace), target, { figures, gone, differences });
  });
  return {
    scenario: listed.scenario.name,
    question: listed.scenario.question,
    run: run.name,
    load: loadText(run, pace, secondsOf(plan), options.beside),
    loadKind: kindOf(plan, pace),
    offered: pace.kind === 'rate' ? pace.perSecond : null,
    world: stage.world.name,
    sides,
    comparisons: comparisonsOf(sides),
    checkedBefore: before.checked,
    digests: before.digests,
    differences,
  };
}

/** A load at an overridden pace is an open loop, and a recording without pace a closed one. */
function kindOf({ run, options }: RowPlan, pace: Pace): LoadKind {
  if (run.load.kind === 'recorded' && pace.kind === 'closed') return 'closed';
  return pace === options.pace ? 'open' : run.load.kind;
}

/** Outcome of the turns of a target. */
interface Outcome {
  /** `null` without a turn. */
  readonly figures: Figures | null;
  /** The reason why turns are missing; `null`: none is. */
  readonly gone: string | null;
  readonly differences: readonly Difference[];
}

function sideOf(
  scenario: Scenario,
  kind: LoadKind,
  { name, isFloor }: Target,
  { figures, gone, differences }: Outcome,
): Side {
  const side = { target: name, isFloor };
  const wrong = differences.find((one) => one.target === name || (one.target === null && scenario.mayFail !== true));
  // Wrong responses void the figures; any other problem is a note.
  if (!isFloor && wrong !== undefined)
    return { ...side, void: `wrong answers: ${wrong.reason}`, notes: [], figures: null };
  if (figures === null) return { ...side, void: gone, notes: [], figures };
  const notes = [
    ...notesOf(figures, kind),
    ...(gone === null ? [] : [gone]),
    ...(differences.length === 0 ? [] : DIFFERING),
  ];
  return { ...side, void: voidReason(figures, kind, tolerated(scenario)), notes, figures };
}

function tolerated({ mayFail, mayRefuse }: Scenario): Tolerated {
  if (mayFail === true) return 'errors';
  return mayRefuse === true ? 'refusals' : 'nothing';
}
