// The table of opcodes compared with the library's: the same instructions in every fork, at the same gas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getOpcodesForHF } from '@ethereumjs/evm';
import { opcodeGas, isOpcodeDefined } from '../../src/evm/opcodes.js';
import { OPCODES } from '../../src/evm/opcodes.table.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { chainAt } from '../support/jobs.js';

for (const fork of ['london', 'shanghai', 'cancun', 'prague', 'osaka', 'amsterdam']) {
  void test(`the opcode table has the instructions and gas of the library at ${fork}`, () => {
    const { common } = createChainRules(chainAt(fork)).at(1, 1);
    const ours = OPCODES.filter((opcode) => isOpcodeDefined(opcode, fork));
    const theirs = [...getOpcodesForHF(common).opcodes.values()].filter(({ isInvalid }) => !isInvalid);
    assert.deepEqual(
      new Map(ours.map((opcode) => [opcode.code, opcodeGas(opcode, fork)])),
      new Map(theirs.map(({ code, feeBigInt }) => [code, Number(feeBigInt) + topicsGas(code)])),
    );
  });
}

/** The library charges for topics when it runs the instruction. */
function topicsGas(code: number): number {
  return code >= 0xa0 && code <= 0xa4 ? 375 * (code - 0xa0) : 0;
}
