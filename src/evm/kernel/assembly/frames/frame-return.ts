// Ends call frames: commits or reverts their changes, returns output and gas to the caller, and tracks the caller's
// minimum gas.
import { abortReason, abortExecution } from '../abort-reason';
import { setCode } from '../state/accounts';
import { addCode, codeGeneration } from '../code/code-table';
import { reportsToTracer, reportFrameLeft } from '../frame-and-log-hooks';
import {
  hashFrameIntoCallTree,
  markGasSensitive,
  returnDataLength,
  setHaltReason,
  setRefund,
  setReturnDataLength,
} from '../execution-wide-state';
import * as F from './frame';
import { depth, runningFrame } from './frame';
import { wordCount } from './memory';
import { raiseMinimumGasNow, chargeStateGas, revertStateGas, settleChildStateGas } from './state-gas';
import { forkPrice } from '../dynamic-gas-costs';
import { hasRule } from '../rules';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';
import * as journal from '../state/journal';
import { keccak256 } from '../hashes/keccak';
import * as logs from '../state/logs';
import { fromAddress, setU64 } from '../words/word';
import {
  SCRATCH_HASH,
  RESULT,
  RESULT_CREATED_ACCOUNT,
  RESULT_RETURN_DATA_BYTES,
  RETURN_DATA,
  RETURN_DATA_MAX,
} from '../shared/memory-layout';
import * as status from '../shared/status';

/**
 * Ends the running frame with this output. Returns RUNNING if its caller continues, or else how the outermost message
 * ended.
 */
export function endFrameWithStatus(how: u32, data: usize, bytes: u32): u32 {
  const ending = runningFrame;
  const gas = load<i64>(ending, F.GAS_LEFT);
  F.returnToCallerFrame();
  if (how == status.HALT) return failChildFrame(ending, 0);
  if (bytes > RETURN_DATA_MAX) {
    abortExecution(status.TABLE_FULL);
    return abortReason;
  }
  if (how == status.SUCCESS && (load<u32>(ending, F.FLAGS) & F.CREATION_FLAG) != 0)
    return deposit(ending, data, bytes, gas);
  raiseMinimumGasNow(ending, gas, 0);
  memory.copy(RETURN_DATA, data, bytes);
  setReturnDataLength(bytes);
  if (how == status.SUCCESS) return resumeCaller(true, false, gas, load<i64>(ending, F.MINIMUM_START_GAS));
  takeBack(ending);
  const spill: i64 = hasRule(rule.STATE_GAS) ? load<i64>(ending, F.STATE_GAS_SPILL) : 0;
  return resumeCaller(false, false, gas + spill, load<i64>(ending, F.MINIMUM_START_GAS));
}

/** Ends a creation: deposits its output as the contract's code (EIP-170, EIP-3541). */
function deposit(ending: usize, data: usize, bytes: u32, gas: i64): u32 {
  let left = gas - forkPrice(P.CODE_BYTE) * <i64>bytes - forkPrice(P.CODE_DEPOSIT_WORD) * wordCount(bytes);
  const created = <usize>load<u32>(ending, F.SELF_ACCOUNT);
  let reason = depositFailure(data, bytes, left);
  if (reason == 0 && hasRule(rule.STATE_GAS)) {
    left = chargeStateGas(ending, left, forkPrice(P.STATE_CODE_BYTE) * <i64>bytes);
    if (left < 0) reason = status.CODE_STORE_GAS;
  }
  if (reason != 0) {
    if (depth < 0 || reportsToTracer) store<u32>(RESULT, bytes, RESULT_RETURN_DATA_BYTES);
    setHaltReason(reason);
    return failChildFrame(ending, 0);
  }
  if (bytes > 0) {
    keccak256(SCRATCH_HASH, data, bytes);
    const code = addCode(SCRATCH_HASH, data, bytes);
    if (code == 0) return abortReason;
    setCode(created, SCRATCH_HASH, code, codeGeneration);
  }
  // A creation returns no data, except that the outermost message returns the code, and that a tracer gets it.
  const isShown = depth < 0 || reportsToTracer;
  if (isShown) memory.copy(RETURN_DATA, data, bytes);
  setReturnDataLength(isShown ? bytes : 0);
  raiseMinimumGasNow(ending, left, 0);
  return returnCreatedAddress(created, left, load<i64>(ending, F.MINIMUM_START_GAS));
}

