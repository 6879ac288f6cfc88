// How frames begin and end: the CALL family, creations, precompiles. The interpreter has written its variables to the frame
// before it comes here, and reads them anew from whichever frame runs then.
//
// The outermost message is the child of a root frame that runs nothing, so that there is one way for all.
import * as A from './account-fields';
import {
  account,
  addBalance,
  clearBalance,
  eraseStorage,
  hasNoCode,
  isEmpty,
  mark,
  precompileAt,
  setCode,
  setNonce,
  takeBalance,
  touch,
  warm,
} from './accounts';
import * as C from './codes';
import { prepare } from './decode';
import {
  looksAtGas,
  refund,
  returnBytes,
  setError,
  setRefund,
  setReturnBytes,
} from './execution';
import * as F from './frame';
import { depth, frame } from './frame';
import * as journal from './journal';
import { keccak256 } from './keccak';
import {
  DEPTH_MAX,
  MEMORY_END,
  RESULT,
  RESULT_CREATED,
  RESULT_INPUT,
  RESULT_INPUT_LENGTH,
  RESULT_PRECOMPILE,
  RESULT_PRECOMPILE_GAS,
  RETURN_DATA,
  RETURN_DATA_MAX,
  SCRATCH,
} from './layout';
import * as logs from './logs';
import * as op from './operations';
import { giveUp, problem } from './problem';
import * as rules from './rules';
import { sha256 } from './sha256';
import * as status from './status';
import { copy, copyAddress, fromAddress, isZero, less, setU64, size, gasAmount, swap, toAddress, zero } from './word';

const COLD_ACCOUNT: i64 = 2600;
const WARM: i64 = 100;
const VALUE_TRANSFER: i64 = 9000;
const NEW_ACCOUNT: i64 = 25_000;
const STIPEND: i64 = 2300;
const CODE_BYTE: i64 = 200;
const CODE_MAX: u32 = 24_576;
const INITCODE_MAX: u64 = 49_152;
const HOST: u32 = 1;
const IDENTITY: u32 = 2;

const ADDRESS: usize = SCRATCH;
const HASH: usize = SCRATCH + 32;
const PREIMAGE: usize = SCRATCH + 64;
/** Value of calls that have none. */
const NOTHING: usize = SCRATCH + 256;

// ---- memory ----

/** The end of a memory range in whole words; -1 where no gas could pay for it. */
@inline
export function rangeEnd(offset: u64, length: u64): i64 {
  if (length == 0) return 0;
  const end = offset + length;
  return end > 0xffff_ffe0 ? -1 : <i64>((end + 31) & ~31);
}

/** Makes memory longer, up to a multiple of 32 bytes; false when the execution has to be given up. */
export function grow(start: usize, from: usize, to: usize): bool {
  if (start + to > MEMORY_END) {
    giveUp(status.FULL);
    return false;
  }
  memory.fill(start + from, 0, to - from);
  return true;
}

// ---- the CALL family ----

