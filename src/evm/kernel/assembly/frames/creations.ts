// Executes CREATE and CREATE2, and messages that create a contract.
import { abortReason } from '../abort-reason';
import {
  markForBlockAccessList,
  accountEntry,
  eraseStorage,
  hasNoCode,
  isEmpty,
  markAccountFlag,
  setNonce,
  warmAccountEntryIfCold,
} from '../state/accounts';
import { addCode } from '../code/code-table';
import { addUnmeteredWork, haltInstruction, setHaltReason } from '../execution-wide-state';
import { reportCreation, reportFrameEntered, reportsToTracer } from '../frame-and-log-hooks';
import * as F from './frame';
import { depth, runningFrame } from './frame';
import { failUnpaidEntry } from './calls';
import { recordGasGivenToChild, markFrameStart, refuseChildFrame, enterChildFrame, transferValue } from './frame-entry';
import { failChildFrame, returnCreatedAddress } from './frame-return';
import { gasBeforeOutermostFrame, chargeEntryAccessAndStateGas, chargeStateGas } from './state-gas';
import { KECCAK_WORD_GAS, INITCODE_WORD_GAS, forkPrice } from '../dynamic-gas-costs';
import { keccak256 } from '../hashes/keccak';
import * as logs from '../state/logs';
import { growPaidFrameMemory, memoryGas, memoryRangeEnd, wordCount } from './memory';
import * as op from '../operations';
import { hasRule } from '../rules';
import { copy, copyAddress, isZero, less, saturatedSize, byteSwap } from '../words/word';
import * as A from '../shared/account-fields';
import { SCRATCH_ADDRESS, DEPTH_MAX, SCRATCH_HASH, SCRATCH_NEW_ADDRESS_PREIMAGE } from '../shared/memory-layout';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';
import * as status from '../shared/status';

/**
 * Executes a CREATE or CREATE2 of the running frame. Returns RUNNING, INSTRUCTION_FAILED, or the reason of an abort.
 */
export function executeCreate(opcode: u32): u32 {
  const sp = <usize>load<u32>(runningFrame, F.SP);
  const salted = opcode == op.CREATE2;
  const offset = saturatedSize(sp - 32);
  const bytes = saturatedSize(sp - 64);
  const limited = hasRule(rule.LIMITS_INITCODE);
  const end = memoryRangeEnd(offset, bytes);
  if (end < 0) return haltInstruction(status.OUT_OF_GAS);
  if (limited && bytes > <u64>forkPrice(P.INITCODE_MAX)) return haltInstruction(status.INITCODE_SIZE);
  const memoryBytes = load<u32>(runningFrame, F.MEMORY_BYTES);
  const memoryEnd = max<u32>(memoryBytes, <u32>end);
  let cost = memoryGas(memoryEnd) - memoryGas(memoryBytes);
  if (limited) cost += INITCODE_WORD_GAS * wordCount(bytes);
  if (salted) cost += KECCAK_WORD_GAS * wordCount(bytes);
  let left = load<i64>(runningFrame, F.GAS_LEFT) - cost;
  if (left < 0) return haltInstruction(status.OUT_OF_GAS);
  if (!growPaidFrameMemory(memoryEnd)) return abortReason;

  store<u32>(runningFrame, <u32>(salted ? sp - 4 * 32 : sp - 3 * 32), F.SP);
  store<u32>(runningFrame, 0, F.RET_OFFSET);
  store<u32>(runningFrame, 0, F.RET_SIZE);
  const self = <usize>load<u32>(runningFrame, F.SELF_ACCOUNT);
  const nonce = load<u64>(self, A.NONCE);
  const memoryStart = <usize>load<u32>(runningFrame, F.MEMORY_START);
  const initcode = bytes == 0 ? memoryStart : memoryStart + <usize>offset;
  const refusal = refusalOf(self, sp, nonce);
  if (refusal == 0 || reportsToTracer) {
    if (salted) saltedAddress(self, sp - 96, initcode, <u32>bytes);
    else numberedAddress(self, nonce);
    reportCreation(SCRATCH_ADDRESS);
  }
  if (refusal != 0) {
    if (hasRule(rule.STATE_GAS)) store<i64>(runningFrame, 0, F.CHILD_ACCOUNT_STATE_GAS);
    logs.countRefusedTransferLog(sp);
    const given = give(left);
    // From Amsterdam on, go-ethereum checks depth, balance and nonce before it calls its tracer, so a refused creation
    // is not reported as a frame.
    const isFrame = !hasRule(rule.STATE_GAS);
    if (isFrame) reportFrameEntered(opcode, self, SCRATCH_ADDRESS, sp, initcode, <u32>bytes, given);
    return refuseChildFrame(given, refusal, isFrame);
  }

  const created = accountEntry(SCRATCH_ADDRESS);
  if (created == 0) return abortReason;
  markForBlockAccessList(created);
  if (hasRule(rule.STATE_GAS)) {
    const made = isEmpty(created) ? forkPrice(P.STATE_ACCOUNT) : 0;
    if (made != 0) left = chargeStateGas(runningFrame, left, made);
    if (left < 0) return haltInstruction(status.OUT_OF_GAS);
    store<i64>(runningFrame, made, F.CHILD_ACCOUNT_STATE_GAS);
  }
  const given = give(left);
  reportFrameEntered(opcode, self, created, sp, initcode, <u32>bytes, given);
  const next = F.placeNextFrame();
  copy(next + F.VALUE, sp);
  copyAddress(next + F.CALLER, self);
  setNonce(self, nonce + 1);
  warmAccountEntryIfCold(created);
  markFrameStart(next);
  return begin(next, created, initcode, <u32>bytes, given, given);
}

