// Truth of answers: a scenario's knowledge of them, and whether all targets say the same. Runs in the bench.
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { textOf } from '../load/ask.js';
import type { Sample } from '../load/loop.js';
import type { Exchange, Scenario } from '../scenarios/scenario.js';
import { commonBlock, isOfNode, isPinned, pinned } from './pinned.js';
import type { Target } from './target.js';
import type { World } from './world.js';

/** A call and what came of it. */
interface Said {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly outcome:
    | { readonly kind: 'result'; readonly result: unknown }
    | { readonly kind: 'error'; readonly code: string };
}

/** An answer that is wrong, or not the same everywhere. */
export interface Difference {
  readonly request: string;
  /** By target. */
  readonly answers: Readonly<Record<string, string>>;
  /** The target that is wrong; `null`: they differ, and who is right is not known. */
  readonly target: string | null;
  readonly reason: string;
}

/** Digests of one target that were checked: one of all its results by method. Equal digests, equal answers. */
export type Digests = Readonly<Record<string, string>>;

export interface Truth {
  readonly checked: number;
  readonly digests: Readonly<Record<string, Digests>>;
  readonly differences: readonly Difference[];
}

/** Differences that are told; all count. */
const TOLD_MAX = 10;
const SHOWN_LENGTH = 300;
/** On a chain that moves on a difference counts that is there at each of so many looks, with so much time between. */
const LOOKS_MAX = 5;
const AGAIN_MS = 150;

/** Asks every target the same and compares; on a chain that moves on about one block that all have. */
export async function truthOf(
  scenario: Scenario,
  world: World,
  targets: readonly Target[],
  bodies: readonly string[],
): Promise<Truth> {
  const differences: Difference[] = [];
  const hashes = targets.map(() => new Map<string, ReturnType<typeof createHash>>());
  let checked = 0;
  // With as many as are told it is known that they differ: a target that hangs would be waited for a hundred times.
  for (; checked < bodies.length && differences.length < TOLD_MAX; checked++) {
    const { said, found } = await compare(scenario, world, targets, bodies[checked]!);
    said.forEach((calls, i) => digest(hashes[i]!, calls));
    differences.push(...found);
  }
  const digests = Object.fromEntries(targets.map(({ name }, i) => [name, digestsOf(hashes[i]!)]));
  return { checked, digests, differences: differences.slice(0, TOLD_MAX) };
}

/** All answers to a body, and how they differ; on a chain that moves on how they still differ after some looks. */
async function compare(
  scenario: Scenario,
  world: World,
  targets: readonly Target[],
  body: string,
): Promise<{ readonly said: readonly Said[][]; readonly found: readonly Difference[] }> {
  const exchange = world.follows ? pinned(body, await commonBlock(targets)) : body;
  for (let looks = 1; ; looks++) {
    const texts = await Promise.all(targets.map((target) => textOf(target, exchange).catch(() => '')));
    const said = texts.map((text) => saidIn(exchange, text));
    const found = differencesIn(scenario, world, targets, said);
    if (found.length === 0 || !world.follows || looks === LOOKS_MAX) return { said, found };
    await setTimeout(AGAIN_MS);
  }
}

/**
 * Checks answers that a target gave under load: by what the scenario knows, and on a state that stands still, or about
 * a block that is named by its number, against what `reference` says afterwards, unloaded. Errors have been counted
 * already and are none of its business.
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
    const loaded = saidIn(body, answer);
    for (const said of loaded) differences.push(...ownFaults(scenario, world, target, said, true));
    if (!(world.isStill || isPinned(body)) || i >= reference.samplesMax) continue;
    const quiet = saidIn(body, await textOf(reference.target, body).catch(() => ''));
    const hasBoth = (at: number): boolean => [loaded, quiet].every((calls) => calls[at]?.outcome.kind === 'result');
    const changed = loaded.findIndex((said, at) => hasBoth(at) && shown(said) !== shown(quiet[at]!));
    if (changed < 0) continue;
    const answers = {
      [`${target.name}, loaded`]: shown(loaded[changed]!),
      [reference.target.name]: shown(quiet[changed]!),
    };
    differences.push({ request: requestText(loaded[changed]!), answers, target: null, reason: 'differs under load' });
  }
  return differences.slice(0, TOLD_MAX);
}

/** JSON with sorted keys: equal values, equal texts. */
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
  said: readonly (readonly Said[])[],
): Difference[] {
  const own = targets.flatMap((target, i) =>
    said[i]!.flatMap((call) => ownFaults(scenario, world, target, call, false)),
  );
  if (own.length > 0 || !(world.isStill || world.follows)) return own;
  const [first = [], ...others] = said;
  const differs = (call: Said, i: number): boolean => others.some((calls) => shown(calls[i]!) !== shown(call));
  const at = first.findIndex((call, i) => !isOfNode(call.method) && differs(call, i));
  if (at < 0) return [];
  const answers = Object.fromEntries(targets.map(({ name }, i) => [name, shown(said[i]![at]!).slice(0, SHOWN_LENGTH)]));
  return [{ request: requestText(first[at]!), answers, target: null, reason: 'the targets differ' }];
}

function ownFaults(scenario: Scenario, world: World, target: Target, said: Said, mayFail: boolean): Difference[] {
  const reason = faultIn(scenario, world, said, mayFail || scenario.mayFail === true);
  if (reason === null) return [];
  const answers = { [target.name]: shown(said).slice(0, SHOWN_LENGTH) };
  return [{ request: requestText(said), answers, target: target.name, reason }];
}

function faultIn(scenario: Scenario, world: World, { method, params, outcome }: Said, mayFail: boolean): string | null {
  if (outcome.kind === 'error') return mayFail ? null : `error ${outcome.code} of a target at rest`;
  const exchange: Exchange = { method, params, result: outcome.result };
  return scenario.fault(world, exchange);
}

/** The calls of a body, each with its answer, which is found by the id. */
function saidIn(body: string, answer: string): Said[] {
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

/** The objects of a text that is one or a batch of them; recorded bodies need not be JSON. */
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

function outcomeOf(answer: RpcAnswer | undefined): Said['outcome'] {
  if (answer === undefined) return { kind: 'error', code: 'no answer' };
  if (answer.error !== undefined && answer.error !== null) return { kind: 'error', code: String(answer.error.code) };
  return 'result' in answer ? { kind: 'result', result: answer.result } : { kind: 'error', code: 'no answer' };
}

function shown({ outcome }: Said): string {
  return outcome.kind === 'result' ? canonical(outcome.result) : `error ${outcome.code}`;
}

function requestText({ method, params }: Said): string {
  return `${method} ${JSON.stringify(params)}`.slice(0, SHOWN_LENGTH);
}

function digest(hashes: Map<string, ReturnType<typeof createHash>>, calls: readonly Said[]): void {
  for (const call of calls) {
    const hash = hashes.get(call.method) ?? createHash('sha256');
    hashes.set(call.method, hash.update(requestText(call)).update(shown(call)));
  }
}

function digestsOf(hashes: ReadonlyMap<string, ReturnType<typeof createHash>>): Digests {
  return Object.fromEntries([...hashes].map(([method, hash]) => [method, hash.digest('hex').slice(0, 16)]));
}
