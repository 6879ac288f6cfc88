// Mutants of the kernel's Amsterdam features: state gas, minimum gas limits with it, logs of ether transfers,
// instructions.
import type { KernelChange } from './kernel-sources.js';

const STATE = 'frames/state-gas';

function mutant(place: string, find: string, replace: string): KernelChange {
  return { place, find, replace };
}

/** By their effect on the kernel. */
export const AMSTERDAM_MUTANTS: Readonly<Record<string, KernelChange>> = {
  'state gas is taken from gas first': mutant(
    `${STATE}.chargeStateGas`,
    'min(stateGasReservoir, amount)',
    'max(0, amount - gas)',
  ),
  'a spill is not noted': mutant(`${STATE}.chargeStateGas`, 'raise(payer, F.STATE_GAS_SPILL, amount - drawn);', ''),
  'state gas is not counted': mutant(`${STATE}.chargeStateGas`, 'stateGasUsed += amount;', ''),
  'what is paid back fills the reservoir first': mutant(
    `${STATE}.refundStateGas`,
    'const back = min(load<i64>(runningFrame, F.STATE_GAS_SPILL), amount);',
    'const back: i64 = 0;',
  ),
  'what is paid back stays used': mutant(`${STATE}.refundStateGas`, 'stateGasUsed -= amount;', ''),
  'not taken back: the reservoir': mutant(
    `${STATE}.revertStateGas`,
    'stateGasReservoir = load<i64>(failed, F.RESERVOIR_MARK);',
    '',
  ),
  'not taken back: state gas used': mutant(
    `${STATE}.revertStateGas`,
    'stateGasUsed = load<i64>(failed, F.STATE_GAS_MARK);',
    '',
  ),
  'a frame that reverts loses its spill': mutant(
    'frames/frame-return.endFrameWithStatus',
    'hasRule(rule.STATE_GAS) ? load<i64>(ending, F.STATE_GAS_SPILL) : 0',
    '0',
  ),
  'an account that was not made stays paid for': mutant(
    `${STATE}.settleChildStateGas`,
    'if (made != 0) store',
    'if (made == 1) store',
  ),
  'the spill of a child is lost': mutant(
    `${STATE}.settleChildStateGas`,
    'raise(runningFrame, F.STATE_GAS_SPILL, load<i64>(child, F.STATE_GAS_SPILL));',
    '',
  ),
  'the reservoir repays no spill': mutant(
    `${STATE}.settleChildStateGas`,
    'const back = min(load<i64>(runningFrame, F.STATE_GAS_SPILL), stateGasReservoir);',
    'const back: i64 = 0;',
  ),
  'a call splits its gas before it pays for an account': mutant(
    'frames/calls.executeCall',
    'const given = min(gasAmount(sp), left - left / 64);',
    'const whole = left + (hasRule(rule.STATE_GAS) ? load<i64>(runningFrame, F.CHILD_ACCOUNT_STATE_GAS) : 0);\n  const given = min(min(gasAmount(sp), whole - whole / 64), left);',
  ),
  'a creation that does not begin pays for an account': mutant(
    'frames/creations.executeCreate',
    'if (hasRule(rule.STATE_GAS)) store<i64>(runningFrame, 0, F.CHILD_ACCOUNT_STATE_GAS);',
    'if (hasRule(rule.STATE_GAS)) left -= 1;',
  ),
  'a creation pays for an account that is there': mutant(
    'frames/creations.executeCreate',
    'isEmpty(created) ? forkPrice(P.STATE_ACCOUNT) : 0',
    'forkPrice(P.STATE_ACCOUNT)',
  ),
  'code is deposited without state gas': mutant(
    'frames/frame-return.deposit',
    'forkPrice(P.STATE_CODE_BYTE) * <i64>bytes',
    'forkPrice(P.STATE_CODE_BYTE) * <i64>(bytes >> 1)',
  ),
  'a slot that is emptied is paid back whoever filled it': mutant(
    'instructions/storage.meterState',
    'if (!isZero(entry + SLOT_BASE)) return gas;',
    'if (!isZero(entry + SLOT_BASE) && !isZero(value)) return gas;',
  ),
  'an heir is made for nothing': mutant(
    'state/selfdestruct.selfDestruct',
    'left >= 0 && makes && hasRule(rule.STATE_GAS)',
    'left >= 0 && makes && hasRule(rule.DESTROYED_KEEPS_BALANCE) && left == 0',
  ),
  'a receiver is made for nothing': mutant(
    'frames/calls.startOutermostCall',
    '!isZero(next + F.VALUE) && isEmpty(target)',
    'false',
  ),
  'a move of ether to oneself is logged': mutant(
    'state/logs.logTransfer',
    '(byRule && from == to)',
    '(byRule && value == 0)',
  ),
  'a move of ether comes from another address': mutant('state/logs.logTransfer', 'byRule ? SYSTEM : ETHER', 'ETHER'),
  'what is destroyed burns its balance': mutant(
    'state/selfdestruct.selfDestruct',
    'beneficiary != self || (goes && !hasRule(rule.DESTROYED_KEEPS_BALANCE))',
    'beneficiary != self || goes',
  ),
  'an operand of a jump is one of EXCHANGE': mutant(
    'code/eip8024-immediate.isValidImmediate',
    '0x51 : 0x5a',
    '0x52 : 0x5a',
  ),
  'EXCHANGE takes the items in the other order': mutant(
    'code/eip8024-immediate.decodePairImmediate',
    '29 - high',
    '28 - high',
  ),
  'DUPN copies the item below': mutant('code/encode.encodeLong', '<u64>(place - 1) << 5', '<u64>place << 5'),
  'DUPN and SWAPN need an item less': mutant(
    'code/encode.encodeLong',
    'recordStackAccess(place + 1)',
    'recordStackAccess(place)',
  ),
  'the operand of an instruction is one more': mutant(
    'code/decode.operandBytes',
    'hasEip8024Immediate(opcode) ? 1 : pushed(opcode)',
    'pushed(opcode)',
  ),
};
