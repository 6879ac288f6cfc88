// Starts the running frame's child, for calls and creations alike.
import { aborted } from '../abort';
import { addBalance, takeBalance, touch } from '../state/accounts';
import { prepare } from '../code/decode';
import { endsFrame, refund, setError, setReturnBytes } from '../execution';
import { leaves } from '../hooks';
import * as F from './frame';
import { depth, frame } from './frame';
import { markState, needsNow, settleState } from './state-gas';
import * as journal from '../state/journal';
import * as logs from '../state/logs';
import { has } from '../rules';
import { isZero, zero } from '../words/word';
import * as C from '../shared/code-fields';
import * as rule from '../shared/rule-flags';
import * as status from '../shared/status';

/** Records how much gas the child gets, and out of how much. From here on, return data is empty (EIP-211). */
@inline
export function expectChild(given: i64, left: i64, stipend: i64): void {
  store<i64>(frame, given, F.CHILD_GIVEN);
  store<i64>(frame, left, F.CHILD_LEFT);
  store<i64>(frame, stipend, F.CHILD_STIPEND);
  needsNow(frame, left, 0);
  setReturnBytes(0);
}

/** Records in the child the checkpoint of journal, logs and refund to which it is reverted if it fails. */
@inline
export function markFrame(next: usize): void {
  store<u32>(next, <u32>journal.top, F.JOURNAL_MARK);
  store<u32>(next, <u32>logs.top, F.LOGS_MARK);
  store<u32>(next, logs.count, F.LOG_COUNT_MARK);
  store<i64>(next, refund, F.REFUND_MARK);
  if (has(rule.STATE_GAS)) markState(next);
}

/**
 * Transfers value, which is a word, and logs that if it is requested, except for CALLCODE, which transfers nothing
 * (`isLogged` is false). A transfer of zero touches both accounts (EIP-161). Returns false if the recipient's balance
 * overflows.
 */
export function transfer(from: usize, to: usize, value: usize, isLogged: bool): bool {
  if (isZero(value)) {
    touch(from);
    touch(to);
    return true;
  }
  if (isLogged) logs.transfer(from, to, value);
  if (from == to) return true;
  takeBalance(from, value);
  return addBalance(to, value);
}

/** Makes the child the running frame. `gas` is what is left of its gas. Returns RUNNING, or why it is aborted. */
export function run(next: usize, code: usize, gas: i64, given: i64): u32 {
  if (!prepare(code)) return aborted;
  store<u32>(next, <u32>code, F.CODE);
  store<u32>(next, load<u32>(code, C.START), F.IP);
  store<u32>(next, load<u32>(next, F.STACK_START) - 32, F.SP);
  store<u32>(next, 0, F.MEMORY_BYTES);
  store<i64>(next, gas, F.GAS);
  store<i64>(next, given, F.GAS_GIVEN);
  store<i64>(next, 0, F.NEED);
  F.enter(next);
  return status.RUNNING;
}

/** Ends a child that was not started: returns its gas, pushes 0. Returns RUNNING, or why it is aborted. */
export function refuse(gas: i64, reason: u32, isFrame: bool): u32 {
  if (isFrame) {
    setError(reason);
    leaves(status.REFUSED, gas, 0, 0);
    if (aborted != 0) return aborted;
  }
  endsFrame(depth, status.REFUSED);
  store<i64>(frame, load<i64>(frame, F.GAS) + gas, F.GAS);
  if (has(rule.STATE_GAS)) settleState(false);
  const sp = <usize>load<u32>(frame, F.SP) + 32;
  zero(sp);
  store<u32>(frame, <u32>sp, F.SP);
  return status.RUNNING;
}
