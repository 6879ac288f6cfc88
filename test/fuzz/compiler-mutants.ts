// Mutants of the kernel's JIT compiler: bugs in its built JavaScript, each a change of one line at most. Does a fuzzer
// detect them?
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { NATIVE_FIRST_PRECOMPILES } from '../../src/evm/precompiles/precompile-implementations.js';
import type { MakeEngine } from '../support/programs/compare.js';
import { EAGER } from '../support/programs/engines.js';
import { changeAddon, type AddonChange } from './addon-change.js';

const BUILT = fileURLToPath(new URL('../../src/', import.meta.url));
const COMPILER = 'evm/kernel/compiler';
/** The built compiler. */
export const BUILT_COMPILER = join(BUILT, COMPILER);

/** Copies the built program to `folder`, without its front end, whose addons are most of its size. */
export function copyProgram(folder: string): void {
  const frontEnd = join(BUILT, 'http');
  cpSync(BUILT, folder, { recursive: true, filter: (from) => from !== frontEnd });
}

/** Applies the mutant to a copy of the program. Throws unless the text to replace occurs exactly once. */
export function changeCompiler(folder: string, change: AddonChange): void {
  changeAddon(join(folder, COMPILER), change);
}

/**
 * Creates kernels whose compiler has the bug. `folder` must be inside the project, for packages, and is used only once.
 */
export async function mutatedCompiler(change: AddonChange, folder: string): Promise<MakeEngine> {
  copyProgram(folder);
  changeCompiler(folder, change);
  const file = pathToFileURL(join(folder, 'evm/kernel/kernel-engine.js')).href;
  const { KernelEngine } = (await import(file)) as typeof import('../../src/evm/kernel/kernel-engine.js');
  return (rules, state) => new KernelEngine({ rules, state, precompiles: NATIVE_FIRST_PRECOMPILES, compile: EAGER });
}

function mutant(file: string, find: string, replace: string): AddonChange {
  return { file: `${file}.js`, find, replace };
}

const WORDS: Readonly<Record<string, AddonChange>> = {
  'a carry of a carry is lost': mutant(
    'word-codegen',
    'orLimbs(to, carryOf(to, sum, x, y), carryOf(to, total, sum, carry))',
    'carryOf(to, sum, x, y)',
  ),
  'a carry is the other way round': mutant('word-codegen', 'lessLimb(to, sum, y)', 'lessLimb(to, y, sum)'),
  'a borrow of a borrow is lost': mutant(
    'word-codegen',
    'orLimbs(to, lessLimb(to, x, y), lessLimb(to, difference, borrow))',
    'lessLimb(to, x, y)',
  ),
  'a comparison does not borrow': mutant(
    'word-codegen',
    'orLimbs(to, lessLimb(to, x, y), further)',
    'lessLimb(to, x, y)',
  ),
  'signs are not seen': mutant(
    'word-codegen',
    'compared(to, WASM_OP.i64LtS, x, y)',
    'compared(to, WASM_OP.i64LtU, x, y)',
  ),
  'upper limbs do not decide between signed words': mutant(
    'word-codegen',
    'andLimbs(to, compared(to, WASM_OP.i64Eq, x, y), below)',
    'below',
  ),
  'a shift takes the wrong limb in': mutant('word-codegen', 'limb(i + by * (limbs + 1))', 'limb(i + by * limbs)'),
  'a shift brings the wrong bits in': mutant('word-codegen', 'LIMB_BITS - rest)', 'rest)'),
  'a constant is less than itself': mutant('word-codegen', 'x < y ? 1n : 0n', 'x <= y ? 1n : 0n'),
  'a constant is never zero': mutant('word-codegen', 'any === 0n ? 1n : 0n', '0n'),
  'sums of constants do not wrap': mutant('word-codegen', 'BigInt.asUintN(LIMB_BITS, x + y)', 'x + y'),
};

const PLACES: Readonly<Record<string, AddonChange>> = {
  'a limb of a half is the other one': mutant('stack-word-writer', 'extractLane(i & 1)', 'extractLane(0)'),
  'words are stored in the wrong order': mutant('stack-word-writer', 'stores.toReversed()', 'stores'),
  'the upper limb of a half is lost': mutant('stack-word-writer', 'replaceLane(1)', 'replaceLane(0)'),
  'limbs are stored in one place': mutant('stack-word-writer', 'offset + LIMB_BYTES * i', 'offset'),
  'a limb is read from the wrong place': mutant(
    'stack-word-writer',
    'LIMB_BYTES * i);\n        }',
    'LIMB_BYTES);\n        }',
  ),
  'what a function overwrites is thought to lie there': mutant('jit-trace-writer', 'word.slot = null;', ''),
  'a word that a function overwrites is not saved': mutant(
    'jit-trace-writer',
    'words.lift(word);\n            word.slot = null;',
    'continue;',
  ),
  'operands are not brought to their places': mutant('jit-trace-writer', 'words.store(moved);', ''),
  'a swap is a copy': mutant('operation-codegen', 'stack.replace(other / WORD_BYTES, upper);', ''),
};