/** Returns why the creation is refused before a frame starts (depth, balance or nonce); 0 if it is not refused. */
function refusalOf(self: usize, value: usize, nonce: u64): u32 {
  if (depth >= <i32>DEPTH_MAX) return status.TOO_DEEP;
  if (less(self + A.BALANCE, value)) return status.INSUFFICIENT_BALANCE;
  return nonce == u64.MAX_VALUE ? status.NONCE_OVERFLOW : 0;
}

/** Deducts the child's gas from the running frame: all but a 64th (EIP-150). Returns that amount. */
function give(left: i64): i64 {
  const given = left - left / 64;
  store<i64>(runningFrame, left - given, F.GAS_LEFT);
  recordGasGivenToChild(given, left, 0);
  return given;
}

/**
 * Starts the outermost message as a creation; its sender's nonce was already raised. Returns RUNNING, or how the
 * message ended if it runs no code or is aborted.
 */
export function startOutermostCreation(initcode: usize, bytes: u32, gas: i64): u32 {
  const next = F.placeNextFrame();
  const sender = <usize>load<u32>(runningFrame, F.SELF_ACCOUNT);
  recordGasGivenToChild(gas, gas, 0);
  numberedAddress(sender, load<u64>(sender, A.NONCE) - 1);
  reportFrameEntered(op.CREATE, sender, SCRATCH_ADDRESS, next + F.VALUE, initcode, bytes, gas);
  if (less(sender + A.BALANCE, next + F.VALUE)) {
    markFrameStart(next);
    logs.countRefusedTransferLog(next + F.VALUE);
    setHaltReason(status.INSUFFICIENT_BALANCE);
    return failChildFrame(next, gas);
  }
  const created = accountEntry(SCRATCH_ADDRESS);
  if (created == 0) return abortReason;
  warmAccountEntryIfCold(created);
  markFrameStart(next);
  let left = gas;
  if (hasRule(rule.STATE_GAS)) {
    left = chargeEntryAccessAndStateGas(next, gas, 0, isEmpty(created));
    if (left < 0) return failUnpaidEntry(next);
  }
  return begin(next, created, initcode, bytes, left, gas);
}

