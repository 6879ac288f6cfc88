// `npm run pace`: the reference's file, the tables, and the handling of rows without numbers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { randomOf } from '../../bench/load/random.js';
import { readPaceOptions } from '../../bench/own/pace-options.js';
import { callsIn, runs, scenario } from '../../bench/own/pace-rows.js';
import { behind, ceilingTable, type PaceFigures, type PaceRow, paceTable } from '../../bench/own/pace-table.js';
import { commitIn } from '../../bench/own/reference-build.js';
import type { World } from '../../bench/suite/world.js';

const COMMIT = '5e4a2b8a1520e173f825c3600cd371af189f7e72';

const spread = (value: number): PaceFigures['callsPerSecond'] => ({ median: value, low: value, high: value });
const spreadOrNull = (value: number | null): PaceFigures['cpuUs'] => (value === null ? null : spread(value));
const address = (digit: string): string => `0x${digit.repeat(40)}`;

function figures(perSecond: number, mainUs: number | null, allUs: number | null): PaceFigures {
  return { callsPerSecond: spread(perSecond), mainCpuUs: spreadOrNull(mainUs), cpuUs: spreadOrNull(allUs) };
}

function row(name: string, more: Partial<PaceRow> = {}): PaceRow {
  const [ours, reference] = [figures(30_000, 10, 30), figures(24_000, 12, 30)];
  return { name, connections: 64, calls: 1, isBusy: false, ours, reference, ...more };
}

/** Cells of a table row, counted from the header. */
function cells(table: string, line: number): string[] {
  const text = table.split('\n')[line] ?? '';
  const own = text.split('|').slice(1, -1);
  return own.map((cell) => cell.trim());
}

test('the baseline file names one full commit, and otherwise has only comments', () => {
  assert.equal(commitIn(`# why\n\n${COMMIT}\n`), COMMIT);
  for (const text of ['', '# why\n', '5e4a2b8\n', 'main\n', `${COMMIT}\n${COMMIT}\n`, `${COMMIT} # why\n`])
    assert.throws(() => commitIn(text), /pace\.reference: one line with a whole commit/);
  assert.match(
    commitIn(readFileSync(new URL('../../../bench/pace.reference', import.meta.url), 'utf8')),
    /^[0-9a-f]+$/,
  );
});

test('both ratios are above 1 where this build is ahead', () => {
  const table = paceTable([row('transfer')]);
  assert.deepEqual(cells(table, 2), ['transfer', '64', '30,000', '24,000', '1.25', '10.0', '12.0', '1.20']);
});

test('batch latencies are reported per request, not per call', () => {
  const table = paceTable([row('batch', { calls: 20 })]);
  assert.deepEqual(cells(table, 2), ['batch', '64', '1,500', '1,200', '1.25', '200', '240', '1.20']);
});

test('a side without numbers, or without processor times, has no ratio', () => {
  const table = paceTable([row('a', { ours: null }), row('b', { reference: figures(24_000, null, null) })]);
  assert.deepEqual(cells(table, 2), ['a', '64', 'no numbers', '24,000', '', '', '12.0', '']);
  assert.deepEqual(cells(table, 3), ['b', '64', '30,000', '24,000', '1.25', '10.0', '', '']);
});

test('rows that are not ahead are named, those without numbers too', () => {
  const even = figures(24_000, 10, 30);
  const rows = [row('ahead'), row('even', { ours: even }), row('void', { ours: null, connections: 1 })];
  assert.deepEqual(behind(rows), ['even at 64', 'void at 1']);
});

test("the ceiling is that of main's time with many connections, and the cores that the other threads want by then", () => {
  const alone = row('alone', { connections: 1 });
  const table = ceilingTable([alone, row('transfer'), row('busy', { isBusy: true }), row('batch', { calls: 20 })]);
  assert.equal(table.trimEnd().split('\n').length, 4);
  assert.deepEqual(cells(table, 2), ['transfer', '10.0', '100,000', '100,000', '20.0', '3.0']);
  assert.deepEqual(cells(table, 3), ['batch', '200', '5,000', '100,000', '400', '3.0']);
});

test('every row has distinct requests, with distinct ids within a batch', () => {
  const call = { from: '0x%f', to: `0x${'11'.repeat(20)}`, data: '0x%r%d' };
  const world: World = {
    name: '',
    blocks: ['pending'],
    follows: false,
    isStill: true,
    hot: [address('2'), address('3')],
    slots: [
      [address('4'), '0x0'],
      [address('4'), '0x1'],
    ],
    accounts: 100,
    senders: [address('5'), address('6')],
    calls: ['plain transfer', 'ERC-20 transfer', 'V2 router swap', 'compute', '50 slots'].map((name) => ({
      name,
      ...call,
    })),
    expensive: 'compute',
  };
  for (const run of new Map(runs.map((one) => [one.part, one])).values()) {
    const next = scenario.requests(world, randomOf(1), run.part);
    const bodies = Array.from({ length: 20 }, () => next());
    assert.ok(new Set(bodies.map(({ body }) => body)).size > 1, run.name);
    const parsed = [JSON.parse(bodies[0]!.body) as { id: number } | { id: number }[]].flat();
    assert.equal(parsed.length, callsIn(run), run.name);
    assert.equal(new Set(parsed.map(({ id }) => id)).size, callsIn(run), run.name);
  }
  const recipients = scenario.requests(world, randomOf(1), 'ERC-20, other recipients');
  const bodies = Array.from({ length: 50 }, () => recipients().body);
  assert.ok(bodies.every((body) => body.includes(address('5'))));
  assert.ok(new Set(bodies).size === bodies.length);
});

test('rows are selected by parts of their names; invalid arguments are refused', () => {
  assert.equal(readPaceOptions([]).runs.length, runs.length);
  const chosen = readPaceOptions(['transfer', '--seconds', '0.5']);
  assert.deepEqual(new Set(chosen.runs.map(({ part }) => part)), new Set(['transfer']));
  assert.equal(chosen.seconds, 0.5);
  assert.throws(() => readPaceOptions(['nothing']), /no such row; there are nonce; /);
  for (const flags of [['--seconds', '0'], ['--rounds', 'x'], ['--other']]) assert.throws(() => readPaceOptions(flags));
});
