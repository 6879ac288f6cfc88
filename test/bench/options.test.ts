// The suite's command line, and comparisons of two runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf } from '../../bench/suite/comparison.js';
import { readCommandAndConfig } from '../../bench/suite/options.js';
import { changeTable } from '../../bench/suite/table.js';
import { sampleResults } from './fixtures/results.js';

test('endpoints on other machines are refused, unless they are allowed', () => {
  const remote = ['--target', 'a=http://192.0.2.1:8545'];
  assert.throws(() => readCommandAndConfig(remote), /not on this machine/);
  assert.equal(readCommandAndConfig([...remote, '--allow-remote']).kind, 'run');
  assert.throws(() => readCommandAndConfig(['--beside', 'http://192.0.2.1:8545']), /not on this machine/);
  for (const url of ['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'https://127.0.0.1'])
    assert.equal(readCommandAndConfig(['--target', `a=${url}`]).kind, 'run');
});

test('contradictory arguments are refused in one line', () => {
  const faults: readonly (readonly [string[], RegExp])[] = [
    [['--target', 'http://127.0.0.1:1'], /NAME=http/],
    [['--target', 'a=ws://127.0.0.1:1'], /NAME=http/],
    [['--target', 'a=http://127.0.0.1:1', '--insecure'], /--insecure requires/],
    [['--target', 'a=http://127.0.0.1:1', '--peer', 'http://127.0.0.1:2'], /exclude each other/],
    [['--target', 'a=http://127.0.0.1:1', '--target', 'a=http://127.0.0.1:2'], /same name/],
    [['--rate', 'x'], /--rate x/],
    [['--compare', 'one.json'], /two files/],
    [['--nope'], /nope/],
  ];
  for (const [args, message] of faults) assert.throws(() => readCommandAndConfig(args), message);
});

test('a peer needs no name', () => {
  const command = readCommandAndConfig([
    'reads',
    '--peer',
    'http://127.0.0.1:8545',
    '--rate',
    '20000',
    '--seconds',
    '10',
  ]);
  assert.ok(command.kind === 'run');
  assert.deepEqual(command.options.peers, [{ name: 'peer', url: 'http://127.0.0.1:8545' }]);
  assert.deepEqual(command.options.scenarios, ['reads']);
  assert.deepEqual([command.options.pace, command.options.seconds], [{ kind: 'rate', perSecond: 20_000 }, 10]);
});

test('background load goes to the URL of --beside', () => {
  const [own, other] = [readCommandAndConfig([]), readCommandAndConfig(['overload', '--beside', 'http://127.0.0.1:2'])];
  assert.ok(own.kind === 'run' && other.kind === 'run');
  assert.deepEqual([own.options.beside, other.options.beside], [null, 'http://127.0.0.1:2']);
});

test('a run compared with itself shows no difference; a faster one does, per target', () => {
  const older = sampleResults();
  const same = changesOf(older, older);
  assert.ok(same.length > 0);
  assert.ok(same.every(({ comparison }) => comparison.callsPerSecond?.differs === false));
  assert.match(changeTable(same), /no difference/);
  const [first] = older.rows;
  const faster = first!.sides.map((side) => ({
    ...side,
    figures: { ...side.figures!, rounds: doubled(side.figures!.rounds) },
  }));
  const [change] = changesOf(older, { ...older, rows: [{ ...first!, sides: faster }] });
  assert.equal(change!.comparison.callsPerSecond!.differs, true);
  assert.equal(Math.round(change!.comparison.callsPerSecond!.ratio * 100), 200);
});

function doubled<T extends { readonly callsPerSecond: readonly number[] }>(rounds: T): T {
  return { ...rounds, callsPerSecond: rounds.callsPerSecond.map((value) => 2 * value) };
}
