// Runs instructions until the outermost message ends, or the host is needed.
//
// An instruction that goes through ends in `continue`. One that does not leaves the switch: `reason` says why it fails, before
// it has changed anything, or `outcome` what a call or the end of a frame has led to.
import * as A from './account-fields';
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
import { call, create, destroy, end, grow } from './calls';
import * as C from './codes';
import { BYTES as INSTRUCTION, OPERAND, PC, endsBlock, prepareCarefully, staticGasFrom } from './decode';
import { addRefund, error, looksAtGas, returnBytes, setError } from './execution';
import * as F from './frame';
import { depth, frame } from './frame';
import { hostBlockHash, hostNow } from './host';
import { keccak256 } from './keccak';
import {
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
  SCRATCH,
} from './layout';
import * as logs from './logs';
import * as op from './operations';
import { giveUp, problem } from './problem';
import { byteAt, leadingZeros, shiftLeft, shiftRight, shiftRightSigned, signExtend } from './shift';
import { SLOT_BASE, SLOT_FLAGS, SLOT_VALUE, TRANSIENT_VALUE } from './slot-fields';
import * as status from './status';
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

const BLOCKS_PER_LOOK_AT_CLOCK: i32 = 1 << 14;
const COLD_ACCOUNT: i64 = 2600;
const COLD_SLOT: i64 = 2100;
const WARM: i64 = 100;
const SSTORE_SENTRY: i64 = 2300;
const SLOT_SET: i64 = 20_000;
const SLOT_RESET: i64 = 2900;
const CLEARS: i64 = 4800;
const ADDRESS: usize = SCRATCH + 512;
const WORD: usize = SCRATCH + 544;
const OUT_OF_GAS = status.OUT_OF_GAS;

/** Makes memory at least `end` bytes long. What it costs, or -1 when there is not enough gas (or it does not fit: a problem). */
function extend(start: usize, bytes: u32, end: u64, gas: i64): i64 {
  if (end > 0xffff_ffe0) return -1;
  const to = (end + 31) & ~31;
  const cost = F.memoryGas(to) - F.memoryGas(bytes);
  if (cost > gas) return -1;
  return grow(start, bytes, <usize>to) ? cost : -1;
}

/** Adds one to the upper three limbs of a word. */
function carry(limb: usize): void {
  for (let i = 0; i < 3; i++, limb += 8) {
    const sum = load<u64>(limb) + 1;
    store<u64>(limb, sum);
    if (sum != 0) return;
  }
}

@inline
function words(bytes: u64): i64 {
  return <i64>((bytes + 31) >> 5);
}

