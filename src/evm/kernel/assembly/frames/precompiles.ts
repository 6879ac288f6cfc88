// Runs precompiles: identity and SHA-256 in the kernel, all others on the host.
import { abortReason, abortExecution } from '../abort-reason';
import { addUnmeteredWork, setHaltReason, setReturnDataLength } from '../execution-wide-state';
import * as F from './frame';
import { depth } from './frame';
import { failChildFrame, resumeCaller } from './frame-return';
import { wordCount } from './memory';
import { gasBeforeOutermostFrame } from './state-gas';
import { sha256 } from '../hashes/sha256';
import {
  RESULT,
  RESULT_PRECOMPILE_INPUT,
  RESULT_INPUT_LENGTH,
  RESULT_PRECOMPILE_ADDRESS,
  RESULT_PRECOMPILE_CALL_GAS,
  RETURN_DATA,
  RETURN_DATA_MAX,
} from '../shared/memory-layout';
import { HOST, IDENTITY } from '../shared/precompile-kinds';
import * as status from '../shared/status';

/** Runs a precompile. `address` has the last four bytes of its address. Returns PRECOMPILE if the host must run it. */
export function runPrecompile(next: usize, precompile: u32, address: u32, gas: i64): u32 {
  const input = <usize>load<u32>(next, F.INPUT);
  const bytes = load<u32>(next, F.INPUT_BYTES);
  store<i64>(next, gas, F.GAS_LEFT);
  if (precompile == HOST) {
    store<u32>(RESULT, address, RESULT_PRECOMPILE_ADDRESS);
    store<u32>(RESULT, <u32>input, RESULT_PRECOMPILE_INPUT);
    store<u32>(RESULT, bytes, RESULT_INPUT_LENGTH);
    store<i64>(RESULT, gas, RESULT_PRECOMPILE_CALL_GAS);
    return status.PRECOMPILE;
  }
  if (precompile == IDENTITY) {
    const cost = 15 + 3 * wordCount(bytes);
    if (gas < cost) return outOfGas(next);
    if (bytes > RETURN_DATA_MAX) {
      abortExecution(status.TABLE_FULL);
      return abortReason;
    }
    memory.copy(RETURN_DATA, input, bytes);
    return finishPrecompile(true, cost, bytes);
  }
  const cost = 60 + 12 * wordCount(bytes);
  if (gas < cost) return outOfGas(next);
  sha256(RETURN_DATA, input, bytes);
  return finishPrecompile(true, cost, 32);
}

function outOfGas(next: usize): u32 {
  setHaltReason(status.OUT_OF_GAS);
  return failChildFrame(next, 0);
}

/** Ends the call of a precompile that used `used` gas; its output is at RETURN_DATA. A failure consumes all its gas. */
export function finishPrecompile(succeeded: bool, used: i64, bytes: u32): u32 {
  const next = F.placeNextFrame();
  if (!succeeded) {
    setHaltReason(status.PRECOMPILE_FAILED);
    return failChildFrame(next, 0);
  }
  addUnmeteredWork(used);
  setReturnDataLength(bytes);
  const minimumGas = depth < 0 ? gasBeforeOutermostFrame + used : used;
  return resumeCaller(true, false, load<i64>(next, F.GAS_LEFT) - used, minimumGas);
}
