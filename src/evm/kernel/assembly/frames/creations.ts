// CREATE, CREATE2, and messages that create a contract.
import { aborted } from '../abort';
import { access, account, eraseStorage, hasNoCode, isEmpty, mark, setNonce, warm } from '../state/accounts';
import { addCode } from '../code/codes';
import { addWork, halt, setError } from '../execution';
import { creates, enters, hooked } from '../hooks';
import * as F from './frame';
import { depth, frame } from './frame';
import { failEntry } from './calls';
import { expectChild, markFrame, refuse, run, transfer } from './frame-entry';
import { fail, finishCreated } from './frame-return';
import { entryNeed, payEntry, payState } from './state-gas';
import { HASH_WORD, INITCODE_WORD, price } from '../gas-costs';
import { keccak256 } from '../hashes/keccak';
import * as logs from '../state/logs';
import { growFrame, memoryGas, rangeEnd, words } from './memory';
import * as op from '../operations';
import { has } from '../rules';
import { copy, copyAddress, isZero, less, size, swap } from '../words/word';
import * as A from '../shared/account-fields';
import { ADDRESS, DEPTH_MAX, HASH, PREIMAGE } from '../shared/layout';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';
import * as status from '../shared/status';

/** Executes the running frame's CREATE or CREATE2. Returns RUNNING, FAILING, or why the execution is aborted. */
export function create(opcode: u32): u32 {
  const sp = <usize>load<u32>(frame, F.SP);
  const salted = opcode == op.CREATE2;
  const offset = size(sp - 32);
  const bytes = size(sp - 64);
  const limited = has(rule.INITCODE);
  const end = rangeEnd(offset, bytes);
  if (end < 0) return halt(status.OUT_OF_GAS);
  if (limited && bytes > <u64>price(P.INITCODE_MAX)) return halt(status.INITCODE_SIZE);
  const memoryBytes = load<u32>(frame, F.MEMORY_BYTES);
  const memoryEnd = max<u32>(memoryBytes, <u32>end);
  let cost = memoryGas(memoryEnd) - memoryGas(memoryBytes);
  if (limited) cost += INITCODE_WORD * words(bytes);
  if (salted) cost += HASH_WORD * words(bytes);
  let left = load<i64>(frame, F.GAS) - cost;
  if (left < 0) return halt(status.OUT_OF_GAS);
  if (!growFrame(memoryEnd)) return aborted;

  store<u32>(frame, <u32>(salted ? sp - 4 * 32 : sp - 3 * 32), F.SP);
  store<u32>(frame, 0, F.OUT);
  store<u32>(frame, 0, F.OUT_BYTES);
  const self = <usize>load<u32>(frame, F.SELF);
  const nonce = load<u64>(self, A.NONCE);
  const memoryStart = <usize>load<u32>(frame, F.MEMORY_START);
  const initcode = bytes == 0 ? memoryStart : memoryStart + <usize>offset;
  const refusal = refusalOf(self, sp, nonce);
  if (refusal == 0 || hooked) {
    if (salted) saltedAddress(self, sp - 96, initcode, <u32>bytes);
    else numberedAddress(self, nonce);
    creates(ADDRESS);
  }
  if (refusal != 0) {
    if (has(rule.STATE_GAS)) store<i64>(frame, 0, F.CHILD_STATE);
    logs.skipTransfer(sp);
    const given = give(left);
    // From Amsterdam on, go-ethereum finds that before it starts the frame.
    const isFrame = !has(rule.STATE_GAS);
    if (isFrame) enters(opcode, self, ADDRESS, sp, initcode, <u32>bytes, given);
    return refuse(given, refusal, isFrame);
  }

  const created = account(ADDRESS);
  if (created == 0) return aborted;
  access(created);
  if (has(rule.STATE_GAS)) {
    const made = isEmpty(created) ? price(P.STATE_ACCOUNT) : 0;
    if (made != 0) left = payState(frame, left, made);
    if (left < 0) return halt(status.OUT_OF_GAS);
    store<i64>(frame, made, F.CHILD_STATE);
  }
  const given = give(left);
  enters(opcode, self, created, sp, initcode, <u32>bytes, given);
  const next = F.nextFrame();
  copy(next + F.VALUE, sp);
  copyAddress(next + F.CALLER, self);
  setNonce(self, nonce + 1);
  warm(created);
  markFrame(next);
  return begin(next, created, initcode, <u32>bytes, given, given);
}

