// Mutants of what Amsterdam brought to the kernel: state gas, needs under it, logs of ether, instructions.
import type { KernelChange } from './kernel-sources.js';

const STATE = 'frames/state-gas';

function mutant(place: string, find: string, replace: string): KernelChange {
  return { place, find, replace };
}

/** By what they make of the kernel. */
export const AMSTERDAM_MUTANTS: Readonly<Record<string, KernelChange>> = {
  'state gas is taken from gas first': mutant(`${STATE}.payState`, 'min(reservoir, amount)', 'max(0, amount - gas)'),
  'a spill is not noted': mutant(`${STATE}.payState`, 'raise(payer, F.SPILL, amount - drawn);', ''),
  'state gas is not counted': mutant(`${STATE}.payState`, 'used += amount;', ''),
  'what is paid back fills the reservoir first': mutant(
    `${STATE}.refillState`,
    'const back = min(load<i64>(frame, F.SPILL), amount);',
    'const back: i64 = 0;',
  ),
  'what is paid back stays used': mutant(`${STATE}.refillState`, 'used -= amount;', ''),
  'not taken back: the reservoir': mutant(
    `${STATE}.revertState`,
    'reservoir = load<i64>(failed, F.RESERVOIR_MARK);',
    '',
  ),
  'not taken back: state gas used': mutant(`${STATE}.revertState`, 'used = load<i64>(failed, F.STATE_MARK);', ''),
  'a frame that reverts loses its spill': mutant(
    'frames/frame-return.end',
    'has(rule.STATE_GAS) ? load<i64>(ending, F.SPILL) : 0',
    '0',
  ),
  'an account that was not made stays paid for': mutant(
    `${STATE}.settleState`,
    'if (made != 0) store',
    'if (made == 1) store',
  ),
  'the spill of a child is lost': mutant(
    `${STATE}.settleState`,
    'raise(frame, F.SPILL, load<i64>(child, F.SPILL));',
    '',
  ),
  'the reservoir repays no spill': mutant(
    `${STATE}.settleState`,
    'const back = min(load<i64>(frame, F.SPILL), reservoir);',
    'const back: i64 = 0;',
  ),
  'a call splits its gas before it pays for an account': mutant(
    'frames/calls.call',
    'const given = min(gasAmount(sp), left - left / 64);',
    'const whole = left + (has(rule.STATE_GAS) ? load<i64>(frame, F.CHILD_STATE) : 0);\n  const given = min(min(gasAmount(sp), whole - whole / 64), left);',
  ),
  'a creation that does not begin pays for an account': mutant(
    'frames/creations.create',
    'if (has(rule.STATE_GAS)) store<i64>(frame, 0, F.CHILD_STATE);',
    'if (has(rule.STATE_GAS)) left -= 1;',
  ),
  'a creation pays for an account that is there': mutant(
    'frames/creations.create',
    'isEmpty(created) ? price(P.STATE_ACCOUNT) : 0',
    'price(P.STATE_ACCOUNT)',
  ),
  'code is deposited without state gas': mutant(
    'frames/frame-return.deposit',
    'price(P.STATE_CODE_BYTE) * <i64>bytes',
    'price(P.STATE_CODE_BYTE) * <i64>(bytes >> 1)',
  ),
  'a slot that is emptied is paid back whoever filled it': mutant(
    'instructions/storage.meterState',
    'if (!isZero(entry + SLOT_BASE)) return gas;',
    'if (!isZero(entry + SLOT_BASE) && !isZero(value)) return gas;',
  ),
  'an heir is made for nothing': mutant(
    'state/destruction.destroy',
    'left >= 0 && makes && has(rule.STATE_GAS)',
    'left >= 0 && makes && has(rule.KEEPS_BALANCE) && left == 0',
  ),
  'a receiver is made for nothing': mutant(
    'frames/calls.callOutermost',
    '!isZero(next + F.VALUE) && isEmpty(target)',
    'false',
  ),
  'a move of ether to oneself is logged': mutant(
    'state/logs.transfer',
    '(byRule && from == to)',
    '(byRule && value == 0)',
  ),
  'a move of ether comes from another address': mutant('state/logs.transfer', 'byRule ? SYSTEM : ETHER', 'ETHER'),
  'what is destroyed burns its balance': mutant(
    'state/destruction.destroy',
    'heir != self || (goes && !has(rule.KEEPS_BALANCE))',
    'heir != self || goes',
  ),
  'an operand of a jump is one of EXCHANGE': mutant('code/immediate.isOperand', '0x51 : 0x5a', '0x52 : 0x5a'),
  'EXCHANGE takes the items in the other order': mutant('code/immediate.pair', '29 - high', '28 - high'),
  'DUPN copies the item below': mutant('code/encode.encodeLong', '<u64>(place - 1) << 5', '<u64>place << 5'),
  'DUPN and SWAPN need an item less': mutant('code/encode.encodeLong', 'look(place + 1)', 'look(place)'),
  'the operand of an instruction is one more': mutant(
    'code/decode.operandBytes',
    'hasImmediate(opcode) ? 1 : pushed(opcode)',
    'pushed(opcode)',
  ),
};
