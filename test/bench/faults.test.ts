// The suite against targets with planted faults: each is reported as what it is. Times are only bounded from below, by
// the target's minimum delay, since they are longer on a busy machine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Generators } from '../../bench/suite/generator-host.js';
import type { Row, Side } from '../../bench/suite/results.js';
import { measureRow } from '../../bench/suite/row.js';
import { standing } from '../../bench/suite/stage.js';
import type { World } from '../../bench/suite/world.js';
import {
  type Fault,
  type FaultyTarget,
  honest,
  lying,
  failing,
  refusing,
  slowEach,
  stallEach,
  startTarget,
} from './fixtures/target.js';
import { scenario } from './fixtures/scenario.js';

const MODULE = new URL('./fixtures/scenario.js', import.meta.url).href;
const RATE = 300;
const STALL_MS = 1000;
const SLOW_MS = 150;
/** A stall starts in the first half of a two-second round, and ends within it. */
const STALL_EVERY = 300;

const world: World = {
  name: 'test',
  blocks: ['latest'],
  follows: false,
  isStill: true,
  hot: [],
  slots: [],
  accounts: 1000,
  senders: [],
  calls: [],
  expensive: '',
};

describe('a target with planted faults', () => {
  let generators: Generators;
  const started: FaultyTarget[] = [];

  before(() => {
    generators = new Generators();
  });
  after(async () => {
    for (const target of started) await target.stop();
    await generators.stop();
  });

  async function measure(seconds: number, ...faults: readonly (readonly [string, Fault])[]): Promise<Row> {
    const targets = [];
    for (const [name, fault] of faults) {
      started.push(await startTarget(name, fault));
      targets.push(started.at(-1)!.target);
    }
    const stage = standing({ world, targets, feed: null, stop: () => Promise.resolve() });
    const pace = { kind: 'rate', perSecond: RATE } as const;
    const options = { seconds, warmUpSeconds: 0.05, warmUpsMax: 1, rounds: 1, seed: 1, beside: null, pace };
    const listed = { scenario, module: MODULE };
    const { signal } = new AbortController();
    return measureRow({ listed, run: scenario.runs[0]!, stage, options, parts: generators, signal, onLive: null });
  }

  test('slow answers and a stall are in the tail of the open loop', async () => {
    const row = await measure(2, ['slow', slowEach(100, SLOW_MS)], ['stalling', stallEach(STALL_EVERY, STALL_MS)]);
    const [slow, stalling] = row.sides as [Side, Side];
    assert.ok(slow.figures!.latency.p999 >= SLOW_MS * 0.99, `${slow.figures!.latency.p999} ms`);
    const { latency } = stalling.figures!;
    assert.ok(latency.p999 >= STALL_MS * 0.9, `${latency.p999} ms`);
    // Requests that were scheduled in that second waited half a second on average.
    assert.ok(latency.mean * latency.count >= (RATE * STALL_MS) / 2 / 2, `${latency.mean} ms of ${latency.count}`);
  });

  test('early errors do not count as fast responses: the row is void, with the reason', async () => {
    const { sides, comparisons } = await measure(1, ['honest', honest], ['refusing', refusing]);
    const { figures, void: reason } = sides[1]!;
    assert.match(reason!, /of the calls failed: -32005 x/);
    assert.ok(figures!.errors['-32005']! > 0);
    assert.equal(figures!.latency.count, figures!.succeeded);
    assert.equal(figures!.refusals.count, figures!.errors['-32005']);
    assert.deepEqual(comparisons, []);
  });

  test('wrong results void the numbers, and are listed with their request', async () => {
    const { sides, differences } = await measure(1, ['lying', lying], ['honest', honest]);
    const [wrong] = sides;
    assert.match(wrong!.void!, /^wrong answers/);
    assert.equal(wrong!.figures, null);
    const [difference] = differences;
    assert.equal(difference!.target, 'lying');
    assert.match(difference!.request, /^eth_getTransactionCount \["0x/);
    assert.match(difference!.reason, /^the nonce is \d+, not 0x0$/);
  });

  test('targets whose results differ on an idle chain both get no numbers', async () => {
    const { sides, differences } = await measure(0.2, ['honest', honest], ['other', failing]);
    assert.match(sides[1]!.void!, /error -32000 of a target at rest/);
    assert.equal(differences.length, 1);
  });
});
