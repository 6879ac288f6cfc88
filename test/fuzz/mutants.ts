// Runs mutants, one at a time, and counts the random worlds until the fuzzer detects each: those of the reference's
// instructions, of the kernel's compiler, and of the kernel's sources. `node dist/test/fuzz/mutants.js [part of a
// name]`. Exits with 1 if one is not detected.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeKernelSources } from '../../src/evm/kernel/generate-sources.js';
import { EnginePair, type MakeEngine } from '../support/programs/compare.js';
import { referenceEngine } from '../support/programs/engines.js';
import { compileKernel } from './compile-kernel.js';
import { COMPILER_MUTANTS, mutatedCompiler } from './compiler-mutants.js';
import { NON_EVM_KERNEL_MUTANTS, NON_EVM_REFERENCE_MUTANTS } from './non-evm-mutants.js';
import { OPCODE_MUTANTS, mutatedReference } from './opcode-mutants.js';
import { fuzz, WORLD_MS_MAX } from './fuzzer.js';
import { KERNEL_MUTANTS } from './kernel-mutants.js';
import { changeKernel, type KernelChange } from './kernel-sources.js';

const PROGRAMS_MAX = 6000;
const FUZZER = fileURLToPath(new URL('./kernel.js', import.meta.url));
const MODULE = new URL('./mutated-kernel.js', import.meta.url).href;

const wanted = process.argv[2] ?? '';
const isWanted = ([name]: readonly [string, unknown]): boolean => name.includes(wanted);
/** Number of worlds until detection, by mutant; infinity if they were not enough. */
const worlds = new Map<string, number>();
const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
/** Inside the project, so that packages are found. */
const copies = mkdtempSync(fileURLToPath(new URL('./mutants-', import.meta.url)));

try {
  for (const [name, mutant] of Object.entries(OPCODE_MUTANTS).filter(isWanted))
    await runFuzzer(name, mutatedReference(mutant));
  for (const [i, [name, mutant]] of Object.entries(COMPILER_MUTANTS).filter(isWanted).entries())
    await runFuzzer(`compiler, ${name}`, await mutatedCompiler(mutant, join(copies, String(i))));
  for (const [name, engine] of Object.entries(NON_EVM_REFERENCE_MUTANTS).filter(isWanted))
    await runFuzzer(name, engine, true);
  await runFuzzerOnKernels(Object.entries(KERNEL_MUTANTS).filter(isWanted), []);
  await runFuzzerOnKernels(Object.entries(NON_EVM_KERNEL_MUTANTS).filter(isWanted), ['--foreign']);
} finally {
  for (const made of [folder, copies]) rmSync(made, { recursive: true });
}
summarize();

async function runFuzzer(name: string, wrong: MakeEngine, hasNonEvm = false): Promise<void> {
  const pair = new EnginePair(referenceEngine, wrong, WORLD_MS_MAX, hasNonEvm);
  const { programs, mismatches } = await fuzz(pair, 1, PROGRAMS_MAX, 1);
  say(name, mismatches.length > 0 ? programs : Infinity);
}

/** Compiles the next kernel while the fuzzer runs on one. `flags` are the fuzzer's. */
async function runFuzzerOnKernels(
  mutants: readonly (readonly [string, KernelChange])[],
  flags: readonly string[],
): Promise<void> {
  let hunting = Promise.resolve();
  for (const [i, [name, mutant]] of mutants.entries()) {
    const kernel = await compileMutant(mutant, `${flags.join('')}${i}`);
    await hunting;
    hunting = runFuzzerOnKernel(`kernel, ${name}`, kernel, flags);
  }
  await hunting;
}

/** In its own process, because a thread compiles the kernel only once. */
async function runFuzzerOnKernel(name: string, kernel: string, flags: readonly string[]): Promise<void> {
  const options = ['--mismatches', '1', '--programs', String(PROGRAMS_MAX), '--quiet', ...flags];
  const env = { ...process.env, MUTATED_KERNEL: kernel };
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--import', MODULE, FUZZER, ...options], { env }, (_, output) => resolve(output));
  });
  const programs = Number([...stdout.matchAll(/^(\d+) programs/gm)].at(-1)?.[1]);
  say(name, /^mismatches: \d/m.test(stdout) ? programs : Infinity);
}

function say(name: string, programs: number): void {
  worlds.set(name, programs);
  process.stdout.write(`${programs < Infinity ? `found after ${programs}` : 'NOT FOUND'}: ${name}\n`);
}

function summarize(): void {
  const counts = [...worlds].toSorted(([, a], [, b]) => a - b);
  const found = counts.filter(([, count]) => count < Infinity);
  const [median, last] = [found[found.length >> 1], found.at(-1)];
  process.stdout.write(`found ${found.length} of ${counts.length}`);
  if (median !== undefined && last !== undefined)
    process.stdout.write(`, half of them after ${median[1]} worlds, the last after ${last[1]}: ${last[0]}`);
  process.stdout.write('\n');
  if (found.length < counts.length) process.exitCode = 1;
}

/** Compiles the kernel with the bug; returns its path. */
function compileMutant(mutant: KernelChange, name: string): Promise<string> {
  const sources = join(folder, name);
  writeKernelSources(sources);
  changeKernel(sources, mutant);
  return compileKernel(sources);
}