/** Executes the call instruction that the running frame is at. RUNNING, PRECOMPILE or HALT. */
export function call(opcode: u32): u32 {
  const sp = <usize>load<u32>(frame, F.SP);
  const mayPay = opcode == op.CALL || opcode == op.CALLCODE;
  const value = mayPay ? sp - 64 : NOTHING;
  const pays = mayPay && !isZero(value);
  const ranges = mayPay ? sp - 96 : sp - 64;
  const self = <usize>load<u32>(frame, F.SELF);
  const flags = load<u32>(frame, F.FLAGS);
  if (opcode == op.CALL && pays && (flags & F.STATIC) != 0) return halt(status.STATIC_CHANGE);

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
  if (target == 0) return problem;
  let cost = F.memoryGas(memoryEnd) - F.memoryGas(memoryBytes);
  cost += warm(target) ? COLD_ACCOUNT : WARM;
  if (pays) cost += VALUE_TRANSFER;
  if (pays && opcode == op.CALL && isEmpty(target)) cost += NEW_ACCOUNT;
  let code = C.codeOf(target);
  if (code == 0) return problem;
  if (load<u32>(code, C.DELEGATES) != 0 && rules.has(rules.DELEGATION)) {
    const delegate = account(code + C.DELEGATE);
    if (delegate == 0) return problem;
    cost += warm(delegate) ? COLD_ACCOUNT : WARM;
    code = C.codeOf(delegate);
    if (code == 0) return problem;
  }
  const left = load<i64>(frame, F.GAS) - cost;
  if (left < 0) return halt(status.OUT_OF_GAS);
  const memoryStart = <usize>load<u32>(frame, F.MEMORY_START);
  if (memoryEnd > memoryBytes) {
    if (!grow(memoryStart, memoryBytes, memoryEnd)) return problem;
    store<u32>(frame, memoryEnd, F.MEMORY_BYTES);
  }

  const given = min(gasAmount(sp), left - left / 64);
  const stipend: i64 = pays ? STIPEND : 0;
  store<u32>(frame, <u32>(mayPay ? sp - 7 * 32 : sp - 6 * 32), F.SP);
  store<i64>(frame, left - given, F.GAS);
  store<u32>(frame, <u32>outOffset, F.OUT);
  store<u32>(frame, <u32>outBytes, F.OUT_BYTES);
  expectChild(given, left, stipend);
  if (depth >= <i32>DEPTH_MAX || (pays && less(self + A.BALANCE, value))) return refuse(given + stipend);

  const next = F.nextFrame();
  const isDelegate = opcode == op.DELEGATECALL;
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
  // An offset without a length leads anywhere.
  store<u32>(next, <u32>(inBytes == 0 ? memoryStart : memoryStart + <usize>inOffset), F.INPUT);
  store<u32>(next, <u32>inBytes, F.INPUT_BYTES);
  markFrame(next);
  if (!isDelegate && !transfer(self, keepsSelf ? self : target, next + F.VALUE)) {
    setError(status.VALUE_OVERFLOW);
    return fail(next, given + stipend);
  }
  return start(next, code, precompileAt(target), bswap<u32>(load<u32>(target, 16)), given + stipend);
}

/** Executes the outermost message, of which `next` has caller, value and input: see `root`. */
export function callOutermost(target: usize, gas: i64): u32 {
  const next = F.nextFrame();
  const sender = <usize>load<u32>(frame, F.SELF);
  let code = C.codeOf(target);
  if (code == 0) return problem;
  if (load<u32>(code, C.DELEGATES) != 0 && rules.has(rules.DELEGATION)) {
    const delegate = account(code + C.DELEGATE);
    if (delegate == 0) return problem;
    warm(delegate);
    code = C.codeOf(delegate);
    if (code == 0) return problem;
  }
  expectChild(gas, gas, 0);
  store<u32>(next, 0, F.FLAGS);
  store<u32>(next, <u32>target, F.SELF);
  markFrame(next);
  if (less(sender + A.BALANCE, next + F.VALUE)) {
    setError(status.INSUFFICIENT_BALANCE);
    return fail(next, gas);
  }
  if (!transfer(sender, target, next + F.VALUE)) {
    setError(status.VALUE_OVERFLOW);
    return fail(next, gas);
  }
  return start(next, code, precompileAt(target), bswap<u32>(load<u32>(target, 16)), gas);
}

/** What has to be known when the child comes back. */
@inline
function expectChild(given: i64, left: i64, stipend: i64): void {
  store<i64>(frame, given, F.CHILD_GIVEN);
  store<i64>(frame, left, F.CHILD_LEFT);
  store<i64>(frame, stipend, F.CHILD_STIPEND);
  F.atLeast(frame, load<i64>(frame, F.GAS_GIVEN) - left);
  setReturnBytes(0);
}

@inline
function markFrame(next: usize): void {
  store<u32>(next, <u32>journal.top, F.JOURNAL_MARK);
  store<u32>(next, <u32>logs.top, F.LOGS_MARK);
  store<u32>(next, logs.count, F.LOG_COUNT_MARK);
  store<i64>(next, refund, F.REFUND_MARK);
}

/** Moves value; false when the receiver would have more than a word holds. */
function transfer(from: usize, to: usize, value: usize): bool {
  if (isZero(value)) {
    touch(from);
    touch(to);
    return true;
  }
  if (from == to) return true;
  takeBalance(from, value);
  return addBalance(to, value);
}

/** Begins the child: a precompile, nothing at all, or code. */
function start(next: usize, code: usize, precompile: u32, address: u32, gas: i64): u32 {
  if (precompile != 0) return runPrecompile(next, precompile, address, gas);
  if (load<u32>(code, C.LENGTH) == 0) return finish(true, false, gas, 0);
  return run(next, code, gas);
}

