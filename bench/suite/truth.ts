// Verifies responses: against the scenario's checks, and among the targets. Runs in the bench.
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { textOf } from '../load/ask.js';
import type { Sample } from '../load/loop.js';
import type { Exchange, Scenario } from '../scenarios/scenario.js';
import { commonBlock, isOfNode, isPinned, pinned } from './pinned.js';
import type { Target } from './target.js';
import type { World } from './world.js';

/** A call and its outcome. */
interface AnsweredCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly outcome:
    | { readonly kind: 'result'; readonly result: unknown }
    | { readonly kind: 'error'; readonly code: string };
}

/** A response that is wrong, or differs among targets. */
export interface Difference {
  readonly request: string;
  /** By target. */
  readonly answers: Readonly<Record<string, string>>;
  /** The target that is wrong; `null`: they differ, and it is unknown which one is right. */
  readonly target: string | null;
  readonly reason: string;
}

/** Digests of one target's verified results, by method. Equal digests mean equal results. */
export type Digests = Readonly<Record<string, string>>;

export interface Truth {
  readonly checked: number;
  readonly digests: Readonly<Record<string, Digests>>;
  readonly differences: readonly Difference[];
}

/** Maximum number of reported differences. */
const DIFFERENCES_MAX = 10;
const SHOWN_LENGTH = 300;
/** On a moving chain a difference counts if it persists over this many attempts, at this interval. */
const ATTEMPTS_MAX = 5;
const RETRY_MS = 150;

/** Sends the same requests to every target and compares; on a moving chain at one block that all have. */
export async function truthOf(
  scenario: Scenario,
  world: World,
  targets: readonly Target[],
  bodies: readonly string[],
): Promise<Truth> {
  const differences: Difference[] = [];
  const hashes = targets.map(() => new Map<string, ReturnType<typeof createHash>>());
  let checked = 0;
  // Stops at the maximum: otherwise a target that hangs would cost a hundred timeouts.
  for (; checked < bodies.length && differences.length < DIFFERENCES_MAX; checked++) {
    const { answered, found } = await compare(scenario, world, targets, bodies[checked]!);
    answered.forEach((calls, i) => digest(hashes[i]!, calls));
    differences.push(...found);
  }
  const digests = Object.fromEntries(targets.map(({ name }, i) => [name, digestsOf(hashes[i]!)]));
  return { checked, digests, differences: differences.slice(0, DIFFERENCES_MAX) };
}

/** All responses to a body and their differences; on a moving chain those that persist over several attempts. */
async function compare(
  scenario: Scenario,
  world: World,
  targets: readonly Target[],
  body: string,
): Promise<{ readonly answered: readonly AnsweredCall[][]; readonly found: readonly Difference[] }> {
  const exchange = world.follows ? pinned(body, await commonBlock(targets)) : body;
  for (let attempts = 1; ; attempts++) {
    const texts = await Promise.all(targets.map((target) => textOf(target, exchange).catch(() => '')));
    const answered = texts.map((text) => answeredCallsIn(exchange, text));
    const found = differencesIn(scenario, world, targets, answered);
    if (found.length === 0 || !world.follows || attempts === ATTEMPTS_MAX) return { answered, found };
    await setTimeout(RETRY_MS);
  }
}

/**
 * Verifies a target's responses under load: with the scenario's checks, and on a static state, or at a block number,
 * against the response of `reference` afterwards, without load (of the target itself, if targets need not agree on the
 * method). Errors are ignored, as they have been counted already.
 */
export async function checkSamples(
  scenario: Scenario,
  world: World,
  target: Target,
  reference: { readonly target: Target; readonly samplesMax: number },
  samples: readonly Sample[],
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for (const [i, { body, answer }] of samples.entries()) {
    const loaded = answeredCallsIn(body, answer);
    for (const answered of loaded) differences.push(...ownFaults(scenario, world, target, answered, true));
    if (!(world.isStill || isPinned(body)) || i >= reference.samplesMax) continue;
    const judge = loaded.some(({ method }) => isOfNode(method)) ? target : reference.target;
    const quiet = answeredCallsIn(body, await textOf(judge, body).catch(() => ''));
    const hasBoth = (at: number): boolean => [loaded, quiet].every((calls) => calls[at]?.outcome.kind === 'result');
    const changed = loaded.findIndex((answered, at) => hasBoth(at) && shown(answered) !== shown(quiet[at]!));
    if (changed < 0) continue;
    const answers = {
      [`${target.name}, loaded`]: shown(loaded[changed]!),
      [judge === target ? `${target.name}, at rest` : judge.name]: shown(quiet[changed]!),
    };
    differences.push({ request: requestText(loaded[changed]!), answers, target: null, reason: 'differs under load' });
  }
  return differences.slice(0, DIFFERENCES_MAX);
}

