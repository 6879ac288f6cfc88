// Random code that reaches limits for which other random code has too little gas: depth, code size, init code size.
import { CodeWriter, link, type Statement } from './code.js';
import { OPCODES } from './opcodes.js';
import type { Random } from './random.js';

/** Code, and gas that is enough for it. */
export interface LimitProgram {
  readonly code: readonly Statement[];
  readonly gasLimit: bigint;
}

/** A program that comes to a limit, or to one less, or would pass it. */
export function limitProgram(random: Random): LimitProgram {
  const code = new CodeWriter();
  code.begin();
  const isDeep = random.chance(0.4);
  const makes = random.pick(isDeep ? [callsItself, createsItself] : [createsLarge, createsFromLarge]);
  makes(random, code);
  code.op('STOP');
  return { code: code.statements, gasLimit: isDeep ? 2n ** 50n : 20_000_000n };
}

/** Until there are too many frames: 1024 deep a frame has a ten millionth of the gas, less what was used. */
function callsItself(random: Random, code: CodeWriter): void {
  const kind = random.pick(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL']);
  code
    .push(random.pick([0, 32]))
    .push(0)
    .push(0)
    .push(0);
  if (kind === 'CALL' || kind === 'CALLCODE') code.push(0);
  code.op('ADDRESS', 'GAS', kind, 'GAS', 'XOR').push(0).op('MSTORE').push(random.below(33)).push(0).op('RETURN');
}

/** Init code that is its own init code's. */
function createsItself(random: Random, code: CodeWriter): void {
  const kind = random.pick(['CREATE', 'CREATE2']);
  code.op('CODESIZE').push(0).push(0).op('CODECOPY');
  if (kind === 'CREATE2') code.push(random.below(3));
  code.op('CODESIZE').push(0).push(0).op(kind).push(0).op('MSTORE').push(random.below(33)).push(0).op('RETURN');
}

/** Contracts of the largest size and near it; what they begin with is a STOP. */
function createsLarge(random: Random, code: CodeWriter): void {
  for (let i = random.between(1, 3); i > 0; i--) {
    const init = new CodeWriter();
    init.begin();
    init
      .push(random.pick([24_575, 24_576, 24_577]))
      .push(0)
      .op('RETURN');
    const bytes = link(init.statements);
    code.push(bytes.length).data(bytes).push(0).op('CODECOPY').push(bytes.length).push(0).push(0).op('CREATE');
    code.op('EXTCODESIZE').push(random.below(4)).op('SSTORE');
  }
}

/** Contracts from the longest init code and near it; it is zeros, but for a first instruction. */
function createsFromLarge(random: Random, code: CodeWriter): void {
  for (let i = random.between(1, 2); i > 0; i--) {
    const kind = random.pick(['CREATE', 'CREATE2']);
    const first = OPCODES.get(random.pick(['STOP', 'CODESIZE', 'INVALID']))!.code;
    code.push(first).push(0).op('MSTORE8');
    if (kind === 'CREATE2') code.push(0);
    code
      .push(random.pick([49_151, 49_152, 49_153]))
      .push(0)
      .push(0)
      .op(kind)
      .push(random.below(4))
      .op('SSTORE');
  }
}