function run(next: usize, code: usize, gas: i64): u32 {
  if (!prepare(code)) return problem;
  store<u32>(next, <u32>code, F.CODE);
  store<u32>(next, load<u32>(code, C.START), F.IP);
  store<u32>(next, load<u32>(next, F.STACK_START) - 32, F.SP);
  store<u32>(next, 0, F.MEMORY_BYTES);
  store<i64>(next, gas, F.GAS);
  store<i64>(next, gas, F.GAS_GIVEN);
  store<i64>(next, 0, F.NEED);
  F.enter(next);
  return status.RUNNING;
}

function halt(reason: u32): u32 {
  setError(reason);
  return status.HALT;
}

/** The child was not begun: it gets its gas back and answers 0. */
function refuse(gas: i64): u32 {
  store<i64>(frame, load<i64>(frame, F.GAS) + gas, F.GAS);
  const sp = <usize>load<u32>(frame, F.SP) + 32;
  zero(sp);
  store<u32>(frame, <u32>sp, F.SP);
  return status.RUNNING;
}

// ---- precompiles ----

function runPrecompile(next: usize, precompile: u32, address: u32, gas: i64): u32 {
  const input = <usize>load<u32>(next, F.INPUT);
  const bytes = load<u32>(next, F.INPUT_BYTES);
  const words = <i64>((bytes + 31) >> 5);
  store<i64>(next, gas, F.GAS);
  if (precompile == HOST) {
    store<u32>(RESULT, address, RESULT_PRECOMPILE);
    store<u32>(RESULT, <u32>input, RESULT_INPUT);
    store<u32>(RESULT, bytes, RESULT_INPUT_LENGTH);
    store<i64>(RESULT, gas, RESULT_PRECOMPILE_GAS);
    return status.PRECOMPILE;
  }
  if (precompile == IDENTITY) {
    const cost = 15 + 3 * words;
    if (gas < cost) return outOfGas(next);
    if (bytes > RETURN_DATA_MAX) {
      giveUp(status.FULL);
      return problem;
    }
    memory.copy(RETURN_DATA, input, bytes);
    return finishPrecompile(true, cost, bytes);
  }
  const cost = 60 + 12 * words;
  if (gas < cost) return outOfGas(next);
  sha256(RETURN_DATA, input, bytes);
  return finishPrecompile(true, cost, 32);
}

function outOfGas(next: usize): u32 {
  setError(status.OUT_OF_GAS);
  return fail(next, 0);
}

/** Goes on when a precompile has run: its output is at RETURN_DATA. */
export function finishPrecompile(succeeded: bool, used: i64, bytes: u32): u32 {
  const next = F.nextFrame();
  if (!succeeded) {
    setError(status.PRECOMPILE_FAILED);
    return fail(next, 0);
  }
  setReturnBytes(bytes);
  return finish(true, false, load<i64>(next, F.GAS) - used, used);
}

// ---- creations ----

/** Executes the CREATE or CREATE2 that the running frame is at. RUNNING or HALT. */
export function create(opcode: u32): u32 {
  const sp = <usize>load<u32>(frame, F.SP);
  if ((load<u32>(frame, F.FLAGS) & F.STATIC) != 0) return halt(status.STATIC_CHANGE);
  const salted = opcode == op.CREATE2;
  const offset = size(sp - 32);
  const bytes = size(sp - 64);
  const limited = rules.has(rules.INITCODE);
  const end = rangeEnd(offset, bytes);
  if (end < 0) return halt(status.OUT_OF_GAS);
  if (limited && bytes > INITCODE_MAX) return halt(status.INITCODE_SIZE);
  const memoryBytes = load<u32>(frame, F.MEMORY_BYTES);
  const memoryEnd = max<u32>(memoryBytes, <u32>end);
  const words = <i64>((bytes + 31) >> 5);
  let cost = F.memoryGas(memoryEnd) - F.memoryGas(memoryBytes);
  if (limited) cost += 2 * words;
  if (salted) cost += 6 * words;
  const left = load<i64>(frame, F.GAS) - cost;
  if (left < 0) return halt(status.OUT_OF_GAS);
  const memoryStart = <usize>load<u32>(frame, F.MEMORY_START);
  if (memoryEnd > memoryBytes) {
    if (!grow(memoryStart, memoryBytes, memoryEnd)) return problem;
    store<u32>(frame, memoryEnd, F.MEMORY_BYTES);
  }

  const given = left - left / 64;
  store<u32>(frame, <u32>(salted ? sp - 4 * 32 : sp - 3 * 32), F.SP);
  store<i64>(frame, left - given, F.GAS);
  store<u32>(frame, 0, F.OUT);
  store<u32>(frame, 0, F.OUT_BYTES);
  expectChild(given, left, 0);
  const self = <usize>load<u32>(frame, F.SELF);
  const nonce = load<u64>(self, A.NONCE);
  if (depth >= <i32>DEPTH_MAX || less(self + A.BALANCE, sp) || nonce == u64.MAX_VALUE) return refuse(given);

  const next = F.nextFrame();
  copy(next + F.VALUE, sp);
  copyAddress(next + F.CALLER, self);
  const initcode = bytes == 0 ? memoryStart : memoryStart + <usize>offset;
  if (salted) saltedAddress(self, sp - 96, initcode, <u32>bytes);
  else numberedAddress(self, nonce);
  setNonce(self, nonce + 1);
  return createAt(next, self, initcode, <u32>bytes, given);
}