/** Copies `count` bytes from `offset` on; behind the end of the source are zeros. */
function copyRange(to: usize, source: usize, length: u32, offset: u64, count: u32): void {
  const there: u32 = offset >= length ? 0 : min<u32>(count, length - <u32>offset);
  if (there != 0) memory.copy(to, source + <usize>offset, there);
  if (there < count) memory.fill(to + there, 0, count - there);
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
    let flags = load<u32>(frame, F.FLAGS);
    let jumps = <usize>load<u32>(code + (flags & F.CAREFUL ? C.CAREFUL_JUMPS : C.JUMPS));
    let reason: u32 = 0;
    let outcome: u32 = status.RUNNING;
    while (true) {
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
          if (gas < 0) {
            reason = OUT_OF_GAS;
            break;
          }
          if (--clock < 0) {
            if (hostNow() > load<f64>(MESSAGE, MESSAGE_DEADLINE)) return status.DEADLINE;
            clock = BLOCKS_PER_LOOK_AT_CLOCK;
          }
          ip += INSTRUCTION;
          continue;
        }

        // ---- ends ----
        case op.STOP: {
          store<i64>(frame, gas, F.GAS);
          outcome = end(status.SUCCESS, 0, 0);
          break;
        }
        case op.RETURN:
        case op.REVERT: {
          const offset = size(sp);
          const bytes = size(sp - 32);
          if (bytes != 0 && offset + bytes > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, offset + bytes, gas);
            if (cost < 0) {
              reason = OUT_OF_GAS;
              break;
            }
            gas -= cost;
          }
          store<i64>(frame, gas, F.GAS);
          const how = load<u32>(ip) == op.RETURN ? status.SUCCESS : status.REVERT;
          outcome = end(how, bytes == 0 ? 0 : memoryStart + <usize>offset, <u32>bytes);
          break;
        }
        case op.SELFDESTRUCT: {
          store<u32>(frame, <u32>sp, F.SP);
          store<i64>(frame, gas, F.GAS);
          outcome = destroy();
          if (outcome == status.HALT) reason = error;
          else if (outcome == status.SUCCESS) outcome = end(status.SUCCESS, 0, 0);
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
          ip += INSTRUCTION;
          continue;
        }
        case op.ADD_SMALL: {
          const low = load<u64>(sp);
          const sum = low + load<u64>(ip, OPERAND);
          store<u64>(sp, sum);
          if (sum < low) carry(sp + 8);
          ip += INSTRUCTION;
          continue;
        }
        case op.MUL: {
          multiply(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.SUB: {
          subtract(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.DIV: {
          divide(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.SDIV: {
          signedDivide(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.MOD: {
          modulo(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.SMOD: {
          signedModulo(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.ADDMOD: {
          addModulo(sp - 64, sp, sp - 32, sp - 64);
          sp -= 64;
          ip += INSTRUCTION;
          continue;
        }
        case op.MULMOD: {
          multiplyModulo(sp - 64, sp, sp - 32, sp - 64);
          sp -= 64;
          ip += INSTRUCTION;
          continue;
        }
        case op.EXP: {
          const cost = 50 * <i64>byteLength(sp - 32);
          if (gas < cost) {
            reason = OUT_OF_GAS;
            break;
          }
          gas -= cost;
          power(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.SIGNEXTEND: {
          signExtend(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }

        // ---- comparison and bits ----
        case op.LT: {
          const answer = less(sp, sp - 32);
          sp -= 32;
          setU64(sp, u64(answer));
          ip += INSTRUCTION;
          continue;
        }
        case op.GT: {
          const answer = less(sp - 32, sp);
          sp -= 32;
          setU64(sp, u64(answer));
          ip += INSTRUCTION;
          continue;
        }
        case op.SLT: {
          const answer = lessSigned(sp, sp - 32);
          sp -= 32;
          setU64(sp, u64(answer));
          ip += INSTRUCTION;
          continue;
        }
        case op.SGT: {
          const answer = lessSigned(sp - 32, sp);
          sp -= 32;
          setU64(sp, u64(answer));
          ip += INSTRUCTION;
          continue;
        }
        case op.EQ: {
          const answer = equal(sp, sp - 32);
          sp -= 32;
          setU64(sp, u64(answer));
          ip += INSTRUCTION;
          continue;
        }
        case op.ISZERO: {
          setU64(sp, u64(isZero(sp)));
          ip += INSTRUCTION;
          continue;
        }
        case op.AND: {
          v128.store(sp - 32, v128.and(v128.load(sp), v128.load(sp - 32)));
          v128.store(sp - 16, v128.and(v128.load(sp, 16), v128.load(sp - 16)));
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.AND_WORD: {
          v128.store(sp, v128.and(v128.load(sp), v128.load(ip, INSTRUCTION)));
          v128.store(sp, v128.and(v128.load(sp, 16), v128.load(ip, INSTRUCTION + 16)), 16);
          ip += 3 * INSTRUCTION;
          continue;
        }
        case op.OR: {
          v128.store(sp - 32, v128.or(v128.load(sp), v128.load(sp - 32)));
          v128.store(sp - 16, v128.or(v128.load(sp, 16), v128.load(sp - 16)));
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.XOR: {
          v128.store(sp - 32, v128.xor(v128.load(sp), v128.load(sp - 32)));
          v128.store(sp - 16, v128.xor(v128.load(sp, 16), v128.load(sp - 16)));
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.NOT: {
          v128.store(sp, v128.not(v128.load(sp)));
          v128.store(sp, v128.not(v128.load(sp, 16)), 16);
          ip += INSTRUCTION;
          continue;
        }
        case op.BYTE: {
          byteAt(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.SHL: {
          shiftLeft(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.SHR: {
          shiftRight(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.SAR: {
          shiftRightSigned(sp - 32, sp, sp - 32);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.CLZ: {
          leadingZeros(sp, sp);
          ip += INSTRUCTION;
          continue;
        }
        case op.KECCAK256: {
          const offset = size(sp);
          const bytes = size(sp - 32);
          let cost = 6 * words(bytes);
          const grows = bytes != 0 && offset + bytes > memoryBytes;
          if (grows) {
            const more = extend(memoryStart, memoryBytes, offset + bytes, gas);
            cost = more < 0 ? i64.MAX_VALUE : cost + more;
          }
          if (gas < cost) {
            reason = OUT_OF_GAS;
            break;
          }
          gas -= cost;
          if (grows) memoryBytes = <u32>((offset + bytes + 31) & ~31);
          sp -= 32;
          keccak256(WORD, memoryStart + <usize>offset, <u32>bytes);
          swap(sp, WORD);
          ip += INSTRUCTION;
          continue;
        }

        // ---- the message ----
        case op.ADDRESS: {
          sp += 32;
          fromAddress(sp, self);
          ip += INSTRUCTION;
          continue;
        }
        case op.ORIGIN: {
          sp += 32;
          fromAddress(sp, MESSAGE + MESSAGE_CALLER);
          ip += INSTRUCTION;
          continue;
        }
        case op.CALLER: {
          sp += 32;
          fromAddress(sp, frame + F.CALLER);
          ip += INSTRUCTION;
          continue;
        }
        case op.CALLVALUE: {
          sp += 32;
          copy(sp, frame + F.VALUE);
          ip += INSTRUCTION;
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
          ip += INSTRUCTION;
          continue;
        }
        case op.CALLDATASIZE: {
          sp += 32;
          setU64(sp, load<u32>(frame, F.INPUT_BYTES));
          ip += INSTRUCTION;
          continue;
        }
        case op.CALLDATACOPY:
        case op.CODECOPY:
        case op.RETURNDATACOPY: {
          const offset = size(sp);
          const from = size(sp - 32);
          const bytes = size(sp - 64);
          const operation = load<u32>(ip);
          if (operation == op.RETURNDATACOPY && from + bytes > returnBytes) {
            reason = OUT_OF_GAS;
            break;
          }
          let cost = 3 * words(bytes);
          const grows = bytes != 0 && offset + bytes > memoryBytes;
          if (grows) {
            const more = extend(memoryStart, memoryBytes, offset + bytes, gas);
            cost = more < 0 ? i64.MAX_VALUE : cost + more;
          }
          if (gas < cost) {
            reason = OUT_OF_GAS;
            break;
          }
          gas -= cost;
          if (grows) memoryBytes = <u32>((offset + bytes + 31) & ~31);
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
          ip += INSTRUCTION;
          continue;
        }
        case op.CODESIZE: {
          sp += 32;
          setU64(sp, codeLength);
          ip += INSTRUCTION;
          continue;
        }
        case op.GASPRICE: {
          sp += 32;
          copy(sp, MESSAGE + MESSAGE_GAS_PRICE);
          ip += INSTRUCTION;
          continue;
        }
        case op.RETURNDATASIZE: {
          sp += 32;
          setU64(sp, returnBytes);
          ip += INSTRUCTION;
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
          if (gas < cost) {
            reason = OUT_OF_GAS;
            break;
          }
          const operation = load<u32>(ip);
          if (operation == op.BALANCE) {
            copy(sp, entry + A.BALANCE);
          } else if (operation == op.EXTCODEHASH) {
            if (isEmpty(entry)) zero(sp);
            else swap(sp, entry + A.CODE_HASH);
          } else {
            const theirs = C.codeOf(entry);
            if (theirs == 0) break;
            setU64(sp, load<u32>(theirs, C.LENGTH));
          }
          gas -= cost;
          if (cold) warm(entry);
          ip += INSTRUCTION;
          continue;
        }
        case op.EXTCODECOPY: {
          toAddress(ADDRESS, sp);
          const entry = account(ADDRESS);
          if (entry == 0) break;
          const theirs = C.codeOf(entry);
          if (theirs == 0) break;
          const offset = size(sp - 32);
          const from = size(sp - 64);
          const bytes = size(sp - 96);
          const cold = isCold(entry);
          let cost = 3 * words(bytes) + (cold ? COLD_ACCOUNT : WARM);
          const grows = bytes != 0 && offset + bytes > memoryBytes;
          if (grows) {
            const more = extend(memoryStart, memoryBytes, offset + bytes, gas);
            cost = more < 0 ? i64.MAX_VALUE : cost + more;
          }
          if (gas < cost) {
            reason = OUT_OF_GAS;
            break;
          }
          gas -= cost;
          if (cold) warm(entry);
          if (grows) memoryBytes = <u32>((offset + bytes + 31) & ~31);
          if (bytes != 0) {
            const source = <usize>load<u32>(theirs, C.BYTES);
            copyRange(memoryStart + <usize>offset, source, load<u32>(theirs, C.LENGTH), from, <u32>bytes);
          }
          sp -= 128;
          ip += INSTRUCTION;
          continue;
        }
        case op.SELFBALANCE: {
          sp += 32;
          copy(sp, self + A.BALANCE);
          ip += INSTRUCTION;
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
            giveUp(status.MISS);
            break;
          }
          ip += INSTRUCTION;
          continue;
        }
        case op.COINBASE: {
          sp += 32;
          fromAddress(sp, ENV + ENV_COINBASE);
          ip += INSTRUCTION;
          continue;
        }
        case op.TIMESTAMP: {
          sp += 32;
          setU64(sp, load<u64>(ENV, ENV_TIMESTAMP));
          ip += INSTRUCTION;
          continue;
        }
        case op.NUMBER: {
          sp += 32;
          setU64(sp, load<u64>(ENV, ENV_NUMBER));
          ip += INSTRUCTION;
          continue;
        }
        case op.PREVRANDAO: {
          sp += 32;
          copy(sp, ENV + ENV_RANDAO);
          ip += INSTRUCTION;
          continue;
        }
        case op.GASLIMIT: {
          sp += 32;
          setU64(sp, load<u64>(ENV, ENV_GAS_LIMIT));
          ip += INSTRUCTION;
          continue;
        }
        case op.CHAINID: {
          sp += 32;
          copy(sp, ENV + ENV_CHAIN_ID);
          ip += INSTRUCTION;
          continue;
        }
        case op.BASEFEE: {
          sp += 32;
          copy(sp, ENV + ENV_BASE_FEE);
          ip += INSTRUCTION;
          continue;
        }
        case op.BLOBHASH: {
          const index = size(sp);
          if (index < load<u32>(MESSAGE, MESSAGE_BLOBS)) swap(sp, BLOBS + (<usize>index << 5));
          else zero(sp);
          ip += INSTRUCTION;
          continue;
        }
        case op.BLOBBASEFEE: {
          sp += 32;
          copy(sp, ENV + ENV_BLOB_BASE_FEE);
          ip += INSTRUCTION;
          continue;
        }

        // ---- memory ----
        case op.MLOAD: {
          const offset = size(sp);
          if (offset + 32 > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, offset + 32, gas);
            if (cost < 0) {
              reason = OUT_OF_GAS;
              break;
            }
            gas -= cost;
            memoryBytes = <u32>((offset + 63) & ~31);
          }
          swap(sp, memoryStart + <usize>offset);
          ip += INSTRUCTION;
          continue;
        }
        case op.MLOAD_AT: {
          const offset = load<u64>(ip, OPERAND);
          if (offset + 32 > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, offset + 32, gas);
            if (cost < 0) {
              reason = OUT_OF_GAS;
              break;
            }
            gas -= cost;
            memoryBytes = <u32>((offset + 63) & ~31);
          }
          sp += 32;
          swap(sp, memoryStart + <usize>offset);
          ip += INSTRUCTION;
          continue;
        }
        case op.MSTORE: {
          const offset = size(sp);
          if (offset + 32 > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, offset + 32, gas);
            if (cost < 0) {
              reason = OUT_OF_GAS;
              break;
            }
            gas -= cost;
            memoryBytes = <u32>((offset + 63) & ~31);
          }
          swap(memoryStart + <usize>offset, sp - 32);
          sp -= 64;
          ip += INSTRUCTION;
          continue;
        }
        case op.MSTORE_AT: {
          const offset = load<u64>(ip, OPERAND);
          if (offset + 32 > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, offset + 32, gas);
            if (cost < 0) {
              reason = OUT_OF_GAS;
              break;
            }
            gas -= cost;
            memoryBytes = <u32>((offset + 63) & ~31);
          }
          swap(memoryStart + <usize>offset, sp);
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.MSTORE8: {
          const offset = size(sp);
          if (offset + 1 > memoryBytes) {
            const cost = extend(memoryStart, memoryBytes, offset + 1, gas);
            if (cost < 0) {
              reason = OUT_OF_GAS;
              break;
            }
            gas -= cost;
            memoryBytes = <u32>((offset + 32) & ~31);
          }
          store<u8>(memoryStart + <usize>offset, load<u8>(sp - 32));
          sp -= 64;
          ip += INSTRUCTION;
          continue;
        }
        case op.MSIZE: {
          sp += 32;
          setU64(sp, memoryBytes);
          ip += INSTRUCTION;
          continue;
        }
        case op.MCOPY: {
          const to = size(sp);
          const from = size(sp - 32);
          const bytes = size(sp - 64);
          const last = max(to, from) + bytes;
          let cost = 3 * words(bytes);
          const grows = bytes != 0 && last > memoryBytes;
          if (grows) {
            const more = extend(memoryStart, memoryBytes, last, gas);
            cost = more < 0 ? i64.MAX_VALUE : cost + more;
          }
          if (gas < cost) {
            reason = OUT_OF_GAS;
            break;
          }
          gas -= cost;
          if (grows) memoryBytes = <u32>((last + 31) & ~31);
          if (bytes != 0) memory.copy(memoryStart + <usize>to, memoryStart + <usize>from, <usize>bytes);
          sp -= 96;
          ip += INSTRUCTION;
          continue;
        }

        // ---- storage ----
        case op.SLOAD: {
          const entry = slot(self, sp);
          if (entry == 0) break;
          const cold = (load<u32>(entry, SLOT_FLAGS) & A.WARM) == 0;
          const cost = cold ? COLD_SLOT : WARM;
          if (gas < cost) {
            reason = OUT_OF_GAS;
            break;
          }
          gas -= cost;
          if (cold) warmSlot(entry);
          copy(sp, entry + SLOT_VALUE);
          ip += INSTRUCTION;
          continue;
        }
        case op.SSTORE: {
          if (flags & F.STATIC) {
            reason = status.STATIC_CHANGE;
            break;
          }
          F.atLeast(frame, load<i64>(frame, F.GAS_GIVEN) - gas + SSTORE_SENTRY + 1);
          if (gas <= SSTORE_SENTRY) {
            reason = OUT_OF_GAS;
            break;
          }
          const entry = slot(self, sp);
          if (entry == 0) break;
          let cost = meterStore(entry, sp - 32);
          if (warmSlot(entry)) cost += COLD_SLOT;
          if (gas < cost) {
            reason = OUT_OF_GAS;
            break;
          }
          gas -= cost;
          if (!equal(entry + SLOT_VALUE, sp - 32)) setSlot(entry, sp - 32);
          if (problem != 0) break;
          sp -= 64;
          ip += INSTRUCTION;
          continue;
        }
        case op.TLOAD: {
          const entry = transient(self, sp, false);
          if (entry == 0) zero(sp);
          else copy(sp, entry + TRANSIENT_VALUE);
          ip += INSTRUCTION;
          continue;
        }
        case op.TSTORE: {
          if (flags & F.STATIC) {
            reason = status.STATIC_CHANGE;
            break;
          }
          setTransient(self, sp, sp - 32);
          if (problem != 0) break;
          sp -= 64;
          ip += INSTRUCTION;
          continue;
        }

        // ---- flow ----
        case op.JUMP: {
          const target = size(sp);
          const to = target < codeLength ? load<u32>(jumps + (<usize>target << 2)) : 0;
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          sp -= 32;
          ip = <usize>to;
          continue;
        }
        case op.JUMPI: {
          if (isZero(sp - 32)) {
            sp -= 64;
            ip += INSTRUCTION;
            continue;
          }
          const target = size(sp);
          const to = target < codeLength ? load<u32>(jumps + (<usize>target << 2)) : 0;
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          sp -= 64;
          ip = <usize>to;
          continue;
        }
        case op.JUMP_TO: {
          const target = load<u64>(ip, OPERAND);
          const to = target < codeLength ? load<u32>(jumps + (<usize>target << 2)) : 0;
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          ip = <usize>to;
          continue;
        }
        case op.JUMPI_TO: {
          if (isZero(sp)) {
            sp -= 32;
            ip += INSTRUCTION;
            continue;
          }
          const target = load<u64>(ip, OPERAND);
          const to = target < codeLength ? load<u32>(jumps + (<usize>target << 2)) : 0;
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          sp -= 32;
          ip = <usize>to;
          continue;
        }
        case op.JUMPZ_TO: {
          if (!isZero(sp)) {
            sp -= 32;
            ip += INSTRUCTION;
            continue;
          }
          const target = load<u64>(ip, OPERAND);
          const to = target < codeLength ? load<u32>(jumps + (<usize>target << 2)) : 0;
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          sp -= 32;
          ip = <usize>to;
          continue;
        }
        case op.SELECT: {
          const operand = load<u64>(ip, OPERAND);
          const rest = load<u64>(sp, 8) | load<u64>(sp, 16) | load<u64>(sp, 24);
          if (rest != 0 || load<u64>(sp) != (operand & 0xffff_ffff)) {
            ip += INSTRUCTION;
            continue;
          }
          const target = operand >> 32;
          const to = target < codeLength ? load<u32>(jumps + (<usize>target << 2)) : 0;
          if (to == 0) {
            reason = status.INVALID_JUMP;
            break;
          }
          ip = <usize>to;
          continue;
        }
        case op.PC: {
          sp += 32;
          setU64(sp, load<u32>(ip, PC));
          ip += INSTRUCTION;
          continue;
        }
        case op.GAS: {
          sp += 32;
          setU64(sp, <u64>gas);
          if (load<u64>(ip, OPERAND) != 0) looksAtGas();
          ip += INSTRUCTION;
          continue;
        }

        // ---- the stack ----
        case op.POP: {
          sp -= 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.PUSH_SMALL: {
          sp += 32;
          setU64(sp, load<u64>(ip, OPERAND));
          ip += INSTRUCTION;
          continue;
        }
        case op.PUSH_WORD: {
          sp += 32;
          copy(sp, ip + INSTRUCTION);
          ip += 3 * INSTRUCTION;
          continue;
        }
        case op.DUP: {
          copy(sp + 32, sp - <usize>load<u32>(ip, OPERAND));
          sp += 32;
          ip += INSTRUCTION;
          continue;
        }
        case op.SWAP: {
          const other = sp - <usize>load<u32>(ip, OPERAND);
          const low = v128.load(sp);
          const high = v128.load(sp, 16);
          copy(sp, other);
          v128.store(other, low);
          v128.store(other, high, 16);
          ip += INSTRUCTION;
          continue;
        }
        case op.SWAP1_POP: {
          copy(sp - 32, sp);
          sp -= 32;
          ip += INSTRUCTION;
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
          let cost = 8 * <i64>bytes;
          const grows = bytes != 0 && offset + bytes > memoryBytes;
          if (grows) {
            const more = extend(memoryStart, memoryBytes, offset + bytes, gas);
            cost = more < 0 ? i64.MAX_VALUE : cost + more;
          }
          if (gas < cost) {
            reason = OUT_OF_GAS;
            break;
          }
          gas -= cost;
          if (grows) memoryBytes = <u32>((offset + bytes + 31) & ~31);
          const topics = load<u32>(ip) - op.LOG0;
          logs.add(self, topics, sp - 64, memoryStart + <usize>offset, <u32>bytes);
          if (problem != 0) break;
          sp -= 64 + (<usize>topics << 5);
          ip += INSTRUCTION;
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
          if (outcome == status.HALT) reason = error;
          break;
        }
        case op.CREATE:
        case op.CREATE2: {
          store<u32>(frame, <u32>(ip + INSTRUCTION), F.IP);
          store<u32>(frame, <u32>sp, F.SP);
          store<i64>(frame, gas, F.GAS);
          store<u32>(frame, memoryBytes, F.MEMORY_BYTES);
          outcome = create(load<u32>(ip));
          if (outcome == status.HALT) reason = error;
          break;
        }
        default:
          unreachable();
      }

      if (problem != 0) return problem;
      if (reason == 0) break;
      const operation = load<u32>(ip);
      const pc = load<u32>(ip, PC);
      const isBlock = operation == op.BLOCK;
      const opcode = pc < codeLength ? <u32>load<u8>(<usize>load<u32>(code, C.BYTES) + pc) : op.STOP;
      if (depth == 0 && (flags & F.CAREFUL) == 0 && operation != op.UNDEFINED && (isBlock || !endsBlock(opcode))) {
        // Which instruction of the block fails, and how, is found out one by one.
        if (!prepareCarefully(code)) return problem;
        gas += isBlock ? <i64>(<u32>load<u64>(ip, OPERAND)) : <i64>staticGasFrom(code, pc);
        flags |= F.CAREFUL;
        store<u32>(frame, flags, F.FLAGS);
        jumps = <usize>load<u32>(code, C.CAREFUL_JUMPS);
        ip = <usize>load<u32>(<usize>load<u32>(code, C.CAREFUL_ENTRIES) + (<usize>pc << 2));
        reason = 0;
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
