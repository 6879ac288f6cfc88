// One row: checks the answers, warms up, takes the rounds in turns, and makes figures of them. Runs in the bench.
import { randomOf } from '../load/random.js';
import type { Pace } from '../load/schedule.js';
import type { Run, Scenario } from '../scenarios/scenario.js';
import { comparisonsOf } from './comparison.js';
import { cpuUsOf, figuresOf, notesOf, type Tolerated, voidReason } from './figures.js';
import { loadText, paceOf, sendsRequests } from './pace.js';
import type { Figures, Row, Side } from './results.js';
import { type CheckedTurn, takeRounds } from './rounds.js';
import type { RowPlan } from './row-plan.js';
import type { Target } from './target.js';
import { type Difference, type Truth, truthOf } from './truth.js';
import { secondsOf } from './turn-job.js';
import { warmUp } from './warm-up.js';

/** Requests asked of every target beforehand, and calls in them at most. */
const CHECKED_REQUESTS = 100;
const CHECKED_CALLS_MAX = 2000;
/** Measures one load at every target of the stage. */
export async function measureRow(whole: RowPlan): Promise<Row> {
  const plan = whole.run.isOfFirst === true ? ofFirst(whole) : whole;
  const { listed, run, stage, options } = plan;
  const targets = targetsOf(hasFloor(listed.scenario, run), stage.targets);
  const checked = await checkBefore(plan);
  const rates = sendsRequests(run.load) ? await warmUp(plan, targets) : { first: 0, slowest: 0 };
  const pace = paceOf(run.load, options.rate, rates);
  const turns = await takeRounds(plan, pace, targets);
  return rowOf(plan, pace, checked, turns);
}

function ofFirst(plan: RowPlan): RowPlan {
  return { ...plan, stage: { ...plan.stage, targets: plan.stage.targets.slice(0, 1) } };
}

function targetsOf(withFloor: boolean, targets: readonly Target[]): readonly Target[] {
  return targets.filter(({ isFloor }) => withFloor || !isFloor);
}

/** The handler that answers a constant knows no WebSocket. */
function hasFloor(scenario: Scenario, { load }: Run): boolean {
  return scenario.hasFloor === true && !(load.kind === 'closed' && load.transport === 'websocket');
}

function checkBefore({ listed: { scenario }, run, stage: { world, targets }, options }: RowPlan): Promise<Truth> {
  const next = scenario.requests(world, randomOf(options.seed), run.part);
  const bodies: string[] = [];
  for (let calls = 0; bodies.length < CHECKED_REQUESTS && calls < CHECKED_CALLS_MAX;) {
    const request = next();
    calls += request.calls;
    bodies.push(request.body);
  }
  return truthOf(scenario, world, targetsOf(false, targets), bodies);
}

function rowOf(plan: RowPlan, pace: Pace, before: Truth, turns: ReadonlyMap<Target, readonly CheckedTurn[]>): Row {
  const { listed, run, stage, options } = plan;
  const targets = [...turns.keys()];
  const floor = targets.find(({ isFloor }) => isFloor);
  const floorCpuUs = floor === undefined ? null : cpuUsOf(turns.get(floor)!);
  const differences = [...before.differences, ...[...turns.values()].flat().flatMap((turn) => turn.differences)];
  const sides = targets.map((target) =>
    sideOf(plan, target, figuresOf(turns.get(target)!, pace, target.isFloor ? null : floorCpuUs), differences),
  );
  return {
    scenario: listed.scenario.name,
    question: listed.scenario.question,
    run: run.name,
    load: loadText(run, pace, secondsOf(plan), options.beside),
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

function sideOf({ listed, run }: RowPlan, target: Target, figures: Figures, differences: readonly Difference[]): Side {
  const { name, isFloor } = target;
  const { kind } = run.load;
  const wrong = isFloor ? undefined : differences.find((one) => one.target === null || one.target === name);
  const side = { target: name, isFloor };
  // Wrong answers have no figures; whatever else went wrong is told with them.
  if (wrong !== undefined) return { ...side, void: `wrong answers: ${wrong.reason}`, notes: [], figures: null };
  const reason = voidReason(figures, kind, tolerated(listed.scenario));
  return { ...side, void: reason, notes: notesOf(figures, kind), figures };
}

function tolerated({ mayFail, mayRefuse }: Scenario): Tolerated {
  if (mayFail === true) return 'errors';
  return mayRefuse === true ? 'refusals' : 'nothing';
}