/** Executes the outermost message where it makes a contract; its sender's nonce has been raised. */
export function createOutermost(initcode: usize, bytes: u32, gas: i64): u32 {
  const next = F.nextFrame();
  const sender = <usize>load<u32>(frame, F.SELF);
  expectChild(gas, gas, 0);
  if (less(sender + A.BALANCE, next + F.VALUE)) {
    markFrame(next);
    setError(status.INSUFFICIENT_BALANCE);
    return fail(next, gas);
  }
  numberedAddress(sender, load<u64>(sender, A.NONCE) - 1);
  return createAt(next, sender, initcode, bytes, gas);
}

/** Makes the contract whose address is at ADDRESS. */
function createAt(next: usize, creator: usize, initcode: usize, bytes: u32, gas: i64): u32 {
  const created = account(ADDRESS);
  if (created == 0) return problem;
  warm(created);
  markFrame(next);
  if (load<u64>(created, A.NONCE) != 0 || !hasNoCode(created)) {
    setError(status.COLLISION);
    return fail(next, 0);
  }
  eraseStorage(created);
  mark(created, A.CREATED);
  setNonce(created, 1);
  store<u32>(next, F.CREATES, F.FLAGS);
  store<u32>(next, <u32>created, F.SELF);
  store<u32>(next, 0, F.INPUT_BYTES);
  if (!isZero(next + F.VALUE) && !transfer(creator, created, next + F.VALUE)) {
    setError(status.VALUE_OVERFLOW);
    return fail(next, gas);
  }
  if (bytes == 0) return finishCreated(created, gas, 0);
  keccak256(HASH, initcode, bytes);
  const code = C.addCode(HASH, initcode, bytes);
  if (code == 0) return problem;
  return run(next, code, gas);
}

/** Yellow paper 7: the address of the sender's creation number `nonce`. */
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

/** EIP-1014. */
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

// ---- ends ----

/** Ends the running frame: `data` is what it gives back. RUNNING while another frame goes on, else how it all ended. */
export function end(how: u32, data: usize, bytes: u32): u32 {
  const ending = frame;
  const gas = load<i64>(ending, F.GAS);
  F.leave();
  if (how == status.HALT) return fail(ending, 0);
  if (bytes > RETURN_DATA_MAX) {
    giveUp(status.FULL);
    return problem;
  }
  if (how == status.SUCCESS && (load<u32>(ending, F.FLAGS) & F.CREATES) != 0) return deposit(ending, data, bytes, gas);
  F.atLeast(ending, load<i64>(ending, F.GAS_GIVEN) - gas);
  memory.copy(RETURN_DATA, data, bytes);
  setReturnBytes(bytes);
  const succeeded = how == status.SUCCESS;
  if (!succeeded) takeBack(ending);
  return finish(succeeded, false, gas, load<i64>(ending, F.NEED));
}

