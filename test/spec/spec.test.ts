// The command for official tests, on a set with the library's expected results: passes what is right, and reports what
// is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFile } from '../support/temporary-folder.js';
import { fillBlockchainTest, fillStateTest } from './filler.js';
import type { Result } from './fixture.js';
import { genesisConfig } from './networks.js';
import { SpecFiles } from './spec-file.js';
import { Summary } from './summary.js';
import { rounds } from '../support/rounds.js';

const SEEDS = rounds(6);
const FORKS = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'];

const files = new SpecFiles();

function run(tests: object): Promise<Result[]> {
  return files.run(temporaryFile('tests.json', JSON.stringify(tests)));
}

function resultOf(name: string, verdict: Result['verdict']): Result {
  return { name, fork: 'Osaka', verdict };
}

function passed(results: readonly Result[], count: number): void {
  const wrong = results.filter(({ verdict }) => verdict.status !== 'passed');
  assert.deepEqual(wrong, []);
  assert.equal(results.length, count);
}

test('state tests: kernel and reference have the roots of the library', async () => {
  const filled = await Promise.all(Array.from({ length: SEEDS }, (_, seed) => fillStateTest(BigInt(seed))));
  const tests = filled.filter((one) => one !== null);
  assert.ok(tests.length > SEEDS / 2, 'the judge takes most of them');
  passed(await run(Object.fromEntries(tests.map((one, seed) => [`world ${seed}`, one]))), tests.length);
});

test('blockchain tests: valid blocks are imported, the invalid one between them is refused', async () => {
  const tests = await Promise.all(FORKS.map(fillBlockchainTest));
  passed(await run(Object.fromEntries(tests.map((one) => [one.network, one]))), FORKS.length);
});

test('an unexpected result fails on both engines, with one line', async () => {
  const right = await fillStateTest(0n);
  const [[fork, [post]]] = Object.entries(right!.post) as [[string, [never]]];
  const cases = [
    [{ hash: `0x${'11'.repeat(32)}` }, /^state root 0x[0-9a-f]{64}, expected 0x11/],
    [{ logs: `0x${'22'.repeat(32)}` }, /^logs hash 0x[0-9a-f]{64}, expected 0x22/],
    [{ expectException: 'TransactionException.X' }, /^accepted, though it is invalid: TransactionException\.X$/],
    [{ txbytes: '0x02c0' }, /^refused: /],
  ] as const;
  for (const [change, reason] of cases) {
    const [result] = await run({ wrong: { ...right!, post: { [fork]: [{ ...(post as object), ...change }] } } });
    assert.ok(result!.verdict.status === 'failed');
    assert.match(result!.verdict.reason, reason);
  }
  const chain = await fillBlockchainTest('cancun');
  const invalid = { ...chain, blocks: [chain.blocks[0]!, { ...chain.blocks[2]!, expectException: 'NONE' }] };
  const [accepted] = await run({ invalid });
  assert.deepEqual(accepted!.verdict, { status: 'failed', reason: 'block 2 is accepted: NONE' });
});

test('network names map to genesis configurations, transitions included; others are skipped by name', () => {
  assert.deepEqual(genesisConfig('BerlinToLondonAt5'), {
    ...(genesisConfig('Berlin') as object),
    londonBlock: 5,
  });
  const times = genesisConfig('CancunToPragueAtTime15k') as Record<string, number>;
  assert.deepEqual([times['cancunTime'], times['pragueTime'], times['osakaTime']], [0, 15_000, undefined]);
  assert.match(genesisConfig('ArrowGlacierToParisAtDiffC0000') as string, /not known/);
  assert.equal(genesisConfig('Bogota'), 'the network Bogota is not known here');
});

test('the summary counts by fork, and passes with known failures', () => {
  const summary = new Summary((failure) => (failure === 'r' ? 'of a reason' : null));
  const results = [
    resultOf('a', { status: 'passed' }),
    resultOf('known', { status: 'failed', reason: 'r' }),
    resultOf('b', { status: 'skipped', reason: 's' }),
  ];
  summary.add({ file: 'x.json', results, error: null });
  assert.ok(summary.isGreen);
  summary.add({ file: 'y.json', results: [resultOf('c', { status: 'failed', reason: 'wrong' })], error: null });
  assert.ok(!summary.isGreen);
  assert.equal(
    summary.text(5),
    'failed: c at Osaka (y.json): wrong\n' +
      'Osaka: 1 passed, 1 failed, 1 known to fail, 1 skipped\n' +
      '1 known to fail: of a reason\n1 skipped: s\n' +
      'all: 1 passed, 1 failed, 1 known to fail, 1 skipped\n',
  );
});
