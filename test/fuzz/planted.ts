// Plants bugs, one at a time, and counts the random worlds until the fuzzer has found each: first in instructions of the
// reference, then in the kernel's sources. `node dist/test/fuzz/planted.js [part of a name]`. Ends with 1 when one is not found.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnginePair, type MakeEngine } from '../support/programs/compare.js';
import { referenceEngine } from '../support/programs/engines.js';
import { compileKernel } from './compile-kernel.js';
import { OPCODE_PLANTS, plantedReference } from './opcode-plants.js';
import { fuzz, WORLD_MS_MAX } from './fuzzer.js';
import { KERNEL_PLANTS, type KernelPlant } from './kernel-plants.js';

const PROGRAMS_MAX = 6000;
const FUZZER = fileURLToPath(new URL('kernel.js', import.meta.url));
const MODULE = new URL('planted-kernel.js', import.meta.url).href;
const SOURCES = fileURLToPath(new URL('../../../src/evm/kernel/assembly/', import.meta.url));

const wanted = process.argv[2] ?? '';
const isWanted = ([name]: readonly [string, unknown]): boolean => name.includes(wanted);
/** Worlds that it took, by what was planted; infinitely many where they were not enough. */
const worlds = new Map<string, number>();
const folder = mkdtempSync(join(tmpdir(), 'planted-'));

try {
  for (const [name, plant] of Object.entries(OPCODE_PLANTS).filter(isWanted)) await hunt(name, plantedReference(plant));
  await huntInKernels(Object.entries(KERNEL_PLANTS).filter(isWanted));
} finally {
  rmSync(folder, { recursive: true });
}
summarize();

async function hunt(name: string, wrong: MakeEngine): Promise<void> {
  const { programs, mismatches } = await fuzz(new EnginePair(referenceEngine, wrong, WORLD_MS_MAX), 1, PROGRAMS_MAX, 1);
  say(name, mismatches.length > 0 ? programs : Infinity);
}

/** The next kernel is compiled while one is hunted in. */
async function huntInKernels(plants: readonly (readonly [string, KernelPlant])[]): Promise<void> {
  let hunting = Promise.resolve();
  for (const [i, [name, plant]] of plants.entries()) {
    const kernel = await planted(plant, String(i));
    await hunting;
    hunting = huntInKernel(`kernel, ${name}`, kernel);
  }
  await hunting;
}

/** In a process of its own: a thread compiles the kernel once. */
async function huntInKernel(name: string, kernel: string): Promise<void> {
  const options = ['--mismatches', '1', '--programs', String(PROGRAMS_MAX), '--quiet'];
  const env = { ...process.env, PLANTED_KERNEL: kernel };
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

/** Compiles the kernel with the bug from a copy of its sources; answers where it lies. */
function planted({ find, replace }: KernelPlant, name: string): Promise<string> {
  const copy = join(folder, name);
  cpSync(SOURCES, copy, { recursive: true });
  const sources = readdirSync(copy).map((file) => [join(copy, file), readFileSync(join(copy, file), 'utf8')] as const);
  const places = sources.flatMap(([file, source]) =>
    source
      .split(find)
      .slice(1)
      .map(() => ({ file, source })),
  );
  if (places.length !== 1) throw new Error(`stands ${places.length} times in the kernel: ${find}`);
  const [{ file, source }] = places as [(typeof places)[number]];
  writeFileSync(
    file,
    source.replace(find, () => replace),
  );
  return compileKernel(copy);
}
