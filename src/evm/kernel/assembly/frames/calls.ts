// The CALL family of instructions. The interpreter writes its variables to the frame before it calls these functions,
// and afterwards reads them from the frame that is running then.
//
// The outermost message is the child of a root frame that executes nothing, so that all calls work in the same way.
import { aborted } from '../abort';
import { access, account, isEmpty, precompileAt, reach, warm } from '../state/accounts';
import { codeOf } from '../code/codes';
import { isForeign } from './foreign';
import { halt, setError } from '../execution';
import { enters } from '../hooks';
import * as F from './frame';
import { depth, frame } from './frame';
import { expectChild, markFrame, refuse, run, transfer } from './frame-entry';
import { fail, finish } from './frame-return';
import * as logs from '../state/logs';
import { entryNeed, payEntry, payState } from './state-gas';
import { price, STIPEND, WARM } from '../gas-costs';
import { growFrame, memoryGas, rangeEnd } from './memory';
import * as op from '../operations';
import { runPrecompile } from './precompiles';
import { has } from '../rules';
import { copy, copyAddress, gasAmount, isZero, less, size, toAddress } from '../words/word';
import * as A from '../shared/account-fields';
import * as C from '../shared/code-fields';
import * as P from '../shared/price-fields';
import { ADDRESS, DEPTH_MAX, ZERO } from '../shared/layout';
import * as rule from '../shared/rule-flags';
import * as status from '../shared/status';

/** Executes the running frame's CALL. Returns RUNNING, PRECOMPILE, FAILING, or why the execution is aborted. */
export function call(opcode: u32): u32 {
  const sp = <usize>load<u32>(frame, F.SP);
  const mayPay = opcode == op.CALL || opcode == op.CALLCODE;
  const value = mayPay ? sp - 64 : ZERO;
  const pays = mayPay && !isZero(value);
  const ranges = mayPay ? sp - 96 : sp - 64;
  const self = <usize>load<u32>(frame, F.SELF);
  const flags = load<u32>(frame, F.FLAGS);
  if (opcode == op.CALL && pays && (flags & F.STATIC) != 0)
    return halt(load<i64>(frame, F.GAS) < WARM ? status.OUT_OF_GAS : status.STATIC_CHANGE);

  const inOffset = size(ranges);
  const inBytes = size(ranges - 32);
  const outOffset = size(ranges - 64);
  const outBytes = size(ranges - 96);
  const inEnd = rangeEnd(inOffset, inBytes);
  const outEnd = rangeEnd(outOffset, outBytes);
  if (inEnd < 0 || outEnd < 0) return halt(status.OUT_OF_GAS);
  const memoryBytes = load<u32>(frame, F.MEMORY_BYTES);
  const memoryEnd = max<u32>(memoryBytes, <u32>max(inEnd, outEnd));

  toAddress(ADDRESS, sp - 32);
  const target = account(ADDRESS);
  if (target == 0 || isForeign(target)) return aborted;
  let cost = memoryGas(memoryEnd) - memoryGas(memoryBytes);
  cost += warm(target) ? price(P.COLD_ACCOUNT) : WARM;
  if (pays) cost += price(P.VALUE_TRANSFER);
  // From here on a block access list contains the account (EIP-7928), even if the gas is not enough for the rest.
  const gas = load<i64>(frame, F.GAS);
  if (cost <= gas) reach(target);
  const makes = pays && opcode == op.CALL && isEmpty(target);
  if (makes) cost += price(P.CALLED_ACCOUNT);
  let code = codeOf(target);
  if (code == 0) return aborted;
  if (load<u32>(code, C.DELEGATES) != 0 && has(rule.DELEGATION)) {
    const delegate = account(code + C.DELEGATE);
    if (delegate == 0 || isForeign(delegate)) return aborted;
    cost += warm(delegate) ? price(P.COLD_ACCOUNT) : WARM;
    if (cost <= gas) access(delegate);
    code = codeOf(delegate);
    if (code == 0) return aborted;
  }
  let left = gas - cost;
  if (left < 0) return halt(status.OUT_OF_GAS);
  if (has(rule.STATE_GAS)) {
    const made = makes ? price(P.STATE_ACCOUNT) : 0;
    if (made != 0) left = payState(frame, left, made);
    if (left < 0) return halt(status.OUT_OF_GAS);
    store<i64>(frame, made, F.CHILD_STATE);
  }
  if (!growFrame(memoryEnd)) return aborted;

  const given = min(gasAmount(sp), left - left / 64);
  const stipend: i64 = pays ? STIPEND : 0;
  store<u32>(frame, <u32>(mayPay ? sp - 7 * 32 : sp - 6 * 32), F.SP);
  store<i64>(frame, left - given, F.GAS);
  store<u32>(frame, <u32>outOffset, F.OUT);
  store<u32>(frame, <u32>outBytes, F.OUT_BYTES);
  expectChild(given, left, stipend);
  const memoryStart = <usize>load<u32>(frame, F.MEMORY_START);
  // If the length is 0, any offset is allowed.
  const input = inBytes == 0 ? memoryStart : memoryStart + <usize>inOffset;
  const isDelegate = opcode == op.DELEGATECALL;
  enters(opcode, self, target, isDelegate ? frame + F.VALUE : value, input, <u32>inBytes, given + stipend);
  const isDeep = depth >= <i32>DEPTH_MAX;
  if (isDeep || (pays && less(self + A.BALANCE, value))) {
    if (opcode == op.CALL) logs.skipTransfer(value);
    return refuse(given + stipend, isDeep ? status.TOO_DEEP : status.INSUFFICIENT_BALANCE, true);
  }

  const next = F.nextFrame();
  const keepsSelf = isDelegate || opcode == op.CALLCODE;
  if (isDelegate) {
    copyAddress(next + F.CALLER, frame + F.CALLER);
    copy(next + F.VALUE, frame + F.VALUE);
  } else {
    copyAddress(next + F.CALLER, self);
    copy(next + F.VALUE, value);
  }
  store<u32>(next, opcode == op.STATICCALL ? F.STATIC : flags & F.STATIC, F.FLAGS);
  store<u32>(next, <u32>(keepsSelf ? self : target), F.SELF);
  store<u32>(next, <u32>input, F.INPUT);
  store<u32>(next, <u32>inBytes, F.INPUT_BYTES);
  markFrame(next);
  if (!isDelegate && !transfer(self, keepsSelf ? self : target, next + F.VALUE, !keepsSelf)) {
    setError(status.VALUE_OVERFLOW);
    return fail(next, given + stipend);
  }
  return start(next, code, target, given + stipend, given + stipend);
}

