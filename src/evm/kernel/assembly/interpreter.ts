// Runs instructions until the outermost message ends, or the host is needed.
//
// An instruction that goes through ends in `continue`. One that does not leaves the switch before it has changed anything but
// how long memory is, for want of gas unless `reason` says otherwise; or, with no reason, as a call or the end of a frame has led
// to an `outcome`.
import { aborted, abortWith } from './abort';
import { account, isEmpty, precompileAt, warm } from './accounts';
import {
  addModulo,
  byteLength,
  divide,
  modulo,
  multiply,
  multiplyModulo,
  power,
  signedDivide,
  signedModulo,
} from './arithmetic';
import { call } from './calls';
import { codeOf } from './codes';
import { create } from './creations';
import { BYTES as INSTRUCTION, OPERAND, PC, endsBlock, prepareCarefully, staticGasFrom } from './decode';
import { destroy } from './destruction';
import { addRefund, error, looksAtGas, returnBytes, setError } from './execution';
import * as F from './frame';
import { depth, frame } from './frame';
import { end } from './frame-return';
import { CLEARS, COLD_ACCOUNT, COLD_SLOT, SLOT_RESET, SLOT_SET, SSTORE_SENTRY, WARM } from './gas-costs';
import { hostBlockHash, hostNow } from './host';
import { keccak256 } from './keccak';
import { cachedKeccak } from './keccak-cache';
import * as logs from './logs';
import { extend, wholeWords, words } from './memory';
import * as op from './operations';
import { byteAt, leadingZeros, shiftLeft, shiftRight, shiftRightSigned, signExtend } from './shift';
import { setSlot, setTransient, slot, transient, warmSlot } from './storage';
import {
  add,
  copy,
  equal,
  fromAddress,
  isZero,
  less,
  lessSigned,
  setU64,
  size,
  subtract,
  swap,
  toAddress,
  zero,
} from './word';
import * as A from './shared/account-fields';
import * as C from './shared/code-fields';
import {
  ADDRESS,
  BLOBS,
  ENV,
  ENV_BASE_FEE,
  ENV_BLOB_BASE_FEE,
  ENV_CHAIN_ID,
  ENV_COINBASE,
  ENV_GAS_LIMIT,
  ENV_NUMBER,
  ENV_RANDAO,
  ENV_TIMESTAMP,
  MESSAGE,
  MESSAGE_BLOBS,
  MESSAGE_CALLER,
  MESSAGE_DEADLINE,
  MESSAGE_GAS_PRICE,
  RESULT,
  RESULT_OPCODE,
  RESULT_RETURN_DATA,
  RESULT_STACK,
  RESULT_TOP,
  RETURN_DATA,
  WORD,
} from './shared/layout';
import { SLOT_BASE, SLOT_FLAGS, SLOT_VALUE, TRANSIENT_VALUE } from './shared/slot-fields';
import * as status from './shared/status';

const BLOCKS_PER_LOOK_AT_CLOCK: i32 = 1 << 14;
const OUT_OF_GAS = status.OUT_OF_GAS;

/** Adds one to the upper three limbs of a word. */
function carry(limb: usize): void {
  for (let i = 0; i < 3; i++, limb += 8) {
    const sum = load<u64>(limb) + 1;
    store<u64>(limb, sum);
    if (sum != 0) return;
  }
}

/** Copies `count` bytes from `offset` on; behind the end of the source are zeros. */
function copyRange(to: usize, source: usize, length: u32, offset: u64, count: u32): void {
  const there: u32 = offset >= length ? 0 : min<u32>(count, length - <u32>offset);
  if (there != 0) memory.copy(to, source + <usize>offset, there);
  if (there < count) memory.fill(to + there, 0, count - there);
}

/** Where the JUMPDEST at `target` leads; 0 when there is none. */
@inline
function destination(jumps: usize, codeLength: u32, target: u64): usize {
  return target < codeLength ? <usize>load<u32>(jumps + (<usize>target << 2)) : 0;
}