/** Makes what a creation has given back the code of the contract. */
function deposit(ending: usize, data: usize, bytes: u32, gas: i64): u32 {
  const left = gas - CODE_BYTE * <i64>bytes;
  const created = <usize>load<u32>(ending, F.SELF);
  const isTooLong = bytes > CODE_MAX;
  if (isTooLong || left < 0) {
    setError(isTooLong ? status.CODE_SIZE : status.CODE_STORE_GAS);
    return fail(ending, 0);
  }
  if (bytes > 0) {
    if (load<u8>(data) == 0xef) {
      setError(status.CODE_INVALID);
      return fail(ending, 0);
    }
    keccak256(HASH, data, bytes);
    const code = C.addCode(HASH, data, bytes);
    if (code == 0) return problem;
    setCode(created, HASH, code, C.generation);
  }
  // The outermost message answers with the code, any other with nothing.
  if (depth < 0) memory.copy(RETURN_DATA, data, bytes);
  setReturnBytes(depth < 0 ? bytes : 0);
  F.atLeast(ending, load<i64>(ending, F.GAS_GIVEN) - left);
  return finishCreated(created, left, load<i64>(ending, F.NEED));
}

function takeBack(failed: usize): void {
  journal.revert(<usize>load<u32>(failed, F.JOURNAL_MARK));
  logs.revert(<usize>load<u32>(failed, F.LOGS_MARK), load<u32>(failed, F.LOG_COUNT_MARK));
  setRefund(load<i64>(failed, F.REFUND_MARK));
}

/** The child has halted: nothing that it did stays, and `gas` is all that comes back. */
function fail(failed: usize, gas: i64): u32 {
  takeBack(failed);
  setReturnBytes(0);
  return finish(false, true, gas, 0);
}

function finishCreated(created: usize, gas: i64, need: i64): u32 {
  const answer = finish(true, false, gas, need);
  if (depth < 0) store<u32>(RESULT, <u32>created, RESULT_CREATED);
  else fromAddress(<usize>load<u32>(frame, F.SP), created);
  return answer;
}

/** The frame that had called goes on: gas and need are accounted for, output and answer written. */
function finish(succeeded: bool, halted: bool, gas: i64, need: i64): u32 {
  if (problem != 0) return problem;
  store<i64>(frame, load<i64>(frame, F.GAS) + gas, F.GAS);
  if (depth < 0) {
    store<i64>(frame, need, F.NEED);
    return succeeded ? status.SUCCESS : halted ? status.HALT : status.REVERT;
  }
  const given = load<i64>(frame, F.CHILD_GIVEN);
  const left = load<i64>(frame, F.CHILD_LEFT);
  const base = load<i64>(frame, F.GAS_GIVEN) - left;
  if (!halted) F.atLeast(frame, base + F.inverse(need - load<i64>(frame, F.CHILD_STIPEND)));
  else if (given < left - left / 64) F.atLeast(frame, base + F.inverse(given));
  else looksAtGas();
  const sp = <usize>load<u32>(frame, F.SP) + 32;
  setU64(sp, u64(succeeded));
  store<u32>(frame, <u32>sp, F.SP);
  const bytes = min(load<u32>(frame, F.OUT_BYTES), returnBytes);
  if (bytes != 0) memory.copy(<usize>(load<u32>(frame, F.MEMORY_START) + load<u32>(frame, F.OUT)), RETURN_DATA, bytes);
  return status.RUNNING;
}

// ---- SELFDESTRUCT ----

/** Executes the SELFDESTRUCT that the running frame is at. SUCCESS or HALT: then the frame ends so. */
export function destroy(): u32 {
  const sp = <usize>load<u32>(frame, F.SP);
  if ((load<u32>(frame, F.FLAGS) & F.STATIC) != 0) return halt(status.STATIC_CHANGE);
  const self = <usize>load<u32>(frame, F.SELF);
  toAddress(ADDRESS, sp);
  const heir = account(ADDRESS);
  if (heir == 0) return problem;
  const hasBalance = !isZero(self + A.BALANCE);
  let cost: i64 = 0;
  if (warm(heir)) cost += COLD_ACCOUNT;
  if (hasBalance && isEmpty(heir)) cost += NEW_ACCOUNT;
  const left = load<i64>(frame, F.GAS) - cost;
  if (left < 0) return halt(status.OUT_OF_GAS);
  store<i64>(frame, left, F.GAS);
  const isNew = (load<u32>(self, A.FLAGS) & A.CREATED) != 0;
  const goes = isNew || !rules.has(rules.DESTROYS_NEW_ONLY);
  if (heir != self) {
    if (hasBalance) addBalance(heir, self + A.BALANCE);
    else touch(heir);
  }
  if (goes || heir != self) clearBalance(self);
  if (goes) mark(self, A.DESTROYED);
  return status.SUCCESS;
}
