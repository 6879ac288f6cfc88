// Every mutant still applies: what it is about is there, once. `mutants.ts`, `precompiles.ts` and `plain-reads.ts`
// show that each is found, which takes hours.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeKernelSources } from '../../src/evm/kernel/generate.js';
import { OPCODES } from '../support/programs/opcodes.js';
import { changeAddon, copySources } from './addon-change.js';
import { changeCompiler, COMPILER_MUTANTS, copyProgram } from './compiler-mutants.js';
import { FOREIGN_KERNEL_MUTANTS } from './foreign-mutants.js';
import { KERNEL_MUTANTS } from './kernel-mutants.js';
import { changeKernel } from './kernel-sources.js';
import { OPCODE_MUTANTS } from './opcode-mutants.js';
import { PLAIN_READ_MUTANTS } from './plain-read-mutants.js';
import { PRECOMPILE_MUTANTS } from './precompile-mutants.js';

const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
after(() => rmSync(folder, { recursive: true }));

void test('mutants of the kernel', () => {
  const sources = join(folder, 'sources');
  const copy = join(folder, 'copy');
  writeKernelSources(sources);
  cpSync(sources, copy, { recursive: true });
  for (const [name, mutant] of Object.entries({ ...KERNEL_MUTANTS, ...FOREIGN_KERNEL_MUTANTS })) {
    assert.doesNotThrow(() => changeKernel(copy, mutant), name);
    const [file] = mutant.place.split(/\.(?=\w+$)/);
    cpSync(join(sources, `${file}.ts`), join(copy, `${file}.ts`));
  }
});

for (const [part, mutants] of [
  ['precompiles', PRECOMPILE_MUTANTS],
  ['reads', PLAIN_READ_MUTANTS],
] as const) {
  void test(`mutants of the addon: ${part}`, () => {
    const copy = join(folder, part);
    for (const [name, mutant] of Object.entries(mutants)) {
      copySources(copy);
      assert.doesNotThrow(() => changeAddon(join(copy, part), mutant), name);
    }
  });
}

void test('mutants of the compiler', () => {
  const [sources, copy] = [join(folder, 'program'), join(folder, 'program-copy')];
  copyProgram(sources);
  cpSync(sources, copy, { recursive: true });
  for (const [name, mutant] of Object.entries(COMPILER_MUTANTS)) {
    assert.doesNotThrow(() => changeCompiler(copy, mutant), name);
    const file = join('evm/kernel/compiler', mutant.file);
    cpSync(join(sources, file), join(copy, file));
  }
});

void test('mutants of the reference', () => {
  for (const [name, { opcode }] of Object.entries(OPCODE_MUTANTS)) assert.ok(OPCODES.has(opcode), name);
});
