// Decodes EVM code into instructions, one stretch at a time. A stretch starts at the beginning of the code or at a
// JUMPDEST, and ends where execution can only continue by a jump. It is decoded when it is first reached, because a
// message usually executes only a part of a contract.
//
// No instruction is decoded twice: a stretch that reaches a JUMPDEST at which another stretch starts ends with a jump
// to it that costs no gas.
//
// The careful form of a code is a second decoding in which every instruction is a basic block of its own. It is used
// when a basic block fails, to find out which of its instructions fails, and how. It runs only from the start of that
// basic block to the failure, so no jump ever leads to it.
import {
  beginNextBlock,
  currentBlock,
  closeBlock,
  countInstruction,
  endsBlock,
  endsControlFlow,
  isBlockEmpty,
  openBlock,
  opcodeRow,
  setCarefulForNextBlocks,
} from './basic-block';
import { allocateZeroedCodeBytes } from './code-table';
import { encodeInstruction } from './encode';
import { hasEip8024Immediate, immediateByteAt, isValidImmediate } from './eip8024-immediate';
import {
  appendDecodedInstruction,
  nextInstructionAddress,
  releaseUnusedCodeSpace,
  reserveInstructions,
} from './append-decoded-instruction';
import * as op from '../operations';
import * as C from '../shared/code-fields';
import { DECODED_STRETCH_END, NEXT_DECODED_STRETCH, STRETCH_HEAD_BYTES } from '../shared/instruction-fields';
import * as O from '../shared/opcode-fields';

/** Decodes the first stretch of a code, unless that was already done. Returns false if aborted (TABLE_FULL). */
@inline
export function decodeFirstStretch(code: usize): bool {
  return load<u32>(code, C.FIRST_INSTRUCTION) != 0 || decode(code);
}

/**
 * Decodes a code with every instruction as a basic block of its own (its careful form), if that was not done yet.
 * Returns false if aborted (TABLE_FULL).
 */
export function decodeCarefulForm(code: usize): bool {
  return load<u32>(code, C.CAREFUL_FIRST_INSTRUCTION) != 0 || decodeCarefully(code);
}

/**
 * Decodes the stretch of code at a jump target that was not jumped to before. Returns its first basic block; 0 if there
 * is no JUMPDEST at the target, or if aborted (TABLE_FULL).
 */
export function decodeStretchAtJumpTarget(code: usize, pc: u32): usize {
  return isJumpdest(code, pc) ? decodeStretch(code, pc) : 0;
}

/** Number of bytes before a possible JUMPDEST in which an instruction boundary is searched for. */
const LOOK_BACK: usize = 64;

/** True if the byte at this position is a JUMPDEST instruction, not push data. */
function isJumpdest(code: usize, pc: u32): bool {
  const bytes = <usize>load<u32>(code, C.BYTES);
  const target = bytes + pc;
  if (load<u8>(target) != op.JUMPDEST) return false;
  const least = pc < <u32>LOOK_BACK ? bytes : target - LOOK_BACK;
  for (let at = target; at >= least; at--) if (beginsInstruction(at)) return leadsTo(at, target);
  return isScannedJumpdest(code, pc);
}

/**
 * True if the byte at `at` cannot be push data. Compares each of the 32 bytes before it with the shortest PUSH whose
 * data would extend to `at`.
 */
@inline
function beginsInstruction(at: usize): bool {
  const far = i8x16(0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x7a, 0x79, 0x78, 0x77, 0x76, 0x75, 0x74, 0x73, 0x72, 0x71, 0x70);
  const near = i8x16(0x6f, 0x6e, 0x6d, 0x6c, 0x6b, 0x6a, 0x69, 0x68, 0x67, 0x66, 0x65, 0x64, 0x63, 0x62, 0x61, 0x60);
  return !v128.any_true(v128.or(i8x16.ge_s(v128.load(at - 32), far), i8x16.ge_s(v128.load(at - 16), near)));
}

/** True if the target is an instruction boundary, given that `from` is one. */
function leadsTo(from: usize, target: usize): bool {
  let at = from;
  while (at < target) at += 1 + pushed(<u32>load<u8>(at));
  return at == target;
}

function decode(code: usize): bool {
  const length = <usize>load<u32>(code, C.LENGTH);
  const jumps = allocateZeroedCodeBytes((length << 2) + (length >> 3) + 1);
  if (jumps == 0) return false;
  store<u32>(code, <u32>jumps, C.JUMP_TARGET_BLOCK_TABLE);
  store<u32>(code, <u32>(jumps + (length << 2)), C.JUMPDESTS);
  store<u32>(code, 0, C.SCANNED_BYTES);
  store<u32>(code, 0, C.LAST_DECODED_STRETCH);
  const start = decodeStretch(code, 0);
  store<u32>(code, <u32>start, C.FIRST_INSTRUCTION);
  return start != 0;
}

/**
 * Does the work of `isJumpdest` if the LOOK_BACK bytes before the target show no instruction boundary: scans all
 * instructions up to the target once, and records every JUMPDEST in a bitmap.
 */