@inline
function isCold(entry: usize): bool {
  return (load<u32>(entry, A.FLAGS) & A.WARM) == 0 && precompileAt(entry) == 0;
}

/** Net metering (EIP-2200, 2929, 3529): what the write costs beside a cold access; refunds are counted. */
function meterStore(entry: usize, value: usize): i64 {
  const current = entry + SLOT_VALUE;
  const original = entry + SLOT_BASE;
  if (equal(current, value)) return WARM;
  if (equal(original, current)) {
    if (isZero(original)) return SLOT_SET;
    if (isZero(value)) addRefund(CLEARS);
    return SLOT_RESET;
  }
  if (!isZero(original)) {
    if (isZero(current)) addRefund(-CLEARS);
    else if (isZero(value)) addRefund(CLEARS);
  }
  if (equal(original, value)) addRefund(isZero(original) ? SLOT_SET - WARM : SLOT_RESET - WARM);
  return WARM;
}

/** Tells the host how the outermost frame has failed. */
function report(opcode: u32, sp: usize): void {
  store<u32>(RESULT, opcode, RESULT_OPCODE);
  store<u32>(RESULT, <u32>((sp + 32 - load<u32>(frame, F.STACK_START)) >> 5), RESULT_STACK);
  store<u32>(RESULT, <u32>sp, RESULT_TOP);
  store<u32>(RESULT, returnBytes, RESULT_RETURN_DATA);
}

