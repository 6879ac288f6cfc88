// Executes instructions until the outermost message ends, or until the host has to do something.
//
// The cases of the switch are generated (generate-sources.ts), except for the few in this file. A case that succeeds
// ends with `continue`. A case that fails leaves the switch; it must not have changed anything except the length of
// memory, and `reason` says why it failed (by default, out of gas). Calls and ends of frames leave the switch with an
// `outcome` and no reason.
import { abortReason } from './abort-reason';
import { endsBlock, staticGasFrom } from './code/basic-block';
import { decodeCarefulForm } from './code/decode';
import {
  haltReason,
  recordsUnpaidAccesses,
  locatesFailures,
  returnDataLength,
  setHaltReason,
  takeUnmeteredWork,
} from './execution-wide-state';
import * as F from './frames/frame';
import { depth, runningFrame } from './frames/frame';
import { endFrameWithStatus } from './frames/frame-return';
import { reportsToTracer } from './frame-and-log-hooks';
import { hostNow } from './host';
// @imports
import { memoryExpansionCost, roundUpToWords } from './frames/memory';
import { recordFailedAccess } from './out-of-gas-accesses';
import * as op from './operations';
import * as C from './shared/code-fields';
import {
  INSTRUCTION_BYTES as INSTRUCTION,
  RETURNED_BLOCK_NOT_ENTERED,
  OPERAND,
  PC,
  BLOCK_RUN_COUNT,
} from './shared/instruction-fields';
import {
  COMPILED_GAS_LEFT,
  COMPILED_FRAME_MEMORY_BYTES,
  COMPILED_SP,
  HOT_BASIC_BLOCK_ADDRESS,
  HOT_BASIC_BLOCK_CODE_ENTRY,
  MESSAGE,
  MESSAGE_DEADLINE,
  RESULT,
  RESULT_FAILED_OPCODE,
  RESULT_RETURN_DATA_BYTES,
  RESULT_STACK_ITEM_COUNT,
  RESULT_STACK_TOP_ADDRESS,
} from './shared/memory-layout';
import * as status from './shared/status';
import { saturatedSize } from './words/word';

/**
 * Gas to execute between two checks of the deadline. At most 12 ns per unit of gas (hashing is the slowest), this is
 * less than 1 ms; a check takes 40 ns.
 */
const GAS_PER_LOOK: i64 = 1 << 16;
const OUT_OF_GAS = status.OUT_OF_GAS;

/** Run count at which a basic block is compiled; 0 for never. */
let hotAt: u32 = 0;

/** Sets the run count at which basic blocks are compiled, at most 65,534; 0 for never. */
export function setJitThreshold(runs: u32): void {
  hotAt = runs;
}

/** Counts a run of a basic block that is not compiled. Returns true if it has become hot and is to be compiled now. */
@inline
function isHot(ip: usize): bool {
  if (<u32>load<u16>(ip) != op.BLOCK) return false;
  const runs = <u32>load<u16>(ip, BLOCK_RUN_COUNT) + 1;
  if (runs > hotAt) return false;
  store<u16>(ip, <u16>runs, BLOCK_RUN_COUNT);
  return runs == hotAt;
}

/** True if the deadline has passed. */
function isLate(): bool {
  return hostNow() > load<f64>(MESSAGE, MESSAGE_DEADLINE);
}

/** Writes details to RESULT about how the running frame has failed, for the error message. */
function report(opcode: u32, sp: usize): void {
  store<u32>(RESULT, opcode, RESULT_FAILED_OPCODE);
  store<u32>(RESULT, <u32>((sp + 32 - load<u32>(runningFrame, F.STACK_START)) >> 5), RESULT_STACK_ITEM_COUNT);
  store<u32>(RESULT, <u32>sp, RESULT_STACK_TOP_ADDRESS);
  store<u32>(RESULT, returnDataLength, RESULT_RETURN_DATA_BYTES);
}