function isScannedJumpdest(code: usize, target: u32): bool {
  const bytes = <usize>load<u32>(code, C.BYTES);
  const map = <usize>load<u32>(code, C.JUMPDESTS);
  let pc = load<u32>(code, C.SCANNED_BYTES);
  for (; pc <= target; pc++) {
    const opcode = <u32>load<u8>(bytes + pc);
    if (opcode == op.JUMPDEST) store<u8>(map + (pc >> 3), <u8>(<u32>load<u8>(map + (pc >> 3)) | (1 << (pc & 7))));
    pc += pushed(opcode);
  }
  store<u32>(code, pc, C.SCANNED_BYTES);
  return ((<u32>load<u8>(map + (target >> 3)) >> (target & 7)) & 1) != 0;
}

/**
 * Decodes the stretch of code that starts at a position. Returns its first basic block, or 0 if aborted (TABLE_FULL).
 */
function decodeStretch(code: usize, from: u32): usize {
  const length = load<u32>(code, C.LENGTH);
  const bytes = <usize>load<u32>(code, C.BYTES);
  const jumps = <usize>load<u32>(code, C.JUMP_TARGET_BLOCK_TABLE);
  // Upper bound: one instruction and one BLOCK per byte, and a few more for the end of the code.
  const run = reserveInstructions(<usize>(length - from) * 2 + 4, STRETCH_HEAD_BYTES);
  if (run == 0) return 0;
  let live = true;
  setCarefulForNextBlocks(false);
  openBlock(from);
  for (let pc = from; live; pc++) {
    if (pc >= length) {
      appendDecodedInstruction(op.STOP, length, 0);
      break;
    }
    const opcode = <u32>load<u8>(bytes + pc);
    if (opcode == op.JUMPDEST) {
      const jump = jumps + (<usize>pc << 2);
      if (load<u32>(jump) != 0) {
        appendDecodedInstruction(op.PUSH_SMALL, pc, pc);
        appendDecodedInstruction(op.JUMP, pc, 0);
        break;
      }
      if (!isBlockEmpty()) beginNextBlock(pc);
      store<u32>(jump, <u32>currentBlock);
    }
    live = decodeAt(opcode, bytes, pc, length);
    pc += operandBytes(opcode);
  }
  closeBlock();
  releaseUnusedCodeSpace();
  list(code, run);
  return run;
}

/** Appends a decoded stretch, whose instructions end at `nextInstructionAddress`, to its code's list of stretches. */
function list(code: usize, run: usize): void {
  store<u32>(run - STRETCH_HEAD_BYTES, 0, NEXT_DECODED_STRETCH);
  store<u32>(run - STRETCH_HEAD_BYTES, <u32>nextInstructionAddress, DECODED_STRETCH_END);
  const last = <usize>load<u32>(code, C.LAST_DECODED_STRETCH);
  if (last != 0) store<u32>(last - STRETCH_HEAD_BYTES, <u32>run, NEXT_DECODED_STRETCH);
  store<u32>(code, <u32>run, C.LAST_DECODED_STRETCH);
}

function decodeCarefully(code: usize): bool {
  const length = load<u32>(code, C.LENGTH);
  const bytes = <usize>load<u32>(code, C.BYTES);
  const entries = allocateZeroedCodeBytes(<usize>length << 2);
  const start = reserveInstructions(<usize>length * 2 + 4, 0);
  if (entries == 0 || start == 0) return false;
  let live = true;
  setCarefulForNextBlocks(true);
  openBlock(0);
  for (let pc: u32 = 0; pc < length; pc++) {
    const opcode = <u32>load<u8>(bytes + pc);
    live = live || opcode == op.JUMPDEST;
    if (live) {
      if (!isBlockEmpty()) beginNextBlock(pc);
      store<u32>(entries + (<usize>pc << 2), <u32>currentBlock);
      live = decodeAt(opcode, bytes, pc, length);
    }
    pc += live ? operandBytes(opcode) : pushed(opcode);
  }
  appendDecodedInstruction(op.STOP, length, 0);
  closeBlock();
  releaseUnusedCodeSpace();
  store<u32>(code, <u32>start, C.CAREFUL_FIRST_INSTRUCTION);
  store<u32>(code, <u32>entries, C.CAREFUL_ENTRIES);
  return true;
}

/** Decodes one instruction. Returns false if execution can only continue by a jump after it. */
function decodeAt(opcode: u32, bytes: usize, pc: u32, length: u32): bool {
  const row = opcodeRow(opcode);
  const isDefined = load<u8>(row, O.IS_DEFINED) != 0;
  if (isDefined) countInstruction(row);
  // An instruction is paid before its immediate is found to be invalid.
  const isWrong = hasEip8024Immediate(opcode) && !isValidImmediate(opcode, immediateByteAt(bytes, pc, length));
  if (!isDefined || isWrong) {
    appendDecodedInstruction(op.UNDEFINED, pc, opcode);
    closeBlock();
    return false;
  }
  encodeInstruction(opcode, bytes, pc, length);
  if (!endsBlock(opcode)) return true;
  if (endsControlFlow(opcode)) {
    closeBlock();
    return false;
  }
  beginNextBlock(pc + 1);
  return true;
}

/**
 * Returns the number of operand bytes after an opcode that is executed. In code that is not executed, only push data is
 * skipped: the byte after DUPN, SWAPN or EXCHANGE can be a JUMPDEST there (EIP-8024).
 */
@inline
function operandBytes(opcode: u32): u32 {
  return hasEip8024Immediate(opcode) ? 1 : pushed(opcode);
}

/** Returns the number of push data bytes after an opcode. */
@inline
function pushed(opcode: u32): u32 {
  return opcode >= op.PUSH1 && opcode <= op.PUSH32 ? opcode - op.PUSH1 + 1 : 0;
}