/** Runs the frame that is on top, and all that it calls. How it ended, of status.ts. */
export function interpret(): u32 {
  let clock = BLOCKS_PER_LOOK_AT_CLOCK;
  while (true) {
    let ip = <usize>load<u32>(frame, F.IP);
    let sp = <usize>load<u32>(frame, F.SP);
    let gas = load<i64>(frame, F.GAS);
    let memoryBytes = load<u32>(frame, F.MEMORY_BYTES);
    const memoryStart = <usize>load<u32>(frame, F.MEMORY_START);
    const stackStart = <usize>load<u32>(frame, F.STACK_START);
    const stackEnd = stackStart + 1023 * 32;
    const self = <usize>load<u32>(frame, F.SELF);
    const code = <usize>load<u32>(frame, F.CODE);
    const codeLength = load<u32>(code, C.LENGTH);
    const flags = load<u32>(frame, F.FLAGS);
    const jumps = <usize>load<u32>(code, C.JUMPS);
    let isCareful = false;
    let reason: u32 = OUT_OF_GAS;
    let outcome: u32 = status.RUNNING;
    for (; ; ip += INSTRUCTION) {
      switch (load<u32>(ip)) {
        case op.BLOCK: {
          const needs = load<u64>(ip, OPERAND);
          gas -= <i64>(<u32>needs);
          const needed = <usize>(<u32>(needs >> 32) & 0xffff);
          const added = <usize>(needs >> 48);
          if (sp + 32 < stackStart + needed) {
            reason = status.STACK_UNDERFLOW;
            break;
          }
          if (sp + added > stackEnd) {
            reason = status.STACK_OVERFLOW;
            break;
          }
          if (gas < 0) break;
          if (--clock < 0) {
            if (hostNow() > load<f64>(MESSAGE, MESSAGE_DEADLINE)) return status.DEADLINE;
            clock = BLOCKS_PER_LOOK_AT_CLOCK;
          }
          continue;
        }

        // ---- ends ----
        case op.STOP: {
          store<i64>(frame, gas, F.GAS);
          reason = 0;
          outcome = end(status.SUCCESS, 0, 0);
          break;
        }
        case op.RETURN:
        case op.REVERT: {
          const offset = size(sp);
          const bytes = size(sp - 32);
          const reach: u64 = bytes == 0 ? 0 : offset + bytes;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          store<i64>(frame, gas, F.GAS);
          reason = 0;
          const how = load<u32>(ip) == op.RETURN ? status.SUCCESS : status.REVERT;
          outcome = end(how, bytes == 0 ? 0 : memoryStart + <usize>offset, <u32>bytes);
          break;
        }
        case op.SELFDESTRUCT: {
          store<u32>(frame, <u32>sp, F.SP);
          store<i64>(frame, gas, F.GAS);
          outcome = destroy();
          reason = outcome == status.HALT ? error : 0;
          if (outcome == status.SUCCESS) outcome = end(status.SUCCESS, 0, 0);
          break;
        }
        case op.UNDEFINED: {
          reason = status.INVALID_OPCODE;
          break;
        }

        // ---- arithmetic ----
        case op.ADD: {
          add(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.ADD_SMALL: {
          const low = load<u64>(sp);
          const sum = low + load<u64>(ip, OPERAND);
          store<u64>(sp, sum);
          if (sum < low) carry(sp + 8);
          continue;
        }
        case op.MUL: {
          multiply(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.SUB: {
          subtract(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.DIV: {
          divide(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.SDIV: {
          signedDivide(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.MOD: {
          modulo(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.SMOD: {
          signedModulo(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.ADDMOD: {
          addModulo(sp - 64, sp, sp - 32, sp - 64);
          sp -= 64;
          continue;
        }
        case op.MULMOD: {
          multiplyModulo(sp - 64, sp, sp - 32, sp - 64);
          sp -= 64;
          continue;
        }
        case op.EXP: {
          const cost = 50 * <i64>byteLength(sp - 32);
          if (gas < cost) break;
          gas -= cost;
          power(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.SIGNEXTEND: {
          signExtend(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }

        // ---- comparison and bits ----
        case op.LT: {
          const answer = less(sp, sp - 32);
          sp -= 32;
          setU64(sp, u64(answer));
          continue;
        }
        case op.GT: {
          const answer = less(sp - 32, sp);
          sp -= 32;
          setU64(sp, u64(answer));
          continue;
        }
        case op.SLT: {
          const answer = lessSigned(sp, sp - 32);
          sp -= 32;
          setU64(sp, u64(answer));
          continue;
        }
        case op.SGT: {
          const answer = lessSigned(sp - 32, sp);
          sp -= 32;
          setU64(sp, u64(answer));
          continue;
        }
        case op.EQ: {
          const answer = equal(sp, sp - 32);
          sp -= 32;
          setU64(sp, u64(answer));
          continue;
        }
        case op.ISZERO: {
          setU64(sp, u64(isZero(sp)));
          continue;
        }
        case op.AND: {
          v128.store(sp - 32, v128.and(v128.load(sp), v128.load(sp - 32)));
          v128.store(sp - 16, v128.and(v128.load(sp, 16), v128.load(sp - 16)));
          sp -= 32;
          continue;
        }
        case op.AND_WORD: {
          v128.store(sp, v128.and(v128.load(sp), v128.load(ip, INSTRUCTION)));
          v128.store(sp, v128.and(v128.load(sp, 16), v128.load(ip, INSTRUCTION + 16)), 16);
          ip += 2 * INSTRUCTION;
          continue;
        }
        case op.OR: {
          v128.store(sp - 32, v128.or(v128.load(sp), v128.load(sp - 32)));
          v128.store(sp - 16, v128.or(v128.load(sp, 16), v128.load(sp - 16)));
          sp -= 32;
          continue;
        }
        case op.XOR: {
          v128.store(sp - 32, v128.xor(v128.load(sp), v128.load(sp - 32)));
          v128.store(sp - 16, v128.xor(v128.load(sp, 16), v128.load(sp - 16)));
          sp -= 32;
          continue;
        }
        case op.NOT: {
          v128.store(sp, v128.not(v128.load(sp)));
          v128.store(sp, v128.not(v128.load(sp, 16)), 16);
          continue;
        }
        case op.BYTE: {
          byteAt(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.SHL: {
          shiftLeft(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.SHR: {
          shiftRight(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.SAR: {
          shiftRightSigned(sp - 32, sp, sp - 32);
          sp -= 32;
          continue;
        }
        case op.CLZ: {
          leadingZeros(sp, sp);
          continue;
        }
        case op.KECCAK256: {
          const offset = size(sp);
          const bytes = size(sp - 32);
          const reach: u64 = bytes == 0 ? 0 : offset + bytes;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          const cost = 6 * words(bytes);
          if (gas < cost) break;
          gas -= cost;
          sp -= 32;
          if (bytes == 64) {
            cachedKeccak(sp, memoryStart + <usize>offset);
            continue;
          }
          keccak256(WORD, memoryStart + <usize>offset, <u32>bytes);
          swap(sp, WORD);
          continue;
        }

        // ---- the message ----
        case op.ADDRESS: {
          sp += 32;
          fromAddress(sp, self);
          continue;
        }
        case op.ORIGIN: {
          sp += 32;
          fromAddress(sp, MESSAGE + MESSAGE_CALLER);
          continue;
        }
        case op.CALLER: {
          sp += 32;
          fromAddress(sp, frame + F.CALLER);
          continue;
        }
        case op.CALLVALUE: {
          sp += 32;
          copy(sp, frame + F.VALUE);
          continue;
        }
        case op.CALLDATALOAD: {
          const offset = size(sp);
          const length = load<u32>(frame, F.INPUT_BYTES);
          const input = <usize>load<u32>(frame, F.INPUT);
          if (offset + 32 <= length) {
            swap(sp, input + <usize>offset);
          } else {
            copyRange(WORD, input, length, offset, 32);
            swap(sp, WORD);
          }
          continue;
        }
        case op.CALLDATASIZE: {
          sp += 32;
          setU64(sp, load<u32>(frame, F.INPUT_BYTES));
          continue;
        }
        case op.CALLDATACOPY:
        case op.CODECOPY:
        case op.RETURNDATACOPY: {
          const offset = size(sp);
          const from = size(sp - 32);
          const bytes = size(sp - 64);
          const operation = load<u32>(ip);
          if (operation == op.RETURNDATACOPY && from + bytes > returnBytes) break;
          const reach: u64 = bytes == 0 ? 0 : offset + bytes;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          const cost = 3 * words(bytes);
          if (gas < cost) break;
          gas -= cost;
          let source = RETURN_DATA;
          let length = returnBytes;
          if (operation == op.CALLDATACOPY) {
            source = <usize>load<u32>(frame, F.INPUT);
            length = load<u32>(frame, F.INPUT_BYTES);
          } else if (operation == op.CODECOPY) {
            source = <usize>load<u32>(code, C.BYTES);
            length = codeLength;
          }
          if (bytes != 0) copyRange(memoryStart + <usize>offset, source, length, from, <u32>bytes);
          sp -= 96;
          continue;
        }
        case op.CODESIZE: {
          sp += 32;
          setU64(sp, codeLength);
          continue;
        }
        case op.GASPRICE: {
          sp += 32;
          copy(sp, MESSAGE + MESSAGE_GAS_PRICE);
          continue;
        }
        case op.RETURNDATASIZE: {
          sp += 32;
          setU64(sp, returnBytes);
          continue;
        }

        // ---- accounts ----
        case op.BALANCE:
        case op.EXTCODESIZE:
        case op.EXTCODEHASH: {
          toAddress(ADDRESS, sp);
          const entry = account(ADDRESS);
          if (entry == 0) break;
          const cold = isCold(entry);
          const cost = cold ? COLD_ACCOUNT : WARM;
          if (gas < cost) break;
          const operation = load<u32>(ip);
          if (operation == op.BALANCE) {
            copy(sp, entry + A.BALANCE);
          } else if (operation == op.EXTCODEHASH) {
            if (isEmpty(entry)) zero(sp);
            else swap(sp, entry + A.CODE_HASH);
          } else {
            const theirs = codeOf(entry);
            if (theirs == 0) break;
            setU64(sp, load<u32>(theirs, C.LENGTH));
          }
          gas -= cost;
          if (cold) warm(entry);
          continue;
        }
        case op.EXTCODECOPY: {
          toAddress(ADDRESS, sp);
          const entry = account(ADDRESS);
          if (entry == 0) break;
          const theirs = codeOf(entry);
          if (theirs == 0) break;
          const offset = size(sp - 32);
          const from = size(sp - 64);
          const bytes = size(sp - 96);
          const cold = isCold(entry);
          const reach: u64 = bytes == 0 ? 0 : offset + bytes;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          const cost = 3 * words(bytes) + (cold ? COLD_ACCOUNT : WARM);
          if (gas < cost) break;
          gas -= cost;
          if (cold) warm(entry);
          if (bytes != 0) {
            const source = <usize>load<u32>(theirs, C.BYTES);
            copyRange(memoryStart + <usize>offset, source, load<u32>(theirs, C.LENGTH), from, <u32>bytes);
          }
          sp -= 128;
          continue;
        }
        case op.SELFBALANCE: {
          sp += 32;
          copy(sp, self + A.BALANCE);
          continue;
        }

        // ---- the block ----
        case op.BLOCKHASH: {
          const number = load<u64>(sp);
          const current = load<u64>(ENV, ENV_NUMBER);
          const distance = current - number;
          const rest = load<u64>(sp, 8) | load<u64>(sp, 16) | load<u64>(sp, 24);
          if (rest != 0 || number > current || distance - 1 >= 256) {
            zero(sp);
          } else if (hostBlockHash(number, sp) < 0) {
            abortWith(status.MISS);
            break;
          }
          continue;
        }
        case op.COINBASE: {
          sp += 32;
          fromAddress(sp, ENV + ENV_COINBASE);
          continue;
        }
        case op.TIMESTAMP: {
          sp += 32;
          setU64(sp, load<u64>(ENV, ENV_TIMESTAMP));
          continue;
        }
        case op.NUMBER: {
          sp += 32;
          setU64(sp, load<u64>(ENV, ENV_NUMBER));
          continue;
        }
        case op.PREVRANDAO: {
          sp += 32;
          copy(sp, ENV + ENV_RANDAO);
          continue;
        }
        case op.GASLIMIT: {
          sp += 32;
          setU64(sp, load<u64>(ENV, ENV_GAS_LIMIT));
          continue;
        }
        case op.CHAINID: {
          sp += 32;
          copy(sp, ENV + ENV_CHAIN_ID);
          continue;
        }
        case op.BASEFEE: {
          sp += 32;
          copy(sp, ENV + ENV_BASE_FEE);
          continue;
        }
        case op.BLOBHASH: {
          const index = size(sp);
          if (index < load<u32>(MESSAGE, MESSAGE_BLOBS)) swap(sp, BLOBS + (<usize>index << 5));
          else zero(sp);
          continue;
        }
        case op.BLOBBASEFEE: {
          sp += 32;
          copy(sp, ENV + ENV_BLOB_BASE_FEE);
          continue;
        }

        // ---- memory ----
        case op.MLOAD: {
          const offset = size(sp);
          const reach = offset + 32;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          swap(sp, memoryStart + <usize>offset);
          continue;
        }
        case op.MLOAD_AT: {
          const offset = load<u64>(ip, OPERAND);
          const reach = offset + 32;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          sp += 32;
          swap(sp, memoryStart + <usize>offset);
          continue;
        }
        case op.MSTORE: {
          const offset = size(sp);
          const reach = offset + 32;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          swap(memoryStart + <usize>offset, sp - 32);
          sp -= 64;
          continue;
        }
        case op.MSTORE_AT: {
          const offset = load<u64>(ip, OPERAND);
          const reach = offset + 32;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          swap(memoryStart + <usize>offset, sp);
          sp -= 32;
          continue;
        }
        case op.MSTORE8: {
          const offset = size(sp);
          const reach = offset + 1;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          store<u8>(memoryStart + <usize>offset, load<u8>(sp - 32));
          sp -= 64;
          continue;
        }
        case op.MSIZE: {
          sp += 32;
          setU64(sp, memoryBytes);
          continue;
        }
        case op.MCOPY: {
          const to = size(sp);
          const from = size(sp - 32);
          const bytes = size(sp - 64);
          const last = max(to, from) + bytes;
          const reach: u64 = bytes == 0 ? 0 : last;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          const cost = 3 * words(bytes);
          if (gas < cost) break;
          gas -= cost;
          if (bytes != 0) memory.copy(memoryStart + <usize>to, memoryStart + <usize>from, <usize>bytes);
          sp -= 96;
          continue;
        }

        // ---- storage ----
        case op.SLOAD: {
          const entry = slot(self, sp);
          if (entry == 0) break;
          const cold = (load<u32>(entry, SLOT_FLAGS) & A.WARM) == 0;
          const cost = cold ? COLD_SLOT : WARM;
          if (gas < cost) break;
          gas -= cost;
          if (cold) warmSlot(entry);
          copy(sp, entry + SLOT_VALUE);
          continue;
        }
        case op.SSTORE: {
          if (flags & F.STATIC) {
            reason = status.STATIC_CHANGE;
            break;
          }
          F.atLeast(frame, load<i64>(frame, F.GAS_GIVEN) - gas + SSTORE_SENTRY + 1);
          if (gas <= SSTORE_SENTRY) break;
          const entry = slot(self, sp);
          if (entry == 0) break;
          let cost = meterStore(entry, sp - 32);
          if (warmSlot(entry)) cost += COLD_SLOT;
          if (gas < cost) break;
          gas -= cost;
          if (!equal(entry + SLOT_VALUE, sp - 32)) setSlot(entry, sp - 32);
          if (aborted != 0) break;
          sp -= 64;
          continue;
        }
        case op.TLOAD: {
          const entry = transient(self, sp, false);
          if (entry == 0) zero(sp);
          else copy(sp, entry + TRANSIENT_VALUE);
          continue;
        }
        case op.TSTORE: {
          if (flags & F.STATIC) {
            reason = status.STATIC_CHANGE;
            break;
          }
          setTransient(self, sp, sp - 32);
          if (aborted != 0) break;
          sp -= 64;
          continue;
        }

        // ---- flow ----
        case op.JUMP: {
          const to = destination(jumps, codeLength, size(sp));
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          sp -= 32;
          ip = to - INSTRUCTION;
          continue;
        }
        case op.JUMPI: {
          if (isZero(sp - 32)) {
            sp -= 64;
            continue;
          }
          const to = destination(jumps, codeLength, size(sp));
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          sp -= 64;
          ip = to - INSTRUCTION;
          continue;
        }
        case op.JUMP_TO: {
          const to = destination(jumps, codeLength, load<u64>(ip, OPERAND));
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          ip = to - INSTRUCTION;
          continue;
        }
        case op.JUMPI_TO: {
          if (isZero(sp)) {
            sp -= 32;
            continue;
          }
          const to = destination(jumps, codeLength, load<u64>(ip, OPERAND));
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          sp -= 32;
          ip = to - INSTRUCTION;
          continue;
        }
        case op.JUMPZ_TO: {
          if (!isZero(sp)) {
            sp -= 32;
            continue;
          }
          const to = destination(jumps, codeLength, load<u64>(ip, OPERAND));
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          sp -= 32;
          ip = to - INSTRUCTION;
          continue;
        }
        case op.SELECT: {
          const operand = load<u64>(ip, OPERAND);
          const rest = load<u64>(sp, 8) | load<u64>(sp, 16) | load<u64>(sp, 24);
          if (rest != 0 || load<u64>(sp) != (operand & 0xffff_ffff)) continue;
          const to = destination(jumps, codeLength, operand >> 32);
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          ip = to - INSTRUCTION;
          continue;
        }
        case op.PC: {
          sp += 32;
          setU64(sp, load<u32>(ip, PC));
          continue;
        }
        case op.GAS: {
          sp += 32;
          setU64(sp, <u64>gas);
          if (load<u64>(ip, OPERAND) != 0) looksAtGas();
          continue;
        }

        // ---- the stack ----
        case op.POP: {
          sp -= 32;
          continue;
        }
        case op.PUSH_SMALL: {
          sp += 32;
          setU64(sp, load<u64>(ip, OPERAND));
          continue;
        }
        case op.PUSH_WORD: {
          sp += 32;
          copy(sp, ip + INSTRUCTION);
          ip += 2 * INSTRUCTION;
          continue;
        }
        case op.DUP: {
          copy(sp + 32, sp - <usize>load<u32>(ip, OPERAND));
          sp += 32;
          continue;
        }
        case op.SWAP: {
          const other = sp - <usize>load<u32>(ip, OPERAND);
          const low = v128.load(sp);
          const high = v128.load(sp, 16);
          copy(sp, other);
          v128.store(other, low);
          v128.store(other, high, 16);
          continue;
        }
        case op.SWAP1_POP: {
          copy(sp - 32, sp);
          sp -= 32;
          continue;
        }

        // ---- logs and other frames ----
        case op.LOG0:
        case op.LOG0 + 1:
        case op.LOG0 + 2:
        case op.LOG0 + 3:
        case op.LOG4: {
          if (flags & F.STATIC) {
            reason = status.STATIC_CHANGE;
            break;
          }
          const offset = size(sp);
          const bytes = size(sp - 32);
          const reach: u64 = bytes == 0 ? 0 : offset + bytes;
          if (reach > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, reach, gas);
            if (cost < 0) break;
            gas -= cost;
            memoryBytes = wholeWords(reach);
          }
          const cost = 8 * <i64>bytes;
          if (gas < cost) break;
          gas -= cost;
          const topics = load<u32>(ip) - op.LOG0;
          logs.add(self, topics, sp - 64, memoryStart + <usize>offset, <u32>bytes);
          if (aborted != 0) break;
          sp -= 64 + (<usize>topics << 5);
          continue;
        }
        case op.CALL:
        case op.CALLCODE:
        case op.DELEGATECALL:
        case op.STATICCALL: {
          store<u32>(frame, <u32>(ip + INSTRUCTION), F.IP);
          store<u32>(frame, <u32>sp, F.SP);
          store<i64>(frame, gas, F.GAS);
          store<u32>(frame, memoryBytes, F.MEMORY_BYTES);
          outcome = call(load<u32>(ip));
          reason = outcome == status.HALT ? error : 0;
          break;
        }
        case op.CREATE:
        case op.CREATE2: {
          store<u32>(frame, <u32>(ip + INSTRUCTION), F.IP);
          store<u32>(frame, <u32>sp, F.SP);
          store<i64>(frame, gas, F.GAS);
          store<u32>(frame, memoryBytes, F.MEMORY_BYTES);
          outcome = create(load<u32>(ip));
          reason = outcome == status.HALT ? error : 0;
          break;
        }
        default:
          unreachable();
      }

      if (aborted != 0) return aborted;
      if (reason == 0) break;
      const operation = load<u32>(ip);
      const pc = load<u32>(ip, PC);
      const isBlock = operation == op.BLOCK;
      const opcode = pc < codeLength ? <u32>load<u8>(<usize>load<u32>(code, C.BYTES) + pc) : op.STOP;
      if (depth == 0 && !isCareful && operation != op.UNDEFINED && (isBlock || !endsBlock(opcode))) {
        // Which instruction of the block fails, and how, is found out one by one.
        if (!prepareCarefully(code)) return aborted;
        gas += isBlock ? <i64>(<u32>load<u64>(ip, OPERAND)) : <i64>staticGasFrom(code, pc);
        isCareful = true;
        ip = <usize>load<u32>(<usize>load<u32>(code, C.CAREFUL_ENTRIES) + (<usize>pc << 2)) - INSTRUCTION;
        reason = OUT_OF_GAS;
        continue;
      }
      if (depth == 0) report(opcode, sp);
      setError(reason);
      outcome = end(status.HALT, 0, 0);
      break;
    }
    if (outcome != status.RUNNING) return outcome;
  }
}
