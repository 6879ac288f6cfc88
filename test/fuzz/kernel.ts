// Fuzzes the kernel against the reference: `npm run fuzz -- --programs 50000 --seed 1`. Exits with 1 if they differ.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { EnginePair } from '../support/programs/compare.js';
import { candidateEngine, compiled, fallbacks, referenceEngine } from '../support/programs/engines.js';
import { nextSeed, parseSeed } from '../support/programs/random.js';
import { OPCODES } from '../support/programs/opcodes.js';
import { counting, type Coverage } from './coverage.js';
import { explain, fuzz, WORLD_MS_MAX, type Tally } from './fuzzer.js';
import { JobFuzzer } from './job-fuzzer.js';

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '10000' },
    /** A 64-bit number, decimal or 0x; `random` chooses one and prints it. */
    seed: { type: 'string', default: '1' },
    mismatches: { type: 'string', default: '5' },
    /** Shows a single seed. */
    show: { type: 'string' },
    /** Does not explain mismatches. */
    quiet: { type: 'boolean', default: false },
    /** Some accounts of the worlds are non-EVM accounts. */
    foreign: { type: 'boolean', default: false },
  },
});
/** Worlds between two lines of progress. */
const CHUNK = 1000;
/** Jobs run on one in this many worlds. */
const WORLDS_PER_JOBS = 20;

if (values.show === undefined) await run(firstSeed(values.seed), Number(values.programs));
else process.stdout.write(`${await explain(plainPair(), parseSeed(values.show))}\n`);

function plainPair(): EnginePair {
  return new EnginePair(referenceEngine, candidateEngine, WORLD_MS_MAX, values.foreign);
}

/** The first seed of the run; a random one is printed, so that the run can be repeated. */
function firstSeed(text: string): bigint {
  if (text !== 'random') return parseSeed(text);
  const seed = randomBytes(8).readBigUInt64LE();
  process.stdout.write(`seed ${seed}\n`);
  return seed;
}

async function run(seed: bigint, programs: number): Promise<void> {
  const coverage: Coverage = new Map();
  const pair = new EnginePair(counting(coverage), candidateEngine, WORLD_MS_MAX, values.foreign);
  const total: Tally = { programs: 0, counts: new Map(), mismatches: [] };
  const begin = performance.now();
  while (total.programs < programs && total.mismatches.length < Number(values.mismatches)) {
    const left = Number(values.mismatches) - total.mismatches.length;
    add(total, await fuzz(pair, nextSeed(seed, total.programs), Math.min(CHUNK, programs - total.programs), left));
    const rate = (total.programs * 1000) / (performance.now() - begin);
    process.stdout.write(
      `${total.programs} programs, ${rate.toFixed(0)}/s, ${line(total.counts)}, mismatches ${total.mismatches.length}\n`,
    );
  }
  await report(total, coverage);
  if (!values.quiet) await jobs(seed, Math.ceil(programs / WORLDS_PER_JOBS));
}

/** Estimates and calls, as the estimators run them. */
async function jobs(seed: bigint, worlds: number): Promise<void> {
  const { counts, mismatches } = await new JobFuzzer(
    referenceEngine,
    candidateEngine,
    WORLD_MS_MAX,
    values.foreign,
  ).fuzz(seed, worlds);
  process.stdout.write(`jobs: ${line(counts)}, mismatches: ${mismatches.join('\n') || 'none'}\n`);
  if (mismatches.length > 0) process.exitCode = 1;
}

function add(total: Tally, part: Tally): void {
  total.programs += part.programs;
  total.mismatches.push(...part.mismatches);
  for (const [name, count] of part.counts) total.counts.set(name, (total.counts.get(name) ?? 0) + count);
}

async function report(total: Tally, coverage: Coverage): Promise<void> {
  // The library rejects INVALID before executing it.
  const never = [...OPCODES.keys()].filter((name) => !coverage.has(name) && name !== 'INVALID');
  const lines = [
    `reached: ${line(new Map([...coverage].toSorted(([, a], [, b]) => a - b)))}`,
    `never reached: ${never.join(' ') || 'none'}`,
    `fallbacks: ${line(fallbacks) || 'none'}`,
    `traces compiled: ${compiled.traces}`,
    `mismatches: ${total.mismatches.join(' ') || 'none'}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  for (const seed of values.quiet ? [] : total.mismatches)
    process.stdout.write(`\n${await explain(plainPair(), seed)}\n`);
  process.exitCode = total.mismatches.length > 0 ? 1 : 0;
}

function line(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}
