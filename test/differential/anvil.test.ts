// Sends random requests to two programs on one genesis: anvil (revm) is the reference for our responses.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { after, before, describe, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { Server } from '../support/server.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { type Answer, type Question, queryAll, endOf } from './conversation.js';
import { CHAIN_ID, GAS_LIMIT, genesisText, quantity } from './genesis.js';
import { Peer } from './peer.js';
import { type CallObject, inAnotherBlock, read, request, type Request } from './requests.js';
import { type AccessList, givenIn, itemsOf, listOf, sameList } from './lists.js';
import { type Frame, differ, haltsInside, readsGas } from './trace.js';
import { asAnvilExpects, traceParamsOf } from './anvil-conventions.js';
import { type Case, agrees, explain, explainList } from './explain-difference.js';
import { rounds } from '../support/rounds.js';

/** Another seed generates other requests. */
const SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? 20_261_121);
const REQUESTS = Number(process.env['DIFFERENTIAL_REQUESTS'] ?? rounds(200));
const READS = rounds(150);
const OTHER_BLOCKS = rounds(100);
/** A reason for differing lists. */
const RUNS_ONCE = 'anvil does not look at what its own list lets the call pay for';

/** Both programs' gas estimates. */
interface Estimate {
  readonly request: Request;
  readonly ours: bigint;
  readonly anvil: bigint;
}

/** Both programs' responses to a call with our estimate as its gas, and with one less. */
interface Proof extends Estimate {
  readonly at: readonly [ours: Answer, anvil: Answer];
  readonly below: readonly [ours: Answer, anvil: Answer];
}

