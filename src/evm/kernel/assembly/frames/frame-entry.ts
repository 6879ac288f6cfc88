// Starts a child of the running call frame, for calls and creations alike.
import { abortReason } from '../abort-reason';
import { addBalance, subtractBalance, touchIfEmpty } from '../state/accounts';
import { decodeFirstStretch } from '../code/decode';
import { hashFrameIntoCallTree, refundCounter, setHaltReason, setReturnDataLength } from '../execution-wide-state';
import { reportFrameLeft } from '../frame-and-log-hooks';
import * as F from './frame';
import { depth, runningFrame } from './frame';
import { markStateGas, raiseMinimumGasNow, settleChildStateGas } from './state-gas';
import * as journal from '../state/journal';
import * as logs from '../state/logs';
import { hasRule } from '../rules';
import { isZero, zero } from '../words/word';
import * as C from '../shared/code-fields';
import * as rule from '../shared/rule-flags';
import * as status from '../shared/status';

/** Records how much gas the child frame gets, and how much its caller had before. Empties the return data (EIP-211). */
@inline
export function recordGasGivenToChild(given: i64, left: i64, stipend: i64): void {
  store<i64>(runningFrame, given, F.CHILD_GAS_GIVEN);
  store<i64>(runningFrame, left, F.GAS_LEFT_BEFORE_CHILD);
  store<i64>(runningFrame, stipend, F.CHILD_STIPEND);
  raiseMinimumGasNow(runningFrame, left, 0);
  setReturnDataLength(0);
}

/**
 * Records the end of the journal, the end of the logs and the refund counter in the child frame. If the child fails,
 * they are set back to these values.
 */
@inline
export function markFrameStart(next: usize): void {
  store<u32>(next, <u32>journal.journalTop, F.JOURNAL_MARK);
  store<u32>(next, <u32>logs.logsTop, F.LOGS_MARK);
  store<u32>(next, logs.logCount, F.LOG_COUNT_MARK);
  store<i64>(next, refundCounter, F.REFUND_MARK);
  if (hasRule(rule.STATE_GAS)) markStateGas(next);
}

/**
 * Transfers `value` (a word). If transfers are logged, logs this one, unless `isLogged` is false (CALLCODE, which
 * transfers from an account to itself). A transfer of zero touches both accounts (EIP-161). Returns false if the
 * recipient's balance overflows.
 */
export function transferValue(from: usize, to: usize, value: usize, isLogged: bool): bool {
  if (isZero(value)) {
    touchIfEmpty(from);
    touchIfEmpty(to);
    return true;
  }
  if (isLogged) logs.logTransfer(from, to, value);
  if (from == to) return true;
  subtractBalance(from, value);
  return addBalance(to, value);
}

/**
 * Makes the child the running frame. `given` is the gas that the child was given, `gas` what is left of it after the
 * charges on entry (EIP-2780). Returns RUNNING, or the reason of an abort.
 */
export function enterChildFrame(next: usize, code: usize, gas: i64, given: i64): u32 {
  if (!decodeFirstStretch(code)) return abortReason;
  store<u32>(next, <u32>code, F.CODE_ENTRY);
  store<u32>(next, load<u32>(code, C.FIRST_INSTRUCTION), F.IP);
  store<u32>(next, load<u32>(next, F.STACK_START) - 32, F.SP);
  store<u32>(next, 0, F.MEMORY_BYTES);
  store<i64>(next, gas, F.GAS_LEFT);
  store<i64>(next, given, F.GAS_GIVEN);
  store<i64>(next, 0, F.MINIMUM_START_GAS);
  F.enterNextFrame(next);
  return status.RUNNING;
}

/**
 * Refuses to start the child frame: gives its gas back to the caller and pushes 0. `isFrame`: the tracer was notified
 * of the frame, so it is also notified of its end. Returns RUNNING, or the reason of an abort.
 */
export function refuseChildFrame(gas: i64, reason: u32, isFrame: bool): u32 {
  if (isFrame) {
    setHaltReason(reason);
    reportFrameLeft(status.FRAME_NOT_STARTED, gas, 0, 0);
    if (abortReason != 0) return abortReason;
  }
  hashFrameIntoCallTree(depth, status.FRAME_NOT_STARTED);
  store<i64>(runningFrame, load<i64>(runningFrame, F.GAS_LEFT) + gas, F.GAS_LEFT);
  if (hasRule(rule.STATE_GAS)) settleChildStateGas(false);
  const sp = <usize>load<u32>(runningFrame, F.SP) + 32;
  zero(sp);
  store<u32>(runningFrame, <u32>sp, F.SP);
  return status.RUNNING;
}
