// A seeded slice of `npm run fuzz`: both engines do the same in random worlds, and mutants of either are found.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explain, fuzz } from '../../fuzz/fuzzer.js';
import { JobFuzzer } from '../../fuzz/job-fuzzer.js';
import { OPCODE_MUTANTS, mutatedReference } from '../../fuzz/opcode-mutants.js';
import { EnginePair, type MakeEngine } from '../../support/programs/compare.js';
import { candidateEngine, compiled, referenceEngine } from '../../support/programs/engines.js';

const SEED = 7_000_000;
const PROGRAMS = 400;

void test('kernel and reference do the same in random worlds', async () => {
  const pair = new EnginePair(referenceEngine, candidateEngine);
  const { counts, mismatches } = await fuzz(pair, SEED, PROGRAMS, 1);
  for (const seed of mismatches) assert.fail(await explain(pair, seed));
  for (const [name, least] of Object.entries({ success: 120, revert: 15, halt: 60, 'need is exact': 80 }))
    assert.ok((counts.get(name) ?? 0) >= least, `${name}: ${counts.get(name)}`);
  assert.equal(counts.get('thrown'), undefined);
  assert.ok(compiled.traces >= 3 * PROGRAMS, String(compiled.traces));
});

void test('kernel and reference meet foreign accounts alike in random worlds', async () => {
  const pair = new EnginePair(referenceEngine, candidateEngine, Infinity, true);
  const { counts, mismatches } = await fuzz(pair, SEED, PROGRAMS, 1);
  for (const seed of mismatches) assert.fail(await explain(pair, seed));
  for (const [name, least] of Object.entries({ foreign: 40, success: 40, halt: 40 }))
    assert.ok((counts.get(name) ?? 0) >= least, `${name}: ${counts.get(name)}`);
  const jobs = await new JobFuzzer(referenceEngine, candidateEngine, undefined, true).fuzz(SEED, 80);
  assert.deepEqual(jobs.mismatches, []);
  assert.ok((jobs.counts.get('foreign') ?? 0) >= 30, `${jobs.counts.get('foreign')}`);
});

void test('a job runner answers random jobs the same on kernel and reference', async () => {
  const { counts, mismatches } = await new JobFuzzer(referenceEngine, candidateEngine).fuzz(SEED, 80);
  assert.deepEqual(mismatches, []);
  for (const [kind, least] of Object.entries({ gas: 60, return: 10, revert: 5, failure: 30 }))
    assert.ok((counts.get(kind) ?? 0) >= least, `${kind}: ${counts.get(kind)}`);
});

/** Of a result, of what is read and of gas, found within twenty worlds; `test/fuzz/mutants.ts` has all. */
const SOON = ['ADDMOD loses the carry', 'EXTCODEHASH of nobody is that of nothing', 'SELFDESTRUCT is dearer'];

void describe('random worlds find mutants', () => {
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

  void test('an engine whose need is one too low', () =>
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

async function found(wrong: MakeEngine): Promise<void> {
  const { mismatches } = await fuzz(new EnginePair(referenceEngine, wrong), SEED, PROGRAMS, 1);
  assert.equal(mismatches.length, 1);
}
