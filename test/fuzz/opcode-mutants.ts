// Mutants of the reference: bugs in its instructions, each of a kind that an engine could have. Does a fuzzer detect
// them?
// oxlint-disable no-underscore-dangle -- the names are @ethereumjs/evm's
import { ReferenceEngine } from '../../src/evm/reference/reference-engine.js';
import type { MakeEngine } from '../support/programs/compare.js';
import { OPCODES } from '../support/programs/opcodes.js';
import { tablesOf } from './coverage.js';

/** A wrong result of an instruction, or a wrong price. */
interface OpcodeMutant {
  readonly opcode: string;
  /** The wrong result, given the right one; operands from the top of the stack. */
  readonly result?: (right: bigint, operands: readonly bigint[]) => bigint;
  /** Additional gas that is wrongly charged. */
  readonly surcharge?: (operands: readonly bigint[]) => bigint;
}

const WORD = 2n ** 256n;

export const OPCODE_MUTANTS: Readonly<Record<string, OpcodeMutant>> = {
  'SGT is unsigned': { opcode: 'SGT', result: (_, [a, b]) => (a! > b! ? 1n : 0n) },
  'SLT counts equal as less': { opcode: 'SLT', result: (right, [a, b]) => (a === b ? 1n : right) },
  'SDIV is unsigned': { opcode: 'SDIV', result: (_, [a, b]) => (b === 0n ? 0n : a! / b!) },
  'SMOD has the sign of the divisor': { opcode: 'SMOD', result: (_, [a, b]) => (b === 0n ? 0n : a! % b!) },
  'SAR by 256 or more is zero': { opcode: 'SAR', result: (right, [by]) => (by! > 255n ? 0n : right) },
  'SHL by 255 is zero': { opcode: 'SHL', result: (right, [by]) => (by === 255n ? 0n : right) },
  'SIGNEXTEND from byte 30 does nothing': {
    opcode: 'SIGNEXTEND',
    result: (right, [at, x]) => (at === 30n ? x! : right),
  },
  'ADDMOD loses the carry': { opcode: 'ADDMOD', result: (_, [a, b, n]) => (n === 0n ? 0n : ((a! + b!) % WORD) % n!) },
  'MULMOD loses the high word': {
    opcode: 'MULMOD',
    result: (_, [a, b, n]) => (n === 0n ? 0n : ((a! * b!) % WORD) % n!),
  },
  'EXP looks at 64 bits': {
    opcode: 'EXP',
    result: (right, [, e]) => (e! >> 64n > 0n && e! % 2n ** 64n === 0n ? 1n : right),
  },
  'CLZ of zero is 255': { opcode: 'CLZ', result: (right, [x]) => (x === 0n ? 255n : right) },
  'BYTE 31 is zero': { opcode: 'BYTE', result: (right, [at]) => (at === 31n ? 0n : right) },
  'BLOBHASH has one too few': { opcode: 'BLOBHASH', result: (right, [at]) => (at === 2n ? 0n : right) },
  'BLOCKHASH reaches 257 back': { opcode: 'BLOCKHASH', result: (right, [n]) => (n === 0n ? 1n : right) },
  'EXTCODEHASH of nobody is that of nothing': {
    opcode: 'EXTCODEHASH',
    result: (right) => (right === 0n ? 0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470n : right),
  },
  'MSIZE is in words from 1 KiB on': { opcode: 'MSIZE', result: (right) => (right > 1024n ? right / 32n : right) },
  'KECCAK256 of many words is dearer': { opcode: 'KECCAK256', surcharge: ([, length]) => (length! > 256n ? 1n : 0n) },
  'EXP of long exponents is dearer': { opcode: 'EXP', surcharge: ([, e]) => (e! >> 248n > 0n ? 1n : 0n) },
  'MCOPY of odd lengths is dearer': { opcode: 'MCOPY', surcharge: ([, , length]) => (length! % 32n === 1n ? 3n : 0n) },
  'LOG4 is dearer': { opcode: 'LOG4', surcharge: () => 375n },
  'SELFDESTRUCT is dearer': { opcode: 'SELFDESTRUCT', surcharge: () => 1n },
  'CREATE2 of long init code is dearer': { opcode: 'CREATE2', surcharge: ([, , length]) => (length! > 64n ? 6n : 0n) },
  'a stipend less': { opcode: 'CALLCODE', surcharge: ([, , value]) => (value! > 0n ? 1n : 0n) },
};

/** Creates reference engines with this bug. */
export function mutatedReference({ opcode, result, surcharge }: OpcodeMutant): MakeEngine {
  const { code, popped: taken } = OPCODES.get(opcode)!;
  return (rules, state) => {
    const engine = new ReferenceEngine({ rules, state });
    const table = tablesOf(engine)._opcodeMap;
    const entry = table[code]!;
    if (entry.opcodeInfo.code !== code) return engine;
    const wrong: typeof entry.opHandler = (runState, common) => {
      const operands = runState.stack.peek(taken);
      const extra = surcharge?.(operands) ?? 0n;
      if (extra > 0n) runState.interpreter.useGas(extra);
      const answer: unknown = entry.opHandler(runState, common);
      const change = (): void => {
        if (result !== undefined) runState.stack.push(result(runState.stack.pop(), operands));
      };
      return answer instanceof Promise ? answer.then(change) : change();
    };
    table[code] = { ...entry, opHandler: wrong };
    return engine;
  };
}
