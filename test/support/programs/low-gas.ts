// Random code in which single units of gas decide what fails first: cheap straight-line code with hardly any gas.
import { CodeWriter } from './code.js';
import type { LimitProgram } from './limits.js';
import type { Random, Weighted } from './random.js';

type Piece = (random: Random, code: CodeWriter) => unknown;

/** A program that mostly runs out of gas or fails otherwise, whichever comes first. */
export function lowGasProgram(random: Random): LimitProgram {
  const code = new CodeWriter();
  const wrong = random.chance(0.7) ? random.between(3, 10) : -1;
  for (let i = random.between(4, 14); i > 0; i--) {
    code.begin();
    random.weighted(i === wrong ? WRONG : CHEAP)(random, code);
  }
  code.begin();
  random.weighted(ENDS)(random, code);
  return { code: code.statements, gasLimit: BigInt(random.between(0, random.pick([100, 200, 400]))) };
}

/** Pieces whose cost depends on their operands; jump targets, which end a basic block; pieces of constant cost. */
const CHEAP: Weighted<Piece> = [
  [3, (random, code) => code.push(random.below(256)).push(place(random)).op('MSTORE')],
  [1, (random, code) => code.push(place(random)).op('MLOAD', 'POP')],
  [2, (random, code) => code.push(random.below(100)).push(place(random)).op('KECCAK256', 'POP')],
  [1, (random, code) => code.push(random.below(100)).push(0).push(place(random)).op('CALLDATACOPY')],
  [
    1,
    (random, code) =>
      code
        .push(random.pick([0, 1, 256]))
        .push(2)
        .op('EXP', 'POP'),
  ],
  [3, (_, code) => code.place(code.newLabel())],
  [3, idle],
  [1, pass],
];

function place(random: Random): number {
  return random.below(0x120);
}

function idle(random: Random, code: CodeWriter): void {
  for (let i = random.between(1, 8); i > 0; i--) code.op('PUSH0', 'POP');
}

/** A jump over the next instruction, taken or not. */
function pass(random: Random, code: CodeWriter): void {
  const over = code.newLabel();
  code.push(random.below(2)).ref(over).op('JUMPI', 'CALLVALUE', 'POP').place(over);
}

const WRONG: Weighted<Piece> = [
  [3, (random, code) => code.push(random.between(1, 40)).push(0).push(place(random)).op('RETURNDATACOPY')],
  [1, (_, code) => code.push(0).push(1).push(0).op('RETURNDATACOPY')],
  [2, (_, code) => code.op('POP')],
  [1, (_, code) => code.push(1).op('SWAP3')],
  [1, (random, code) => code.raw(Uint8Array.of(random.pick([0x0c, 0xfe])))],
  [1, (random, code) => code.push(random.below(3)).op('JUMP')],
];

const ENDS: Weighted<Piece> = [
  [2, (_, code) => code.op('STOP')],
  [1, (random, code) => code.push(random.below(80)).push(place(random)).op('RETURN')],
  [1, (random, code) => code.push(random.below(80)).push(place(random)).op('REVERT')],
];