/**
 * Starts a creation by the running frame. `given` is the gas that the child frame was given, `gas` what is left of it
 * after the charges on entry (EIP-2780).
 */
function begin(next: usize, created: usize, initcode: usize, bytes: u32, gas: i64, given: i64): u32 {
  const creator = <usize>load<u32>(runningFrame, F.SELF_ACCOUNT);
  const collides = load<u64>(created, A.NONCE) != 0 || !hasNoCode(created);
  if (collides || (hasRule(rule.STORAGE_COLLIDES) && (load<u32>(created, A.BASE_FLAGS) & A.HAS_STORAGE_ALONE) != 0)) {
    logs.countRefusedTransferLog(next + F.VALUE);
    setHaltReason(status.COLLISION);
    return failChildFrame(next, 0);
  }
  eraseStorage(created);
  markAccountFlag(created, A.CREATED);
  setNonce(created, 1);
  store<u32>(next, F.CREATION_FLAG, F.FLAGS);
  store<u32>(next, <u32>created, F.SELF_ACCOUNT);
  store<u32>(next, 0, F.INPUT_BYTES);
  if (!isZero(next + F.VALUE) && !transferValue(creator, created, next + F.VALUE, true)) {
    setHaltReason(status.VALUE_OVERFLOW);
    return failChildFrame(next, gas);
  }
  if (bytes == 0) return returnCreatedAddress(created, gas, depth < 0 ? gasBeforeOutermostFrame : 0);
  keccak256(SCRATCH_HASH, initcode, bytes);
  addUnmeteredWork(KECCAK_WORD_GAS * wordCount(bytes));
  const code = addCode(SCRATCH_HASH, initcode, bytes);
  if (code == 0) return abortReason;
  return enterChildFrame(next, code, gas, given);
}

/** Computes the address of the contract that the sender creates with this nonce (yellow paper 7). */
function numberedAddress(sender: usize, nonce: u64): void {
  let bytes: u32 = 0;
  if (nonce >= 0x80) bytes = 8 - (<u32>clz(nonce) >> 3);
  store<u8>(SCRATCH_NEW_ADDRESS_PREIMAGE, 0xc0 + 22 + bytes);
  store<u8>(SCRATCH_NEW_ADDRESS_PREIMAGE, 0x94, 1);
  copyAddress(SCRATCH_NEW_ADDRESS_PREIMAGE + 2, sender);
  if (bytes == 0) {
    store<u8>(SCRATCH_NEW_ADDRESS_PREIMAGE, nonce == 0 ? 0x80 : <u32>nonce, 22);
  } else {
    store<u8>(SCRATCH_NEW_ADDRESS_PREIMAGE, 0x80 + bytes, 22);
    for (let i: u32 = 0; i < bytes; i++)
      store<u8>(SCRATCH_NEW_ADDRESS_PREIMAGE + 23 + i, nonce >> (8 * (bytes - 1 - i)));
  }
  hashToAddress(23 + bytes);
}

/** Computes the address of a contract created by CREATE2 (EIP-1014). */
function saltedAddress(sender: usize, salt: usize, initcode: usize, bytes: u32): void {
  store<u8>(SCRATCH_NEW_ADDRESS_PREIMAGE, 0xff);
  copyAddress(SCRATCH_NEW_ADDRESS_PREIMAGE + 1, sender);
  byteSwap(SCRATCH_NEW_ADDRESS_PREIMAGE + 21, salt);
  keccak256(SCRATCH_NEW_ADDRESS_PREIMAGE + 53, initcode, bytes);
  hashToAddress(85);
}

function hashToAddress(bytes: u32): void {
  keccak256(SCRATCH_HASH, SCRATCH_NEW_ADDRESS_PREIMAGE, bytes);
  copyAddress(SCRATCH_ADDRESS, SCRATCH_HASH + 12);
  store<u32>(SCRATCH_ADDRESS, 0, 20);
}
