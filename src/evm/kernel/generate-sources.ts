// Writes the sources from which the kernel is compiled: the files of assembly/, plus the numbers of operations and the
// cases of the interpreter, which are generated from the tables. Used only by `npm run build` and tests.
//
// A function of assembly/instructions/ implements a case of the interpreter. Its parameters are chosen by name from
// ARGUMENTS. Its return type says how the case ends:
//
//   void   the instruction is complete; the next one follows
//   bool   false: the execution was aborted
//   i64    gas left; negative: out of gas
//   usize  address of the next instruction; 0: the jump target has no JUMPDEST
//   u32    the call frame is left; status.ts says how. The interpreter's variables were written to the frame before
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MemoryOperand } from '../opcodes.table.js';
import { OPERATIONS, type InterpreterOperation } from './interpreter-operations.table.js';

const ASSEMBLY = fileURLToPath(new URL('../../../../src/evm/kernel/assembly/', import.meta.url));
const INSTRUCTIONS = join(ASSEMBLY, 'instructions');

/**
 * Source code of the arguments that the function of an instruction can have, by parameter name. The parameter
 * `operation` is available as well.
 */
const ARGUMENTS: Readonly<Record<string, string>> = {
  ip: 'ip',
  /**
   * Top of the stack before the instruction. Results must be written where the stack effect of the operation puts them.
   */
  sp: 'sp',
  gas: 'gas',
  self: 'self',
  code: 'code',
  codeLength: 'codeLength',
  jumps: 'jumps',
  memoryBytes: 'memoryBytes',
  /** Addresses of the first and second memory range, and the length. Memory is already extended and paid for. */
  at: 'memoryStart + <usize>offset',
  source: 'memoryStart + <usize>from',
  bytes: 'bytes',
};
const MEMORY_ARGUMENTS = new Set(['at', 'source', 'bytes']);

/** A function of assembly/instructions/, which executes one or several operations. */
interface Handler {
  readonly module: string;
  readonly parameters: readonly string[];
  readonly answer: string;
}

/**
 * Copies assembly/ to `folder` and adds the generated sources. Throws if an operation has no function or a function has
 * no operation.
 */
export function writeKernelSources(folder: string): void {
  cpSync(ASSEMBLY, folder, { recursive: true });
  const handlers = readHandlers();
  writeFileSync(join(folder, 'operations.ts'), operationNumbers());
  const interpreter = readFileSync(join(ASSEMBLY, 'interpreter.ts'), 'utf8');
  writeFileSync(join(folder, 'interpreter.ts'), withCases(interpreter, handlers));
}

/**
 * Generates the numbers of operations. Checks that they are unique: with duplicates there would be comparisons instead
 * of a jump table, which take 2.5 times as long.
 */
function operationNumbers(): string {
  if (new Set(OPERATIONS.map(({ number }) => number)).size < OPERATIONS.length)
    throw new Error('two operations have the same number');
  const lines = OPERATIONS.map(({ name, number }) => `export const ${name}: u32 = 0x${hex(number)};\n`);
  return `// Numbers of operations, from the tables.\n${lines.join('')}`;
}

function hex(number: number): string {
  return number.toString(16).padStart(2, '0');
}

// ---- functions of instructions ----

function readHandlers(): Map<string, Handler> {
  const handlers = new Map<string, Handler>();
  for (const file of readdirSync(INSTRUCTIONS)) {
    const text = readFileSync(join(INSTRUCTIONS, file), 'utf8');
    for (const [, name, parameters, answer] of text.matchAll(/^export function ([A-Z]\w*)\(([^)]*)\): (\w+) \{$/gm))
      handlers.set(name!, { module: basename(file, '.ts'), parameters: namesIn(parameters!), answer: answer! });
  }
  const known = new Set(OPERATIONS.map(({ run }) => run));
  for (const name of handlers.keys()) if (!known.has(name)) throw new Error(`no row runs the function ${name}`);
  return handlers;
}

function namesIn(parameters: string): string[] {
  return parameters === '' ? [] : parameters.split(', ').map((parameter) => parameter.split(':')[0]!);
}

// ---- cases of the interpreter ----

/** Returns the source of the interpreter, with imports and cases inserted at their markers. */
function withCases(interpreter: string, handlers: ReadonlyMap<string, Handler>): string {
  const modules = [...new Set([...handlers.values()].map(({ module }) => module))].toSorted();
  const imports = modules.map((module) => `import * as ${module} from './instructions/${module}';`);
  const cases = casesOf(OPERATIONS).flatMap((operations) => {
    const { run, name } = operations[0];
    const handler = handlers.get(run!);
    if (handler === undefined) throw new Error(`no function runs the row ${name}`);
    return caseOf(operations, handler).map((line) => `        ${line}`);
  });
  return replaceLine(replaceLine(interpreter, '// @imports', imports), '// @cases', cases);
}

function replaceLine(text: string, marker: string, lines: readonly string[]): string {
  const parts = text.split(new RegExp(`^ *${marker}$`, 'm'));
  if (parts.length !== 2) throw new Error(`interpreter.ts must have exactly one line ${marker}`);
  return parts.join(lines.join('\n'));
}