/** Executes the running frame and everything that it calls. Returns how the outermost message ended (status.ts). */
export function interpret(): u32 {
  // Gas left until the next check of the deadline. It is decremented at the start of each basic block, and after each
  // instruction with dynamic gas.
  let clock = GAS_PER_LOOK;
  while (true) {
    clock -= takeUnmeteredWork();
    let ip = <usize>load<u32>(runningFrame, F.IP);
    let sp = <usize>load<u32>(runningFrame, F.SP);
    let gas = load<i64>(runningFrame, F.GAS_LEFT);
    let memoryBytes = load<u32>(runningFrame, F.MEMORY_BYTES);
    const memoryStart = <usize>load<u32>(runningFrame, F.MEMORY_START);
    const stackStart = <usize>load<u32>(runningFrame, F.STACK_START);
    const stackEnd = stackStart + 1023 * 32;
    const self = <usize>load<u32>(runningFrame, F.SELF_ACCOUNT);
    const code = <usize>load<u32>(runningFrame, F.CODE_ENTRY);
    const codeLength = load<u32>(code, C.LENGTH);
    const flags = load<u32>(runningFrame, F.FLAGS);
    const jumps = <usize>load<u32>(code, C.JUMP_TARGET_BLOCK_TABLE);
    let isCareful = false;
    let reason: u32 = OUT_OF_GAS;
    let outcome: u32 = status.RUNNING;
    for (; ; ip += INSTRUCTION) {
      switch (<u32>load<u16>(ip)) {
        case op.COMPILED: {
          if (clock > 0) {
            const given = min(gas, clock);
            const place = <u32>load<u16>(ip, BLOCK_RUN_COUNT);
            const next = call_indirect<u32>(place, <u32>sp, given, <u32>memoryStart, memoryBytes, <u32>stackStart);
            ip = <usize>(next & ~RETURNED_BLOCK_NOT_ENTERED);
            sp = <usize>load<u32>(COMPILED_SP);
            const used = given - load<i64>(COMPILED_GAS_LEFT);
            gas -= used;
            clock -= used;
            memoryBytes = load<u32>(COMPILED_FRAME_MEMORY_BYTES);
            if ((next & RETURNED_BLOCK_NOT_ENTERED) == 0) {
              ip -= INSTRUCTION;
              continue;
            }
          }
          // Falls through: a compiled basic block that was not entered is interpreted, which checks the deadline and
          // detects why it fails.
        }
        case op.BLOCK: {
          if (isHot(ip)) {
            F.saveFrame(ip, sp, gas, memoryBytes);
            store<u32>(HOT_BASIC_BLOCK_CODE_ENTRY, <u32>code);
            store<u32>(HOT_BASIC_BLOCK_ADDRESS, <u32>ip);
            return status.HOT_BLOCK_REACHED;
          }
          const needs = load<u64>(ip, OPERAND);
          const cost = <i64>(<u32>needs);
          gas -= cost;
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
          clock -= cost;
          if (clock < 0) {
            if (isLate()) return status.DEADLINE;
            clock = GAS_PER_LOOK;
          }
          continue;
        }
        case op.UNDEFINED: {
          reason = status.INVALID_OPCODE;
          break;
        }
        // @cases
        default:
          unreachable();
      }

      if (abortReason != 0) return abortReason;
      if (reason == 0) break;
      const operation = <u32>load<u16>(ip);
      const pc = load<u32>(ip, PC);
      const isBlock = operation == op.BLOCK || operation == op.COMPILED;
      const opcode = pc < codeLength ? <u32>load<u8>(<usize>load<u32>(code, C.BYTES) + pc) : op.STOP;
      const isTold = depth == 0 || locatesFailures;
      if (isTold && !isCareful && operation != op.UNDEFINED && (isBlock || !endsBlock(opcode))) {
        // Execute the careful form of the code (decode.ts), to find out which instruction of the basic block fails, and
        // how.
        if (!decodeCarefulForm(code)) return abortReason;
        gas += isBlock ? <i64>(<u32>load<u64>(ip, OPERAND)) : <i64>staticGasFrom(code, pc);
        isCareful = true;
        ip = <usize>load<u32>(<usize>load<u32>(code, C.CAREFUL_ENTRIES) + (<usize>pc << 2)) - INSTRUCTION;
        reason = OUT_OF_GAS;
        continue;
      }
      if (depth == 0 || reportsToTracer) report(opcode, sp);
      if (recordsUnpaidAccesses && !recordFailedAccess(opcode, self, sp, (sp + 32 - stackStart) >> 5)) {
        return abortReason;
      }
      setHaltReason(reason);
      outcome = endFrameWithStatus(status.HALT, 0, 0);
      break;
    }
    if (outcome != status.RUNNING) return outcome;
  }
}