/** Starts the outermost message. kernel.ts has set caller, value and input in `next`. Returns the same as `end`. */
export function callOutermost(target: usize, gas: i64): u32 {
  const next = F.nextFrame();
  const sender = <usize>load<u32>(frame, F.SELF);
  if (isForeign(target)) return aborted;
  let code = codeOf(target);
  if (code == 0) return aborted;
  let resolution: i64 = 0;
  let delegate: usize = 0;
  if (load<u32>(code, C.DELEGATES) != 0 && has(rule.DELEGATION)) {
    delegate = account(code + C.DELEGATE);
    if (delegate == 0 || isForeign(delegate)) return aborted;
    resolution = warm(delegate) ? price(P.COLD_ACCOUNT) : WARM;
    code = codeOf(delegate);
    if (code == 0) return aborted;
  }
  expectChild(gas, gas, 0);
  const input = <usize>load<u32>(next, F.INPUT);
  enters(op.CALL, sender, target, next + F.VALUE, input, load<u32>(next, F.INPUT_BYTES), gas);
  store<u32>(next, 0, F.FLAGS);
  store<u32>(next, <u32>target, F.SELF);
  markFrame(next);
  let left = gas;
  if (has(rule.STATE_GAS)) {
    left = payEntry(next, gas, resolution, !isZero(next + F.VALUE) && isEmpty(target));
    if (left < 0) return failEntry(next);
    if (delegate != 0) access(delegate);
  }
  if (less(sender + A.BALANCE, next + F.VALUE)) {
    logs.skipTransfer(next + F.VALUE);
    setError(status.INSUFFICIENT_BALANCE);
    return fail(next, left);
  }
  if (!transfer(sender, target, next + F.VALUE, true)) {
    setError(status.VALUE_OVERFLOW);
    return fail(next, left);
  }
  return start(next, code, target, left, gas);
}

/** Ends a message without enough gas for what it pays before its outermost frame. */
export function failEntry(next: usize): u32 {
  setError(status.OUT_OF_GAS);
  return fail(next, 0);
}

/** Starts the child: a precompile, an account without code, or code. `gas` is what is left of what it was given. */
function start(next: usize, code: usize, target: usize, gas: i64, given: i64): u32 {
  const precompile = precompileAt(target);
  if (precompile != 0) return runPrecompile(next, precompile, bswap<u32>(load<u32>(target, 16)), gas);
  if (load<u32>(code, C.LENGTH) == 0) return finish(true, false, gas, depth < 0 ? entryNeed : 0);
  return run(next, code, gas, given);
}