/** Operations that share a case, because one function executes them. They differ only in their stack effect. */
type Case = readonly [InterpreterOperation, ...InterpreterOperation[]];

function casesOf(operations: readonly InterpreterOperation[]): Case[] {
  const cases = new Map<string, [InterpreterOperation, ...InterpreterOperation[]]>();
  for (const operation of operations) {
    if (operation.run === null) continue;
    const others = cases.get(operation.run);
    if (others === undefined) cases.set(operation.run, [operation]);
    else others.push(operation);
  }
  return [...cases.values()];
}

function caseOf(operations: Case, handler: Handler): string[] {
  const [{ writes, memory }] = operations;
  const body = [
    ...(writes ? ['if (flags & F.STATIC_FLAG) {', '  reason = status.STATIC_CHANGE;', '  break;', '}'] : []),
    ...(handler.parameters.some((name) => MEMORY_ARGUMENTS.has(name)) ? growth(memory) : []),
    ...execution(operations, handler),
  ];
  const labels = operations.map(({ name }) => `case op.${name}:`);
  return [...labels.slice(0, -1), `${labels.at(-1)} {`, ...body.map((line) => `  ${line}`), '}'];
}

/** Generates code that extends memory to the end of the ranges that the instruction accesses, and pays for that. */
function growth(memory: readonly MemoryOperand[]): string[] {
  const [first, second] = memory;
  if (first === undefined) throw new Error('the row has no memory operand');
  const lines = [`const offset = ${size(first.offset)};`];
  if ('bytes' in first) {
    lines.push(`const reach = offset + ${first.bytes};`);
  } else {
    if (second !== undefined && 'length' in second) lines.push(`const from = ${size(second.offset)};`);
    lines.push(`const bytes = ${size(first.length)};`);
    const last = second === undefined ? 'offset' : 'max(offset, from)';
    lines.push(`const reach: u64 = bytes == 0 ? 0 : ${last} + bytes;`);
  }
  return [
    ...lines,
    'if (reach > memoryBytes) {',
    '  const cost = memoryExpansionCost(memoryStart, memoryBytes, reach, gas);',
    '  if (cost < 0) break;',
    '  gas -= cost;',
    '  clock -= cost;',
    '  memoryBytes = roundUpToWords(reach);',
    '}',
  ];
}

function size(place: number): string {
  return place === 0 ? 'saturatedSize(sp)' : `saturatedSize(sp - ${32 * place})`;
}

function execution(operations: Case, { module, parameters, answer }: Handler): string[] {
  const [{ run, skips }] = operations;
  const call = `${module}.${run}(${parameters.map((name) => argument(name, operations)).join(', ')})`;
  const move = stackMove(operations);
  if (skips > 0) move.push(`ip += ${skips} * INSTRUCTION;`);
  switch (answer) {
    case 'void':
      return [`${call};`, ...move, 'continue;'];
    case 'bool':
      return [`if (!${call}) break;`, ...move, 'continue;'];
    case 'i64':
      return [`const left = ${call};`, 'if (left < 0) break;', ...spending(), ...move, 'continue;'];
    case 'usize':
      return [
        `const to = ${call};`,
        'if (to == 0) {',
        '  reason = status.INVALID_JUMP;',
        '  break;',
        '}',
        ...move,
        'ip = to - INSTRUCTION;',
        'continue;',
      ];
    case 'u32':
      return [
        'F.saveFrame(ip + INSTRUCTION, sp, gas, memoryBytes);',
        `outcome = ${call};`,
        'reason = outcome == status.INSTRUCTION_FAILED ? haltReason : 0;',
        'break;',
      ];
    default:
      throw new Error(`${run} has the unknown result type ${answer}`);
  }
}

/**
 * Generates code that pays for an instruction. The gas is also subtracted from `clock`, which counts down to the next
 * check of the deadline, because one instruction may take long.
 */
function spending(): string[] {
  return [
    'clock -= gas - left;',
    'gas = left;',
    'if (clock < 0) {',
    '  if (isLate()) return status.DEADLINE;',
    '  clock = GAS_PER_LOOK;',
    '}',
  ];
}

function argument(name: string, [{ run }]: Case): string {
  if (name === 'operation') return '<u32>load<u16>(ip)';
  const value = ARGUMENTS[name];
  if (value === undefined) throw new Error(`${run} has the unknown parameter ${name}`);
  return value;
}

/**
 * Generates code that moves the top of the stack. Of operations that share a case, each can pop one item more than the
 * previous one.
 */
function stackMove(operations: Case): string[] {
  const [first, second] = operations;
  const down = 32 * (first.popped - first.pushed);
  const step = second === undefined ? 0 : 32 * (second.popped - second.pushed) - down;
  if (
    operations.some(({ popped: taken, pushed: given }, i) => 32 * (taken - given) !== down + i * step) ||
    (step !== 0 && step !== 32)
  )
    throw new Error(`the rows of ${first.run} move the stack in different ways`);
  if (step !== 0) return [`sp -= ${down} + (<usize>(<u32>load<u16>(ip) - op.${first.name}) << 5);`];
  return down === 0 ? [] : [`sp ${down < 0 ? '+' : '-'}= ${Math.abs(down)};`];
}