/** Returns why the code cannot be deposited, checked in go-ethereum's order; 0 if it can. */
function depositFailure(data: usize, bytes: u32, left: i64): u32 {
  if (bytes > 0 && load<u8>(data) == 0xef) return status.CODE_INVALID;
  if (left < 0) return status.CODE_STORE_GAS;
  return <i64>bytes > forkPrice(P.CODE_MAX) ? status.CODE_SIZE : 0;
}

function takeBack(failed: usize): void {
  journal.revertJournal(<usize>load<u32>(failed, F.JOURNAL_MARK));
  logs.revertLogs(<usize>load<u32>(failed, F.LOGS_MARK), load<u32>(failed, F.LOG_COUNT_MARK));
  setRefund(load<i64>(failed, F.REFUND_MARK));
  if (hasRule(rule.STATE_GAS)) revertStateGas(failed);
}

/** Ends a child frame that has halted: reverts all its changes and returns only `gas` to its caller. */
export function failChildFrame(failed: usize, gas: i64): u32 {
  takeBack(failed);
  setReturnDataLength(0);
  return resumeCaller(false, true, gas, 0);
}

/**
 * Ends a successful creation. Pushes the new address for its caller; if it was the outermost message, writes the
 * account to the result instead.
 */
export function returnCreatedAddress(created: usize, gas: i64, need: i64): u32 {
  const answer = resumeCaller(true, false, gas, need);
  if (depth < 0) {
    store<u32>(RESULT, <u32>created, RESULT_CREATED_ACCOUNT);
  } else {
    setReturnDataLength(0);
    fromAddress(<usize>load<u32>(runningFrame, F.SP), created);
  }
  return answer;
}

/**
 * Resumes the caller of an ended frame: settles gas, copies the output, pushes 1 or 0. Returns what
 * `endFrameWithStatus` returns.
 */
export function resumeCaller(succeeded: bool, halted: bool, gas: i64, need: i64): u32 {
  const how = succeeded ? status.SUCCESS : halted ? status.HALT : status.REVERT;
  reportFrameLeft(how, gas, RETURN_DATA, returnDataLength);
  if (abortReason != 0) return abortReason;
  store<i64>(runningFrame, load<i64>(runningFrame, F.GAS_LEFT) + gas, F.GAS_LEFT);
  hashFrameIntoCallTree(depth, how);
  if (depth < 0) {
    store<i64>(runningFrame, need, F.MINIMUM_START_GAS);
    if (hasRule(rule.STATE_GAS)) settleChildStateGas(succeeded);
    return how;
  }
  const given = load<i64>(runningFrame, F.CHILD_GAS_GIVEN);
  const left = load<i64>(runningFrame, F.GAS_LEFT_BEFORE_CHILD);
  const base = load<i64>(runningFrame, F.GAS_GIVEN) - left;
  const isFixed = given < left - left / 64;
  if (!halted)
    F.raiseMinimumGas(runningFrame, base + F.gasBeforeSixtyFourth(need - load<i64>(runningFrame, F.CHILD_STIPEND)));
  else if (isFixed) F.raiseMinimumGas(runningFrame, base + F.gasBeforeSixtyFourth(given));
  else markGasSensitive();
  if (hasRule(rule.STATE_GAS)) settleChildStateGas(succeeded);
  const sp = <usize>load<u32>(runningFrame, F.SP) + 32;
  setU64(sp, u64(succeeded));
  store<u32>(runningFrame, <u32>sp, F.SP);
  const bytes = min(load<u32>(runningFrame, F.RET_SIZE), returnDataLength);
  if (bytes != 0)
    memory.copy(
      <usize>(load<u32>(runningFrame, F.MEMORY_START) + load<u32>(runningFrame, F.RET_OFFSET)),
      RETURN_DATA,
      bytes,
    );
  return status.RUNNING;
}