const CHECKS: Readonly<Record<string, AddonChange>> = {
  'no block needs anything of the stack': mutant('jit-trace-writer', 'needed - height > this.#needed', 'needed < 0'),
  'no block needs room on the stack': mutant('jit-trace-writer', 'added + height > this.#added', 'added < 0'),
  'a stack has one item more': mutant(
    'jit-trace-writer',
    'STACK_BYTES - WORD_BYTES - this.#added',
    'STACK_BYTES - this.#added',
  ),
  'a block takes one item more than there is': mutant(
    'jit-trace-writer',
    'this.#needed - WORD_BYTES',
    'this.#needed - 2 * WORD_BYTES',
  ),
  'blocks are free': mutant('jit-trace-writer', 'this.pay(() => code.i64(BigInt(gas)));', ''),
  'blocks begin without gas': mutant('jit-trace-writer', 'this.#pushIsBelow(BigInt(gas))', 'this.#pushIsBelow(0n)'),
  'what fails goes on': mutant('jit-trace-writer', 'this.exitIfNegative(left, instruction);', ''),
  'what pays is free': mutant('jit-trace-writer', 'code.get(left);\n        code.set(JIT_TRACE_PARAMETER.gas);', ''),
};

const MEMORY: Readonly<Record<string, AddonChange>> = {
  'memory ends a byte later': mutant('memory-codegen', 'code.i64(BigInt(WORD_BYTES));', 'code.i64(31n);'),
  'memory is free': mutant('memory-codegen', 'to.pay(() => code.get(cost));', ''),
  'the length of memory is no multiple of a word': mutant(
    'memory-codegen',
    'code.i32(WORD_BYTES - 1);',
    'code.i32(0);',
  ),
  'halves of what is read change places': mutant(
    'memory-codegen',
    'code.loadV128(added + HALF_BYTES * (1 - h));',
    'code.loadV128(added + HALF_BYTES * h);',
  ),
  'halves of what is written change places': mutant(
    'memory-codegen',
    'code.storeV128(added + HALF_BYTES * (1 - h));',
    'code.storeV128(added + HALF_BYTES * h);',
  ),
  'memory that is too short for the interpreter is none': mutant(
    'memory-codegen',
    'to.exitIfNegative(cost, instruction);',
    '',
  ),
};

const JUMPS: Readonly<Record<string, AddonChange>> = {
  'a branch is taken the other way': mutant('operation-codegen', 'other === next, () =>', 'other !== next, () =>'),
  'a condition is the other way round': mutant('jit-trace-writer', 'if (!isZero)', 'if (isZero)'),
  'GT compares as LT does': mutant(
    'operation-codegen',
    'GT: ofTwo(turned(compute.emitLess)),\n',
    'GT: ofTwo(compute.emitLess),\n',
  ),
  'SGT compares as SLT does': mutant('operation-codegen', 'turned(compute.emitLessSigned)', 'compute.emitLessSigned'),
  'a jump leaves its target on the stack': mutant(
    'operation-codegen',
    'to.jump(to.words.limbs(target), 1, at)',
    'to.jump(to.words.limbs(target), 0, at)',
  ),
  'JUMPI leaves its condition on the stack': mutant(
    'operation-codegen',
    'to.jump(limbs, 2, at)',
    'to.jump(limbs, 1, at)',
  ),
  'a jump to nowhere goes on': mutant('operation-codegen', 'to.when(condition, false, () => to.exit(at));', ''),
  'upper limbs of a target are not looked at': mutant(
    'jit-trace-writer',
    'if (limb === 0n)\n                continue;\n            words.push(limb);\n            code.i64(0n);',
    'continue;\n            words.push(limb);\n            code.i64(0n);',
  ),
  'a trace begins with one item less': mutant(
    'jit-trace-writer',
    'this.#pushArguments(this.stack.height);',
    'this.#pushArguments(this.stack.height - 1);',
  ),
  'the interpreter goes on with one item less': mutant(
    'jit-trace-writer',
    'this.#leave(this.stack.height, () => this.code.i32(instruction));',
    'this.#leave(this.stack.height - 1, () => this.code.i32(instruction));',
  ),
};

const OPERANDS: Readonly<Record<string, AddonChange>> = {
  'POP leaves the item': mutant(
    'operation-codegen',
    'POP: moves(({ stack }) => stack.drop(1))',
    'POP: moves(() => undefined)',
  ),
  'DUP copies the top': mutant('operation-codegen', 'stack.item(low / WORD_BYTES)', 'stack.item(0)'),
  'MSTORE writes its offset': mutant(
    'operation-codegen',
    'emitStoreWord(to, memoryWord, to.stack.item(1))',
    'emitStoreWord(to, memoryWord, to.stack.item(0))',
  ),
  'SHL of a constant is SHR': mutant(
    'operation-codegen',
    'shift(compute.emitShiftLeft)',
    'shift(compute.emitShiftRight)',
  ),
  'MSIZE is the memory of before': mutant(
    'operation-codegen',
    'code.get(JIT_TRACE_PARAMETER.memoryBytes);',
    'code.i32(0);',
  ),
};

/** By what is wrong. */
export const COMPILER_MUTANTS: Readonly<Record<string, AddonChange>> = {
  ...WORDS,
  ...PLACES,
  ...CHECKS,
  ...MEMORY,
  ...JUMPS,
  ...OPERANDS,
};