/** Why a creation starts no frame; 0 if it does. */
function refusalOf(self: usize, value: usize, nonce: u64): u32 {
  if (depth >= <i32>DEPTH_MAX) return status.TOO_DEEP;
  if (less(self + A.BALANCE, value)) return status.INSUFFICIENT_BALANCE;
  return nonce == u64.MAX_VALUE ? status.NONCE_OVERFLOW : 0;
}

/** Moves the gas of a creation from the running frame to the child (EIP-150). */
function give(left: i64): i64 {
  const given = left - left / 64;
  store<i64>(frame, left - given, F.GAS);
  expectChild(given, left, 0);
  return given;
}

/** Starts an outermost message that creates a contract; its sender's nonce was raised. Returns the same as `end`. */
export function createOutermost(initcode: usize, bytes: u32, gas: i64): u32 {
  const next = F.nextFrame();
  const sender = <usize>load<u32>(frame, F.SELF);
  expectChild(gas, gas, 0);
  numberedAddress(sender, load<u64>(sender, A.NONCE) - 1);
  enters(op.CREATE, sender, ADDRESS, next + F.VALUE, initcode, bytes, gas);
  if (less(sender + A.BALANCE, next + F.VALUE)) {
    markFrame(next);
    logs.skipTransfer(next + F.VALUE);
    setError(status.INSUFFICIENT_BALANCE);
    return fail(next, gas);
  }
  const created = account(ADDRESS);
  if (created == 0) return aborted;
  warm(created);
  markFrame(next);
  let left = gas;
  if (has(rule.STATE_GAS)) {
    left = payEntry(next, gas, 0, isEmpty(created));
    if (left < 0) return failEntry(next);
  }
  return begin(next, created, initcode, bytes, left, gas);
}

/** Starts a creation by the running frame. `gas` is what is left of the gas that the child was given. */
function begin(next: usize, created: usize, initcode: usize, bytes: u32, gas: i64, given: i64): u32 {
  const creator = <usize>load<u32>(frame, F.SELF);
  const collides = load<u64>(created, A.NONCE) != 0 || !hasNoCode(created);
  if (collides || (has(rule.STORED_COLLIDES) && (load<u32>(created, A.BASE_FLAGS) & A.STORED) != 0)) {
    logs.skipTransfer(next + F.VALUE);
    setError(status.COLLISION);
    return fail(next, 0);
  }
  eraseStorage(created);
  mark(created, A.CREATED);
  setNonce(created, 1);
  store<u32>(next, F.CREATES, F.FLAGS);
  store<u32>(next, <u32>created, F.SELF);
  store<u32>(next, 0, F.INPUT_BYTES);
  if (!isZero(next + F.VALUE) && !transfer(creator, created, next + F.VALUE, true)) {
    setError(status.VALUE_OVERFLOW);
    return fail(next, gas);
  }
  if (bytes == 0) return finishCreated(created, gas, depth < 0 ? entryNeed : 0);
  keccak256(HASH, initcode, bytes);
  addWork(HASH_WORD * words(bytes));
  const code = addCode(HASH, initcode, bytes);
  if (code == 0) return aborted;
  return run(next, code, gas, given);
}

/** Yellow paper 7: the address of the contract that the sender creates with this nonce. */
function numberedAddress(sender: usize, nonce: u64): void {
  let bytes: u32 = 0;
  if (nonce >= 0x80) bytes = 8 - (<u32>clz(nonce) >> 3);
  store<u8>(PREIMAGE, 0xc0 + 22 + bytes);
  store<u8>(PREIMAGE, 0x94, 1);
  copyAddress(PREIMAGE + 2, sender);
  if (bytes == 0) {
    store<u8>(PREIMAGE, nonce == 0 ? 0x80 : <u32>nonce, 22);
  } else {
    store<u8>(PREIMAGE, 0x80 + bytes, 22);
    for (let i: u32 = 0; i < bytes; i++) store<u8>(PREIMAGE + 23 + i, nonce >> (8 * (bytes - 1 - i)));
  }
  hashToAddress(23 + bytes);
}

/** EIP-1014: the address of CREATE2. */
function saltedAddress(sender: usize, salt: usize, initcode: usize, bytes: u32): void {
  store<u8>(PREIMAGE, 0xff);
  copyAddress(PREIMAGE + 1, sender);
  swap(PREIMAGE + 21, salt);
  keccak256(PREIMAGE + 53, initcode, bytes);
  hashToAddress(85);
}

function hashToAddress(bytes: u32): void {
  keccak256(HASH, PREIMAGE, bytes);
  copyAddress(ADDRESS, HASH + 12);
  store<u32>(ADDRESS, 0, 20);
}