void describe('anvil agrees', () => {
  let ours: Server;
  let anvil: Peer;
  const requests = fc.sample(request, { seed: SEED, numRuns: REQUESTS });
  const estimates: Estimate[] = [];

  before(async () => {
    const file = temporaryFile('genesis.json', genesisText());
    ours = await Server.start('--genesis', file, '--gas-cap', `${GAS_LIMIT}`, '--workers', '1');
    anvil = await Peer.start(file, CHAIN_ID, GAS_LIMIT);
  });

  after(() => Promise.all([ours?.stop(), anvil?.stop()]));

  /** Queries both, adapted to each one's conventions. */
  async function queryBoth(
    questions: readonly (readonly [method: string, asked: Request])[],
  ): Promise<[Answer, Answer][]> {
    const [own, theirs] = await Promise.all([
      queryAll(
        ours.url,
        questions.map(([method, requested]) => ({ method, params: paramsOf(requested) })),
      ),
      queryAll(
        anvil.url,
        questions.map(([method, requested]) => ({ method, params: paramsOf(asAnvilExpects(method, requested)) })),
      ),
    ]);
    return own.map((answer, i) => [answer, theirs[i]!]);
  }

  /**
   * Sends every request by `method` and counts the reasons for differences. Returns the pairs that no reason explains.
   */
  async function compare(method: string, counts: Counts): Promise<Case[]> {
    const answers = await queryBoth(requests.map((requested) => [method, requested]));
    const cases = answers.map(([own, theirs], i) => ({ request: requests[i]!, ours: own, anvil: theirs }));
    if (method === 'eth_estimateGas') estimates.push(...cases.flatMap(estimateOf));
    return cases.filter((requested) => !counts.add(explain(requested)));
  }

  test('anvil reads the same balances, nonces, code and storage', async (t) => {
    const reads: Question[] = fc.sample(read, { seed: SEED, numRuns: READS });
    const [own, theirs] = await Promise.all([queryAll(ours.url, reads), queryAll(anvil.url, reads)]);
    const differing = reads.filter((_, i) => own[i]!.kind !== 'value' || !agrees(own[i]!, theirs[i]!));
    assert.deepEqual(differing.slice(0, 5), []);
    t.diagnostic(`${READS} reads: the same`);
  });

  test('anvil answers the same calls alike', async (t) => {
    const counts = new Counts();
    nothing(await compare('eth_call', counts));
    counts.tell(t, 'calls');
    assert.ok(counts.of('same value') * 3 > REQUESTS, 'most calls should succeed');
  });

  test('anvil runs calls with the same block overrides, in any of their spellings', async (t) => {
    const others = fc.sample(inAnotherBlock, { seed: SEED, numRuns: OTHER_BLOCKS });
    const questions = others.map((requested) => ({ method: 'eth_call', params: paramsOf(requested) }));
    const [own, theirs] = await Promise.all([queryAll(ours.url, questions), queryAll(anvil.url, questions)]);
    const differing = others.filter((_, i) => own[i]!.kind !== 'value' || !agrees(own[i]!, theirs[i]!));
    assert.deepEqual(differing.slice(0, 3), []);
    t.diagnostic(`${OTHER_BLOCKS} calls in other blocks: the same`);
  });

  test('anvil estimates the same calls alike', async (t) => {
    const counts = new Counts();
    const left = await compare('eth_estimateGas', counts);
    nothing(left.filter(({ ours: own, anvil: theirs }) => own.kind !== 'value' || theirs.kind !== 'value'));
    counts.count('different values, tried below', left.length);
    counts.tell(t, 'estimates');
  });

  test('anvil needs the estimated gas: with one less something else happens', async (t) => {
    const counts = new Counts();
    const proofs = await prove(estimates);
    const unexplained: unknown[] = [];
    for (const proof of proofs) {
      const reason = await whyEstimate(proof);
      if (!counts.add(reason)) unexplained.push(proof);
    }
    counts.tell(t, 'estimates tried');
    nothing(unexplained);
  });

  test('anvil lists the same accounts and slots', async (t) => {
    const counts = new Counts();
    // anvil does not support overrides here.
    const plain = requests.filter(
      (requested) => requested.stateOverride === null && requested.blockOverride === undefined,
    );
    const unexplained: unknown[] = [];
    for (const [i, [own, theirs]] of (await listBoth(plain)).entries()) {
      const reason = await whyListed(plain[i]!, own, theirs);
      if (!counts.add(reason)) unexplained.push([plain[i], own, theirs]);
    }
    counts.tell(t, 'access lists');
    nothing(unexplained);
    assert.ok(counts.of('same list') > 0);
  });

  async function listBoth(some: readonly Request[]): Promise<[Answer, Answer][]> {
    const method = 'eth_createAccessList';
    const [own, theirs] = await Promise.all([
      queryAll(
        ours.url,
        some.map(({ call }) => ({ method, params: [call, 'latest'] })),
      ),
      listInAnvil(some.map((requested) => listedInAnvil(requested.call, givenIn(requested.call)))),
    ]);
    return own.map((answer, i) => [answer, theirs[i]!]);
  }

  async function listInAnvil(calls: readonly CallObject[]): Promise<Answer[]> {
    return queryAll(
      anvil.url,
      calls.map((call) => ({ method: 'eth_createAccessList', params: [call, 'latest'] })),
    );
  }

  /** The reason why two responses differ; null if there is none. */
  async function whyListed(requested: Request, own: Answer, theirs: Answer): Promise<string | null> {
    const end = endOf(own);
    if (end.kind === 'revert' && theirs.kind === 'revert') return 'same revert';
    const known = end.kind === 'value' ? null : explainList({ request: requested, ours: end, anvil: theirs });
    if (known !== null) return known;
    if (own.kind === 'halt' && own.text.startsWith('execution aborted')) {
      const [trace = null] = await traces(requested, [capOf(requested)]);
      const isAboutGas =
        theirs.kind === 'gas' || (trace !== null && (readsGas(trace, requested) || haltsInside(trace)));
      return isAboutGas ? 'the price of the list decides what it names, which no list fits' : null;
    }
    if (own.kind !== 'value') return null;
    const list = listOf(own.value);
    if (end.kind === 'value' && theirs.kind === 'value') return whyLists(requested, list, listOf(theirs.value));
    // A list pays for the code after it, or costs too much: with our list, anvil must end the way we do.
    const [again] = await listInAnvil([listedInAnvil(requested.call, list)]);
    if (again === undefined || end.kind !== again.kind) return null;
    if (again.kind === 'gas') return RUNS_ONCE;
    return again.kind === 'value' && sameList(requested, list, listOf(again.value)) !== null ? RUNS_ONCE : null;
  }

  /** The reason why two lists differ; null if there is none. */
  async function whyLists(requested: Request, own: AccessList, theirs: AccessList): Promise<string | null> {
    const known = sameList(requested, own, theirs);
    if (known !== null) return known;
    // Repeated with its own list until it no longer changes, as go-ethereum does internally, anvil must arrive at ours.
    const [again] = await listInAnvil([listedInAnvil(requested.call, theirs)]);
    if (again?.kind !== 'value') return null;
    const more = listOf(again.value);
    if (isDeepStrictEqual(itemsOf(more), itemsOf(theirs))) return null;
    return (await whyLists(requested, own, more)) === null ? null : RUNS_ONCE;
  }

  async function prove(some: readonly Estimate[]): Promise<Proof[]> {
    const questions = some.flatMap(({ request: requested, ours: gas }) => [
      withGas(requested, gas),
      withGas(requested, gas - 1n),
    ]);
    const answers = await queryBoth(questions.map((requested) => ['eth_call', requested]));
    return some.map((estimate, i) => ({ ...estimate, at: answers[2 * i]!, below: answers[2 * i + 1]! }));
  }

  /** The reason why our estimate differs from anvil's; null if there is none. */
  async function whyEstimate({
    request: requested,
    ours: own,
    anvil: theirs,
    at,
    below,
  }: Proof): Promise<string | null> {
    const [atOurs, atAnvil] = at;
    const [belowOurs, belowAnvil] = below;
    if (atOurs.kind !== 'value') return null;
    if (!agrees(atOurs, atAnvil)) return explain({ request: requested, ours: atOurs, anvil: atAnvil });
    if (explain({ request: requested, ours: belowOurs, anvil: belowAnvil }) === null) return null;
    const known = explain({ request: requested, ours: gasAnswer(own), anvil: gasAnswer(theirs) });
    const [atOwn = null, under = null, atTheirs = null, atCap = null] = await traces(requested, [
      own,
      own - 1n,
      theirs,
      capOf(requested),
    ]);
    if (atOwn === null) return null;
    const mayDiffer = atCap === null || readsGas(atCap, requested) || haltsInside(atCap);
    if (!mayDiffer && differ(atOwn, atCap)) return null;
    if (belowAnvil.kind === 'value') {
      if (differ(atOwn, under)) return 'less would let a call inside run out of gas, which the code passes over';
      return haltsInside(atOwn) ? 'a call inside that halts is given all of the amount that the code names' : null;
    }
    if (known !== null) return `least; ${own === theirs ? 'anvil says the same' : known}`;
    if (theirs === own + 1n) return 'least; anvil never tries the least that its search begins above';
    if (theirs < own && differ(atOwn, atTheirs))
      return 'anvil found an amount further down that only the outermost code survives';
    return readsGas(atOwn, requested) && theirs > own
      ? 'least; anvil found another amount, in code that looks at its gas'
      : null;
  }

  /** anvil's frames at these gas limits; null if execution does not start. */
  async function traces(requested: Request, limits: readonly bigint[]): Promise<(Frame | null)[]> {
    const questions = limits.map((gas) => ({
      method: 'debug_traceCall',
      params: traceParamsOf(asAnvilExpects('eth_call', withGas(requested, gas)), { tracer: 'callTracer' }),
    }));
    const answers = await queryAll(anvil.url, questions);
    return answers.map((answer) => (answer.kind === 'value' ? (answer.value as Frame) : null));
  }
});

