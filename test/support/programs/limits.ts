// Random code that reaches limits for which other random code lacks the gas: call depth, code size, init code size.
import { CodeWriter, link, type Statement } from './code.js';
import { OPCODES } from './opcodes.js';
import type { Random } from './random.js';

/** Code, and enough gas for it. */
export interface LimitProgram {
  readonly code: readonly Statement[];
  readonly gasLimit: bigint;
}

/** A program that reaches a limit exactly, stops one short of it, or exceeds it. */
export function limitProgram(random: Random): LimitProgram {
  const code = new CodeWriter();
  code.begin();
  const isDeep = random.chance(0.4);
  const makes = random.pick(isDeep ? [callsItself, createsItself] : [createsLarge, createsFromLarge]);
  makes(random, code);
  code.op('STOP');
  return { code: code.statements, gasLimit: isDeep ? 2n ** 50n : 20_000_000n };
}

/** Calls itself up to the depth limit: 1024 frames deep a ten millionth of the gas is left, minus what was used. */
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

/** Init code that creates with itself as init code. */
function createsItself(random: Random, code: CodeWriter): void {
  const kind = random.pick(['CREATE', 'CREATE2']);
  code.op('CODESIZE').push(0).push(0).op('CODECOPY');
  if (kind === 'CREATE2') code.push(random.below(3));
  code.op('CODESIZE').push(0).push(0).op(kind).push(0).op('MSTORE').push(random.below(33)).push(0).op('RETURN');
}

/** Creates contracts of about the largest size; their code begins with STOP. */
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

/** Creates contracts from init code of about the largest size: a first instruction, then zeros. */
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
