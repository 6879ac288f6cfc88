// Ends frames: decides which changes remain, what is returned to the caller, and how much gas the caller needed.
import { aborted, abortWith } from '../abort';
import { setCode } from '../state/accounts';
import { addCode, generation } from '../code/codes';
import { hooked, leaves } from '../hooks';
import { endsFrame, looksAtGas, returnBytes, setError, setRefund, setReturnBytes } from '../execution';
import * as F from './frame';
import { depth, frame } from './frame';
import { words } from './memory';
import { needsNow, payState, revertState, settleState } from './state-gas';
import { price } from '../gas-costs';
import { has } from '../rules';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';
import * as journal from '../state/journal';
import { keccak256 } from '../hashes/keccak';
import * as logs from '../state/logs';
import { fromAddress, setU64 } from '../words/word';
import { HASH, RESULT, RESULT_CREATED, RESULT_RETURN_DATA, RETURN_DATA, RETURN_DATA_MAX } from '../shared/layout';
import * as status from '../shared/status';

/** Ends the running frame with this output. Returns RUNNING if a caller continues, or how the message ended. */
export function end(how: u32, data: usize, bytes: u32): u32 {
  const ending = frame;
  const gas = load<i64>(ending, F.GAS);
  F.leave();
  if (how == status.HALT) return fail(ending, 0);
  if (bytes > RETURN_DATA_MAX) {
    abortWith(status.FULL);
    return aborted;
  }
  if (how == status.SUCCESS && (load<u32>(ending, F.FLAGS) & F.CREATES) != 0) return deposit(ending, data, bytes, gas);
  needsNow(ending, gas, 0);
  memory.copy(RETURN_DATA, data, bytes);
  setReturnBytes(bytes);
  if (how == status.SUCCESS) return finish(true, false, gas, load<i64>(ending, F.NEED));
  takeBack(ending);
  const spill: i64 = has(rule.STATE_GAS) ? load<i64>(ending, F.SPILL) : 0;
  return finish(false, false, gas + spill, load<i64>(ending, F.NEED));
}

/** Ends a creation: its output becomes the contract's code (EIP-170, EIP-3541). */
function deposit(ending: usize, data: usize, bytes: u32, gas: i64): u32 {
  let left = gas - price(P.CODE_BYTE) * <i64>bytes - price(P.CODE_WORD) * words(bytes);
  const created = <usize>load<u32>(ending, F.SELF);
  let reason = depositFailure(data, bytes, left);
  if (reason == 0 && has(rule.STATE_GAS)) {
    left = payState(ending, left, price(P.STATE_CODE_BYTE) * <i64>bytes);
    if (left < 0) reason = status.CODE_STORE_GAS;
  }
  if (reason != 0) {
    if (depth < 0 || hooked) store<u32>(RESULT, bytes, RESULT_RETURN_DATA);
    setError(reason);
    return fail(ending, 0);
  }
  if (bytes > 0) {
    keccak256(HASH, data, bytes);
    const code = addCode(HASH, data, bytes);
    if (code == 0) return aborted;
    setCode(created, HASH, code, generation);
  }
  // The outermost message returns the code, and a tracer gets it as well. Any other creation returns no data.
  const isShown = depth < 0 || hooked;
  if (isShown) memory.copy(RETURN_DATA, data, bytes);
  setReturnBytes(isShown ? bytes : 0);
  needsNow(ending, left, 0);
  return finishCreated(created, left, load<i64>(ending, F.NEED));
}

/** Why the code cannot be deposited, checked in go-ethereum's order; 0 if it can. */
function depositFailure(data: usize, bytes: u32, left: i64): u32 {
  if (bytes > 0 && load<u8>(data) == 0xef) return status.CODE_INVALID;
  if (left < 0) return status.CODE_STORE_GAS;
  return <i64>bytes > price(P.CODE_MAX) ? status.CODE_SIZE : 0;
}

function takeBack(failed: usize): void {
  journal.revert(<usize>load<u32>(failed, F.JOURNAL_MARK));
  logs.revert(<usize>load<u32>(failed, F.LOGS_MARK), load<u32>(failed, F.LOG_COUNT_MARK));
  setRefund(load<i64>(failed, F.REFUND_MARK));
  if (has(rule.STATE_GAS)) revertState(failed);
}

/** Ends a child that has halted: all its changes are reverted, and only `gas` is returned to the caller. */
export function fail(failed: usize, gas: i64): u32 {
  takeBack(failed);
  setReturnBytes(0);
  return finish(false, true, gas, 0);
}

/** Ends a successful creation: its caller gets the address; of the outermost message, the entry is reported. */
export function finishCreated(created: usize, gas: i64, need: i64): u32 {
  const answer = finish(true, false, gas, need);
  if (depth < 0) {
    store<u32>(RESULT, <u32>created, RESULT_CREATED);
  } else {
    setReturnBytes(0);
    fromAddress(<usize>load<u32>(frame, F.SP), created);
  }
  return answer;
}

/** Resumes the caller: accounts for gas, writes the output, pushes 1 or 0. Returns the same as `end`. */
export function finish(succeeded: bool, halted: bool, gas: i64, need: i64): u32 {
  const how = succeeded ? status.SUCCESS : halted ? status.HALT : status.REVERT;
  leaves(how, gas, RETURN_DATA, returnBytes);
  if (aborted != 0) return aborted;
  store<i64>(frame, load<i64>(frame, F.GAS) + gas, F.GAS);
  endsFrame(depth, how);
  if (depth < 0) {
    store<i64>(frame, need, F.NEED);
    if (has(rule.STATE_GAS)) settleState(succeeded);
    return how;
  }
  const given = load<i64>(frame, F.CHILD_GIVEN);
  const left = load<i64>(frame, F.CHILD_LEFT);
  const base = load<i64>(frame, F.GAS_GIVEN) - left;
  const isFixed = given < left - left / 64;
  if (!halted) F.atLeast(frame, base + F.inverse(need - load<i64>(frame, F.CHILD_STIPEND)));
  else if (isFixed) F.atLeast(frame, base + F.inverse(given));
  else looksAtGas();
  if (has(rule.STATE_GAS)) settleState(succeeded);
  const sp = <usize>load<u32>(frame, F.SP) + 32;
  setU64(sp, u64(succeeded));
  store<u32>(frame, <u32>sp, F.SP);
  const bytes = min(load<u32>(frame, F.OUT_BYTES), returnBytes);
  if (bytes != 0) memory.copy(<usize>(load<u32>(frame, F.MEMORY_START) + load<u32>(frame, F.OUT)), RETURN_DATA, bytes);
  return status.RUNNING;
}
