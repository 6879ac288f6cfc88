// Mutants are run at night. This checks at every run that each of them can be applied to the sources, and that those of
// the kernel compile.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeKernelSources } from '../../src/evm/kernel/generate-sources.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ADDON_SOURCES, changedAddonSource } from './addon-change.js';
import { compileKernel } from './compile-kernel.js';
import { BUILT_COMPILER, COMPILER_MUTANTS } from './compiler-mutants.js';
import { KERNEL_MUTANTS } from './kernel-mutants.js';
import { changedKernelSource, changeKernel, type KernelChange } from './kernel-sources.js';
import { NON_EVM_KERNEL_MUTANTS } from './non-evm-mutants.js';
import { PLAIN_READ_MUTANTS } from './plain-read-mutants.js';
import { PRECOMPILE_MUTANTS } from './precompile-mutants.js';

/** Names of the mutants that cannot be applied, and why. */
function inapplicable<Mutant>(mutants: Readonly<Record<string, Mutant>>, apply: (mutant: Mutant) => void): string[] {
  return Object.entries(mutants).flatMap(([name, mutant]) => {
    try {
      apply(mutant);
      return [];
    } catch (error) {
      return [`${name}: ${(error as Error).message}`];
    }
  });
}

void test('every mutant of the kernel can be applied to its sources', () => {
  const folder = temporaryFolder();
  writeKernelSources(folder);
  for (const mutants of [KERNEL_MUTANTS, NON_EVM_KERNEL_MUTANTS])
    assert.deepEqual(
      inapplicable(mutants, (mutant) => changedKernelSource(folder, mutant)),
      [],
    );
});

void test('mutants of the kernel compile', async () => {
  let left: readonly KernelChange[] = [KERNEL_MUTANTS, NON_EVM_KERNEL_MUTANTS].flatMap((all) => Object.values(all));
  // Each compilation has every mutant whose text the others before it have left as it was.
  while (left.length > 0) {
    const folder = temporaryFolder();
    writeKernelSources(folder);
    const others = left.filter((mutant) => !isApplied(folder, mutant));
    assert.ok(others.length < left.length, 'none of them can be applied');
    left = others;
    await compileKernel(folder);
  }
});

function isApplied(folder: string, mutant: KernelChange): boolean {
  try {
    changeKernel(folder, mutant);
    return true;
  } catch {
    return false;
  }
}

const IN_FILES = {
  'the JIT compiler': [COMPILER_MUTANTS, BUILT_COMPILER],
  'plain reads': [PLAIN_READ_MUTANTS, join(ADDON_SOURCES, 'reads')],
  precompiles: [PRECOMPILE_MUTANTS, join(ADDON_SOURCES, 'precompiles')],
} as const;

for (const [what, [mutants, folder]] of Object.entries(IN_FILES))
  void test(`every mutant of ${what} can be applied to its sources`, () => {
    assert.deepEqual(
      inapplicable(mutants, (mutant) => changedAddonSource(folder, mutant)),
      [],
    );
  });
