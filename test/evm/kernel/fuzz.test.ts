// A seeded part of `npm run fuzz`: both engines do the same in random worlds, and mutants of either are detected.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explain, fuzz } from '../../fuzz/fuzzer.js';
import { JobFuzzer } from '../../fuzz/job-fuzzer.js';
import { OPCODE_MUTANTS, mutatedReference } from '../../fuzz/opcode-mutants.js';
import { EnginePair, type MakeEngine } from '../../support/programs/compare.js';
import { candidateEngine, compiled, referenceEngine } from '../../support/programs/engines.js';
import { rounds } from '../../support/rounds.js';

const SEED = 7_000_000;
const PROGRAMS = rounds(100);
const JOBS = rounds(30);

void test('kernel and reference do the same in random worlds', async () => {
  const pair = new EnginePair(referenceEngine, candidateEngine);
  const { counts, mismatches } = await fuzz(pair, SEED, PROGRAMS, 1);
  for (const seed of mismatches) assert.fail(await explain(pair, seed));
  assertSeen(counts, PROGRAMS, { success: 0.3, revert: 0.03, halt: 0.15, 'need is exact': 0.2 });
  assert.equal(counts.get('thrown'), undefined);
  assert.ok(compiled.traces >= 3 * PROGRAMS, String(compiled.traces));
});

void test('kernel and reference treat non-EVM accounts alike in random worlds', async () => {
  const pair = new EnginePair(referenceEngine, candidateEngine, Infinity, true);
  const { counts, mismatches } = await fuzz(pair, SEED, PROGRAMS, 1);
  for (const seed of mismatches) assert.fail(await explain(pair, seed));
  assertSeen(counts, PROGRAMS, { foreign: 0.05, success: 0.1, halt: 0.1 });
  const jobs = await new JobFuzzer(referenceEngine, candidateEngine, undefined, true).fuzz(SEED, JOBS);
  assert.deepEqual(jobs.mismatches, []);
  assertSeen(jobs.counts, JOBS, { foreign: 0.35 });
});

void test('a job runner has the same results for random jobs on kernel and reference', async () => {
  const { counts, mismatches } = await new JobFuzzer(referenceEngine, candidateEngine).fuzz(SEED, JOBS);
  assert.deepEqual(mismatches, []);
  assertSeen(counts, JOBS, { gas: 0.7, return: 0.1, revert: 0.03, failure: 0.35 });
});

/**
 * Mutants in a result, in reads and in gas that are detected within twenty worlds; `test/fuzz/mutants.ts` has them all.
 */
const SOON = ['ADDMOD loses the carry', 'SELFDESTRUCT is dearer'];

void describe('random worlds find', () => {
  for (const name of SOON) {
    void test(`a mutant of the reference: ${name}`, () => found(mutatedReference(OPCODE_MUTANTS[name]!)));
  }

  void test('an engine that loses a log', () =>
    found((rules, state) => {
      const engine = referenceEngine(rules, state);
      const apply = engine.apply.bind(engine);
      engine.apply = async (...args) => {
        const applied = await apply(...args);
        return { ...applied, logs: applied.logs.slice(1) };
      };
      return engine;
    }));

  void test('an engine whose minimum gas is one too low', () =>
    found((rules, state) => {
      const engine = referenceEngine(rules, state);
      const execute = engine.execute.bind(engine);
      engine.execute = async (...args) => {
        const execution = await execute(...args);
        return { ...execution, need: execution.need - (execution.need > 60_000n ? 1n : 0n) };
      };
      return engine;
    }));
});

/** Each name occurs in at least this share of all worlds or jobs. */
function assertSeen(counts: ReadonlyMap<string, number>, all: number, shares: Readonly<Record<string, number>>): void {
  for (const [name, share] of Object.entries(shares))
    assert.ok((counts.get(name) ?? 0) >= share * all, `${name}: ${counts.get(name)} of ${all}`);
}

async function found(wrong: MakeEngine): Promise<void> {
  const { mismatches } = await fuzz(new EnginePair(referenceEngine, wrong), SEED, PROGRAMS, 1);
  assert.equal(mismatches.length, 1);
}
