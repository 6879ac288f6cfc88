// Endpoints that somebody else runs: the suite follows their chain as clients do and compares them, and a failing one
// does not affect the others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Generators } from '../../bench/suite/generator-host.js';
import { openGivenStage } from '../../bench/suite/given-stage.js';
import { leftOutLines } from '../../bench/suite/left-out.js';
import { pinned } from '../../bench/suite/pinned.js';
import type { Row } from '../../bench/suite/results.js';
import type { GivenPace } from '../../bench/suite/row-plan.js';
import { measureRow } from '../../bench/suite/row.js';
import type { NamedUrl } from '../../bench/suite/target.js';
import { replayed } from '../../bench/scenarios/replay.js';
import type { Scenario } from '../../bench/scenarios/scenario.js';
import { scenario as nonces } from '../../bench/scenarios/nonces.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { type FakeChain, type FakeChainOptions, startChain } from './fixtures/chain.js';

const KEPT = 128;
const SCENARIOS = new URL('../../bench/scenarios/', import.meta.url);

const fixedHead = (): number => 10;

function named(...own: readonly FakeChain[]): NamedUrl[] {
  return own.map(({ url }, i) => ({ name: `t${i}`, url }));
}

describe('endpoints that the bench did not start', () => {
  const chains: FakeChain[] = [];
  let generators: Generators;

  before(() => {
    generators = new Generators();
  });
  after(async () => {
    await generators.stop();
    for (const chain of chains) await chain.stop();
  });

  async function started(options: FakeChainOptions): Promise<FakeChain> {
    chains.push(await startChain(options));
    return chains.at(-1)!;
  }

  async function measure(
    scenario: Scenario,
    own: readonly FakeChain[],
    {
      pace = null,
      rounds = 1,
      seconds = 0.2,
      signal = new AbortController().signal,
      onLive = () => undefined,
    }: Partial<{
      pace: GivenPace | null;
      rounds: number;
      seconds: number;
      signal: AbortSignal;
      onLive: () => void;
    }> = {},
  ): Promise<Row> {
    const opened = await openGivenStage(named(...own), {}, 1000);
    const stage = await opened.now();
    const listed = { scenario, module: new URL(`${scenario.name}.js`, SCENARIOS).href };
    const run = { ...scenario.runs[0]!, load: { ...scenario.runs[0]!.load, connections: 4 } as never };
    const options = { seconds, warmUpSeconds: 0.05, warmUpsMax: 1, rounds, seed: 1, beside: null, pace };
    return measureRow({ listed, run, stage, options, parts: generators, signal, onLive });
  }

  test('on different chains are not compared, and the error names the difference', async () => {
    const [one, other, third] = [
      await started({ head: fixedHead }),
      await started({ head: fixedHead, chainId: 2 }),
      await started({ head: fixedHead, genesis: '0x8' }),
    ];
    await assert.rejects(
      openGivenStage(named(one, other), {}, 1000),
      /different chains: t0 has chain id 1, t1 has chain id 2$/,
    );
    await assert.rejects(openGivenStage(named(one, third), {}, 1000), /t0 has genesis 0x7, t1 has genesis 0x8$/);
    assert.equal((await openGivenStage(named(one, one), {}, 1000)).targets.length, 2);
  });

  test('are queried by tags and by block numbers, which keep up with a fast-moving head', async () => {
    let head = 1000;
    // Every request for the head finds it far from where it was.
    const chain = await started({ head: () => head, moved: () => (head += KEPT / 2), kept: KEPT });
    const row = await measure(nonces, [chain], { seconds: 2 });
    const { figures, void: reason } = row.sides[0]!;
    assert.equal(reason, null);
    assert.deepEqual(figures!.errors, {});
    assert.ok(
      chain.requested().length > 0 && chain.requested().length < figures!.succeeded,
      'numbers are named, and tags more often',
    );
  });

  test('are not queried for pending state if one of them does not support it', async () => {
    const [one, other] = [await started({ head: fixedHead }), await started({ head: fixedHead, hasNoPending: true })];
    const { world } = await openGivenStage(named(one, other), {}, 1000);
    assert.deepEqual([...new Set(world.blocks)], ['latest', '0xa', '0x8']);
    const row = await measure(nonces, [one, other]);
    assert.deepEqual(
      row.sides.map((side) => side.void),
      [null, null],
    );
  });

  test('are compared at one block while their heads move, so that a replay of both has numbers', async () => {
    let requested = 0;
    // Each request advances the chain: no two requests for the newest state have the same result.
    const head = (): number => 1000 + Math.floor(requested++ / 3);
    const own = [await started({ head }), await started({ head })];
    const call = { method: 'eth_getTransactionCount', params: [`0x${'22'.repeat(20)}`, 'latest'] };
    const file = temporaryFile(
      'requests.jsonl',
      `${JSON.stringify(call)}\n${JSON.stringify({ t_ms: 1, body: { jsonrpc: '2.0', id: 1, ...call } })}\n`,
    );
    const row = await measure(replayed(file, 0), own);
    assert.deepEqual([row.differences, row.loadKind], [[], 'closed']);
    for (const side of row.sides) assert.ok(side.figures!.succeeded > 0, side.void ?? '');
    const wrong = await measure(replayed(file, 0), [own[0]!, await started({ head, wrongBy: 5 })]);
    assert.equal(wrong.differences[0]!.reason, 'the targets differ');
    assert.ok(
      wrong.sides.every((side) => side.void === null),
      'recorded requests keep their numbers',
    );
    assert.match(wrong.sides[0]!.notes.join(), /not all targets answer the same/);
  });

  test('that die are void with the reason, and the others keep their numbers', async () => {
    const [stays, dies] = [await started({ head: fixedHead }), await started({ head: fixedHead })];
    const rows = [];
    let live = 0;
    const row = await measure(nonces, [stays, dies], {
      seconds: 1.2,
      rounds: 2,
      onLive: () => void (live++ === 0 && void dies.stop()),
    });
    rows.push(row, await measure(nonces, [stays, stays]));
    assert.equal(row.sides[0]!.void, null);
    assert.ok(row.sides[0]!.figures!.succeeded > 0);
    assert.match(row.sides[1]!.void!, /failed|does not answer/);
    assert.equal(rows[1]!.sides[1]!.void, null);
  });

  test('keep the numbers measured so far when the run is interrupted', async () => {
    const chain = await started({ head: () => 10 });
    const ending = new AbortController();
    ending.signal.addEventListener('abort', () => generators.cut());
    const row = await measure(nonces, [chain], {
      pace: { kind: 'rate', perSecond: 100 },
      seconds: 3600,
      signal: ending.signal,
      onLive: () => ending.abort(),
    });
    assert.ok(row.sides[0]!.figures!.succeeded > 0);
    assert.equal(row.sides[0]!.figures!.unsent, 0, 'what was due later was never due');
  });
});

test('skipped loads are listed in one line per reason', () => {
  assert.deepEqual(
    leftOutLines([
      { scenario: 'estimates', run: 'compute', reason: 'no such calls' },
      { scenario: 'freshness', run: 'frame', reason: 'needs a feed' },
      { scenario: 'estimates', run: '50 slots', reason: 'no such calls' },
      { scenario: 'overload', run: null, reason: 'no such calls' },
    ]),
    ['no such calls: estimates (compute; 50 slots), overload', 'needs a feed: freshness (frame)'],
  );
});

function body(block: string): string {
  const filter = { fromBlock: block, toBlock: block, topics: [['latest?']] };
  return JSON.stringify({ id: 1, method: 'eth_getLogs', params: [filter] });
}

test('latest and pending tags are replaced by a block number anywhere in the params', () => {
  assert.equal(pinned(body('latest'), '0x7'), body('0x7'));
  assert.equal(pinned(`[${body('pending')}]`, '0x7'), `[${body('0x7')}]`);
  assert.equal(pinned(body('safe'), '0x7'), body('safe'));
  assert.equal(pinned('no JSON', '0x7'), 'no JSON');
});