/** JSON with sorted keys: equal values have equal strings. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}

function differencesIn(
  scenario: Scenario,
  world: World,
  targets: readonly Target[],
  answered: readonly (readonly AnsweredCall[])[],
): Difference[] {
  const own = targets.flatMap((target, i) =>
    answered[i]!.flatMap((call) => ownFaults(scenario, world, target, call, false)),
  );
  if (own.length > 0 || !(world.isStill || world.follows)) return own;
  const [first = [], ...others] = answered;
  const differs = (call: AnsweredCall, i: number): boolean => others.some((calls) => shown(calls[i]!) !== shown(call));
  const at = first.findIndex((call, i) => !isOfNode(call.method) && differs(call, i));
  if (at < 0) return [];
  const answers = Object.fromEntries(
    targets.map(({ name }, i) => [name, shown(answered[i]![at]!).slice(0, SHOWN_LENGTH)]),
  );
  return [{ request: requestText(first[at]!), answers, target: null, reason: 'the targets differ' }];
}

function ownFaults(
  scenario: Scenario,
  world: World,
  target: Target,
  answered: AnsweredCall,
  mayFail: boolean,
): Difference[] {
  const reason = faultIn(scenario, world, answered, mayFail || scenario.mayFail === true);
  if (reason === null) return [];
  const answers = { [target.name]: shown(answered).slice(0, SHOWN_LENGTH) };
  return [{ request: requestText(answered), answers, target: target.name, reason }];
}

function faultIn(
  scenario: Scenario,
  world: World,
  { method, params, outcome }: AnsweredCall,
  mayFail: boolean,
): string | null {
  if (outcome.kind === 'error') return mayFail ? null : `error ${outcome.code} of a target at rest`;
  const exchange: Exchange = { method, params, result: outcome.result };
  return scenario.fault(world, exchange);
}

/** The calls of a body, each with its response, matched by id. */
function answeredCallsIn(body: string, answer: string): AnsweredCall[] {
  const calls = listIn(body) as readonly {
    readonly id?: unknown;
    readonly method?: unknown;
    readonly params?: unknown;
  }[];
  const answers = listIn(answer) as readonly RpcAnswer[];
  return calls.map(({ id, method, params }) => {
    const own = answers.find((one) => one.id === id) ?? (calls.length === 1 ? answers[0] : undefined);
    return { method: String(method), params: Array.isArray(params) ? params : [], outcome: outcomeOf(own) };
  });
}

interface RpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown } | null;
}

/** The objects of a request or batch; recorded bodies need not be JSON. */
function listIn(text: string): readonly object[] {
  try {
    const parsed = JSON.parse(text) as unknown;
    return (Array.isArray(parsed) ? parsed : [parsed]).map((one: unknown) =>
      typeof one === 'object' && one !== null ? one : {},
    );
  } catch {
    return [{}];
  }
}

function outcomeOf(answer: RpcAnswer | undefined): AnsweredCall['outcome'] {
  if (answer === undefined) return { kind: 'error', code: 'no answer' };
  if (answer.error !== undefined && answer.error !== null) return { kind: 'error', code: String(answer.error.code) };
  return 'result' in answer ? { kind: 'result', result: answer.result } : { kind: 'error', code: 'no answer' };
}

function shown({ outcome }: AnsweredCall): string {
  return outcome.kind === 'result' ? canonical(outcome.result) : `error ${outcome.code}`;
}

function requestText({ method, params }: AnsweredCall): string {
  return `${method} ${JSON.stringify(params)}`.slice(0, SHOWN_LENGTH);
}

function digest(hashes: Map<string, ReturnType<typeof createHash>>, calls: readonly AnsweredCall[]): void {
  for (const call of calls) {
    const hash = hashes.get(call.method) ?? createHash('sha256');
    hashes.set(call.method, hash.update(requestText(call)).update(shown(call)));
  }
}

function digestsOf(hashes: ReadonlyMap<string, ReturnType<typeof createHash>>): Digests {
  return Object.fromEntries([...hashes].map(([method, hash]) => [method, hash.digest('hex').slice(0, 16)]));
}
