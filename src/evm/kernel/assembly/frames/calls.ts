// The CALL family of instructions. The interpreter writes its variables to the frame before it calls these functions.
// Afterwards it reads them from the frame that is running then.
//
// The outermost message is treated as a call by a root frame, which executes no code. So all calls work in the same
// way.
import { abortReason } from '../abort-reason';
import {
  accountEntry,
  isEmpty,
  markForBlockAccessList,
  markForReadSet,
  precompileAt,
  warmAccountEntryIfCold,
} from '../state/accounts';
import { codeOfAccount } from '../code/code-table';
import { abortIfNonEvm } from './detect-non-evm-code';
import { haltInstruction, setHaltReason } from '../execution-wide-state';
import { reportFrameEntered } from '../frame-and-log-hooks';
import * as F from './frame';
import { depth, runningFrame } from './frame';
import { recordGasGivenToChild, markFrameStart, refuseChildFrame, enterChildFrame, transferValue } from './frame-entry';
import { failChildFrame, resumeCaller } from './frame-return';
import * as logs from '../state/logs';
import { gasBeforeOutermostFrame, chargeEntryAccessAndStateGas, chargeStateGas } from './state-gas';
import { forkPrice, CALL_STIPEND_GAS, WARM_ACCESS_GAS } from '../dynamic-gas-costs';
import { growPaidFrameMemory, memoryGas, memoryRangeEnd } from './memory';
import * as op from '../operations';
import { runPrecompile } from './precompiles';
import { hasRule } from '../rules';
import { copy, copyAddress, gasAmount, isZero, less, saturatedSize, writeAddressBytes } from '../words/word';
import * as A from '../shared/account-fields';
import * as C from '../shared/code-fields';
import * as P from '../shared/price-fields';
import { SCRATCH_ADDRESS, DEPTH_MAX, ZERO_WORD_ADDRESS } from '../shared/memory-layout';
import * as rule from '../shared/rule-flags';
import * as status from '../shared/status';

/** Executes a CALL of the running frame. Returns RUNNING, PRECOMPILE, INSTRUCTION_FAILED, or the reason of an abort. */
export function executeCall(opcode: u32): u32 {
  const sp = <usize>load<u32>(runningFrame, F.SP);
  const mayPay = opcode == op.CALL || opcode == op.CALLCODE;
  const value = mayPay ? sp - 64 : ZERO_WORD_ADDRESS;
  const pays = mayPay && !isZero(value);
  const ranges = mayPay ? sp - 96 : sp - 64;
  const self = <usize>load<u32>(runningFrame, F.SELF_ACCOUNT);
  const flags = load<u32>(runningFrame, F.FLAGS);
  if (opcode == op.CALL && pays && (flags & F.STATIC_FLAG) != 0)
    return haltInstruction(
      load<i64>(runningFrame, F.GAS_LEFT) < WARM_ACCESS_GAS ? status.OUT_OF_GAS : status.STATIC_CHANGE,
    );

  const inOffset = saturatedSize(ranges);
  const inBytes = saturatedSize(ranges - 32);
  const outOffset = saturatedSize(ranges - 64);
  const outBytes = saturatedSize(ranges - 96);
  const inEnd = memoryRangeEnd(inOffset, inBytes);
  const outEnd = memoryRangeEnd(outOffset, outBytes);
  if (inEnd < 0 || outEnd < 0) return haltInstruction(status.OUT_OF_GAS);
  const memoryBytes = load<u32>(runningFrame, F.MEMORY_BYTES);
  const memoryEnd = max<u32>(memoryBytes, <u32>max(inEnd, outEnd));

  writeAddressBytes(SCRATCH_ADDRESS, sp - 32);
  const target = accountEntry(SCRATCH_ADDRESS);
  if (target == 0 || abortIfNonEvm(target)) return abortReason;
  let cost = memoryGas(memoryEnd) - memoryGas(memoryBytes);
  cost += warmAccountEntryIfCold(target) ? forkPrice(P.COLD_ACCOUNT) : WARM_ACCESS_GAS;
  if (pays) cost += forkPrice(P.VALUE_TRANSFER);
  // From here on, a block access list contains the callee (EIP-7928), even if the gas is not enough for the rest of the
  // call.
  const gas = load<i64>(runningFrame, F.GAS_LEFT);
  if (cost <= gas) markForReadSet(target);
  const makes = pays && opcode == op.CALL && isEmpty(target);
  if (makes) cost += forkPrice(P.CALL_EMPTY_ACCOUNT);
  let code = codeOfAccount(target);
  if (code == 0) return abortReason;
  if (load<u32>(code, C.IS_DELEGATION) != 0 && hasRule(rule.DELEGATION)) {
    const delegate = accountEntry(code + C.DELEGATION_TARGET);
    if (delegate == 0 || abortIfNonEvm(delegate)) return abortReason;
    cost += warmAccountEntryIfCold(delegate) ? forkPrice(P.COLD_ACCOUNT) : WARM_ACCESS_GAS;
    if (cost <= gas) markForBlockAccessList(delegate);
    code = codeOfAccount(delegate);
    if (code == 0) return abortReason;
  }
  let left = gas - cost;
  if (left < 0) return haltInstruction(status.OUT_OF_GAS);
  if (hasRule(rule.STATE_GAS)) {
    const made = makes ? forkPrice(P.STATE_ACCOUNT) : 0;
    if (made != 0) left = chargeStateGas(runningFrame, left, made);
    if (left < 0) return haltInstruction(status.OUT_OF_GAS);
    store<i64>(runningFrame, made, F.CHILD_ACCOUNT_STATE_GAS);
  }
  if (!growPaidFrameMemory(memoryEnd)) return abortReason;

  const given = min(gasAmount(sp), left - left / 64);
  const stipend: i64 = pays ? CALL_STIPEND_GAS : 0;
  store<u32>(runningFrame, <u32>(mayPay ? sp - 7 * 32 : sp - 6 * 32), F.SP);
  store<i64>(runningFrame, left - given, F.GAS_LEFT);
  store<u32>(runningFrame, <u32>outOffset, F.RET_OFFSET);
  store<u32>(runningFrame, <u32>outBytes, F.RET_SIZE);
  recordGasGivenToChild(given, left, stipend);
  const memoryStart = <usize>load<u32>(runningFrame, F.MEMORY_START);
  // If the length is 0, any offset is allowed, even beyond the memory.
  const input = inBytes == 0 ? memoryStart : memoryStart + <usize>inOffset;
  const isDelegate = opcode == op.DELEGATECALL;
  reportFrameEntered(
    opcode,
    self,
    target,
    isDelegate ? runningFrame + F.VALUE : value,
    input,
    <u32>inBytes,
    given + stipend,
  );
  const isDeep = depth >= <i32>DEPTH_MAX;
  if (isDeep || (pays && less(self + A.BALANCE, value))) {
    if (opcode == op.CALL) logs.countRefusedTransferLog(value);
    return refuseChildFrame(given + stipend, isDeep ? status.TOO_DEEP : status.INSUFFICIENT_BALANCE, true);
  }

  const next = F.placeNextFrame();
  const keepsSelf = isDelegate || opcode == op.CALLCODE;
  if (isDelegate) {
    copyAddress(next + F.CALLER, runningFrame + F.CALLER);
    copy(next + F.VALUE, runningFrame + F.VALUE);
  } else {
    copyAddress(next + F.CALLER, self);
    copy(next + F.VALUE, value);
  }
  store<u32>(next, opcode == op.STATICCALL ? F.STATIC_FLAG : flags & F.STATIC_FLAG, F.FLAGS);
  store<u32>(next, <u32>(keepsSelf ? self : target), F.SELF_ACCOUNT);
  store<u32>(next, <u32>input, F.INPUT);
  store<u32>(next, <u32>inBytes, F.INPUT_BYTES);
  markFrameStart(next);
  if (!isDelegate && !transferValue(self, keepsSelf ? self : target, next + F.VALUE, !keepsSelf)) {
    setHaltReason(status.VALUE_OVERFLOW);
    return failChildFrame(next, given + stipend);
  }
  return start(next, code, target, given + stipend, given + stipend);
}

