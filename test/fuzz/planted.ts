// Plants bugs, one at a time, and counts the random worlds until the fuzzer has found each: first in instructions of the
// reference, then in the kernel's sources. `node dist/test/fuzz/planted.js [part of a name]`. Ends with 1 when one is not found.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnginePair, type MakeEngine } from '../support/programs/compare.js';
import { referenceEngine } from '../support/programs/engines.js';
import { compileKernel } from './compile-kernel.js';
import { OPCODE_PLANTS, plantedReference } from './opcode-plants.js';
import { fuzz } from './fuzzer.js';
import { KERNEL_PLANTS, type KernelPlant } from './kernel-plants.js';

const PROGRAMS_MAX = 3000;
/** Some of the reference's are rarer. */
const REFERENCE_PROGRAMS_MAX = 20_000;
const FUZZER = fileURLToPath(new URL('kernel.js', import.meta.url));
const MODULE = new URL('planted-kernel.js', import.meta.url).href;
const SOURCES = fileURLToPath(new URL('../../../src/evm/kernel/assembly/', import.meta.url));

const wanted = process.argv[2] ?? '';
const isWanted = ([name]: readonly [string, unknown]): boolean => name.includes(wanted);

for (const [name, plant] of Object.entries(OPCODE_PLANTS).filter(isWanted)) await hunt(name, plantedReference(plant));
for (const [name, plant] of Object.entries(KERNEL_PLANTS).filter(isWanted)) huntInKernel(name, plant);

async function hunt(name: string, wrong: MakeEngine): Promise<void> {
  const { programs, mismatches } = await fuzz(new EnginePair(referenceEngine, wrong), 1, REFERENCE_PROGRAMS_MAX, 1);
  say(name, programs, mismatches.length > 0);
}

/** In a process of its own: a thread compiles the kernel once. */
function huntInKernel(name: string, plant: KernelPlant): void {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  const options = ['--mismatches', '1', '--programs', String(PROGRAMS_MAX), '--quiet'];
  try {
    const env = { ...process.env, PLANTED_KERNEL: planted(plant, folder) };
    const { stdout } = spawnSync(process.execPath, ['--import', MODULE, FUZZER, ...options], {
      env,
      encoding: 'utf8',
    });
    const programs = Number([...stdout.matchAll(/^(\d+) programs/gm)].at(-1)?.[1]);
    say(`kernel, ${name}`, programs, /^mismatches: \d/m.test(stdout));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function say(name: string, programs: number, found: boolean): void {
  process.stdout.write(`${found ? `found after ${programs}` : 'NOT FOUND'}: ${name}\n`);
  if (!found) process.exitCode = 1;
}

/** Compiles the kernel with the bug from a copy of its sources; answers where it lies. */
function planted({ file, find, replace }: KernelPlant, folder: string): string {
  cpSync(SOURCES, folder, { recursive: true });
  const source = readFileSync(join(folder, file), 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} does not hold exactly once: ${find}`);
  writeFileSync(
    join(folder, file),
    source.replace(find, () => replace),
  );
  return compileKernel(folder);
}