/** Counts how often each reason applied. */
class Counts {
  readonly #counts = new Map<string, number>();

  /** False if there is no reason to count. */
  add(reason: string | null): boolean {
    if (reason === null) return false;
    this.count(reason, 1);
    return true;
  }

  count(reason: string, times: number): void {
    this.#counts.set(reason, this.of(reason) + times);
  }

  of(reason: string): number {
    return this.#counts.get(reason) ?? 0;
  }

  tell(t: TestContext, what: string): void {
    const lines = [...this.#counts]
      .sort(([, a], [, b]) => b - a)
      .map(([reason, count]) => `${what}: ${count} ${reason}`);
    for (const line of lines) t.diagnostic(line);
  }
}

function withBigInts(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? quantity(value) : value;
}

function nothing(left: readonly unknown[]): void {
  const texts = left.slice(0, 3).map((requested) => JSON.stringify(requested, withBigInts));
  assert.equal(left.length, 0, `seed ${SEED}: ${left.length} differences without a reason:\n${texts.join('\n')}`);
}

function estimateOf({ request: requested, ours: own, anvil: theirs }: Case): Estimate[] {
  if (own.kind !== 'value' || theirs.kind !== 'value') return [];
  return [{ request: requested, ours: BigInt(own.value as string), anvil: BigInt(theirs.value as string) }];
}

/** The gas cap of an estimate, regardless of funds. */
function capOf({ call: { gas } }: Request): bigint {
  return gas !== undefined && BigInt(gas) >= 21_000n ? BigInt(gas) : BigInt(GAS_LIMIT);
}

function gasAnswer(gas: bigint): Answer {
  return { kind: 'value', value: quantity(gas) };
}

function withGas(requested: Request, gas: bigint): Request {
  return { ...requested, call: { ...requested.call, gas: quantity(gas) } };
}

/** A call whose list anvil is to compute, starting from this list. */
function listedInAnvil(call: CallObject, accessList: AccessList): CallObject {
  const given = call.accessList === undefined && accessList.length === 0 ? {} : { accessList };
  return asAnvilExpects('eth_createAccessList', { call: { ...call, ...given }, stateOverride: null }).call;
}

function paramsOf({ call, stateOverride, blockOverride }: Request): unknown[] {
  return [call, 'latest', stateOverride ?? {}, blockOverride ?? {}];
}