/**
 * Starts the outermost message as a call. kernel.ts has written caller, value and input to the frame that starts.
 * Returns RUNNING, or how the message ended if it runs no code or is aborted.
 */
export function startOutermostCall(target: usize, gas: i64): u32 {
  const next = F.placeNextFrame();
  const sender = <usize>load<u32>(runningFrame, F.SELF_ACCOUNT);
  if (abortIfNonEvm(target)) return abortReason;
  let code = codeOfAccount(target);
  if (code == 0) return abortReason;
  let resolution: i64 = 0;
  let delegate: usize = 0;
  if (load<u32>(code, C.IS_DELEGATION) != 0 && hasRule(rule.DELEGATION)) {
    delegate = accountEntry(code + C.DELEGATION_TARGET);
    if (delegate == 0 || abortIfNonEvm(delegate)) return abortReason;
    resolution = warmAccountEntryIfCold(delegate) ? forkPrice(P.COLD_ACCOUNT) : WARM_ACCESS_GAS;
    code = codeOfAccount(delegate);
    if (code == 0) return abortReason;
  }
  recordGasGivenToChild(gas, gas, 0);
  const input = <usize>load<u32>(next, F.INPUT);
  reportFrameEntered(op.CALL, sender, target, next + F.VALUE, input, load<u32>(next, F.INPUT_BYTES), gas);
  store<u32>(next, 0, F.FLAGS);
  store<u32>(next, <u32>target, F.SELF_ACCOUNT);
  markFrameStart(next);
  let left = gas;
  if (hasRule(rule.STATE_GAS)) {
    left = chargeEntryAccessAndStateGas(next, gas, resolution, !isZero(next + F.VALUE) && isEmpty(target));
    if (left < 0) return failUnpaidEntry(next);
    if (delegate != 0) markForBlockAccessList(delegate);
  }
  if (less(sender + A.BALANCE, next + F.VALUE)) {
    logs.countRefusedTransferLog(next + F.VALUE);
    setHaltReason(status.INSUFFICIENT_BALANCE);
    return failChildFrame(next, left);
  }
  if (!transferValue(sender, target, next + F.VALUE, true)) {
    setHaltReason(status.VALUE_OVERFLOW);
    return failChildFrame(next, left);
  }
  return start(next, code, target, left, gas);
}

/** Ends a message whose gas is not enough for the charges before its outermost frame (EIP-2780). */
export function failUnpaidEntry(next: usize): u32 {
  setHaltReason(status.OUT_OF_GAS);
  return failChildFrame(next, 0);
}

/**
 * Starts the callee: a precompile, an account without code, or code. `given` is the gas that the callee was given,
 * `gas` what is left of it after the charges on entry (EIP-2780).
 */
function start(next: usize, code: usize, target: usize, gas: i64, given: i64): u32 {
  const precompile = precompileAt(target);
  if (precompile != 0) return runPrecompile(next, precompile, bswap<u32>(load<u32>(target, 16)), gas);
  if (load<u32>(code, C.LENGTH) == 0) return resumeCaller(true, false, gas, depth < 0 ? gasBeforeOutermostFrame : 0);
  return enterChildFrame(next, code, gas, given);
}
