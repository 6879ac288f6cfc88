// Decodes code into instructions.
//
// An instruction is 16 bytes: operation u32, position in the code u32, operand u64. Every basic block begins with
// BLOCK, whose operand is what the whole block needs: gas u32, and the stack that it takes and adds at most, u16 bytes
// each. Blocks also end where gas can be seen: GAS, SSTORE, CALLs and CREATEs. Code that nothing can reach is left out.
//
// The careful form of a code has a block for every instruction: it tells exactly which one of a block fails, and how.
// It runs only from there to the failure, so no jump ever leads into it.
import { allocate, trim } from './codes';
import * as op from './operations';
import { swap } from './word';
import * as C from './shared/code-fields';
import { OPCODES } from './shared/layout';
import * as O from './shared/opcode-fields';

// ---- fields of an instruction ----
/** Position of the instruction in the code, u32; the operation, u32, lies before it. */
export const PC: usize = 4;
/** What the operation works with, u64: see operations.table.ts. */
export const OPERAND: usize = 8;
/** Bytes of an instruction. */
export const BYTES: usize = 16;

/** State of the decoding in progress: output, open block, its gas and stack heights. */
let out: usize = 0;
let block: usize = 0;
let gas: u32 = 0;
let height: i32 = 0;
let lowest: i32 = 0;
let highest: i32 = 0;

/** Decodes a code unless that has been done. False when the execution is aborted (FULL). */
@inline
export function prepare(code: usize): bool {
  return load<u32>(code, C.START) != 0 || decode(code, false);
}

/** Decodes a code with a block for every instruction, unless that has been done. False when aborted (FULL). */
export function prepareCarefully(code: usize): bool {
  return load<u32>(code, C.CAREFUL_START) != 0 || decode(code, true);
}

/** Static gas from the instruction at `pc` to the end of its block: what is unused when that instruction fails. */
export function staticGasFrom(code: usize, pc: u32): u64 {
  const bytes = <usize>load<u32>(code, C.BYTES);
  const length = load<u32>(code, C.LENGTH);
  let sum: u64 = 0;
  for (let at = pc; at < length; at++) {
    const opcode = <u32>load<u8>(bytes + at);
    if (opcode == op.JUMPDEST && at != pc) break;
    const row = rowOf(opcode);
    sum += load<u32>(row, O.GAS);
    if (endsBlock(opcode) || load<u8>(row, O.DEFINED) == 0) break;
    if (opcode >= op.PUSH1 && opcode <= op.PUSH32) at += opcode - op.PUSH1 + 1;
  }
  return sum;
}

function decode(code: usize, careful: bool): bool {
  const length = load<u32>(code, C.LENGTH);
  const bytes = <usize>load<u32>(code, C.BYTES);
  const mapBytes = <usize>length << 2;
  // For each byte of the code: the block to jump to, or, carefully, that of the instruction there.
  const blocks = allocate(mapBytes);
  // At most an instruction and a block for each byte, and for what is behind the end.
  const start = allocate((<usize>length * 2 + 4) * BYTES);
  if (blocks == 0 || start == 0) return false;
  memory.fill(blocks, 0, mapBytes);
  out = start;
  let live = true;
  open(0);
  for (let pc: u32 = 0; pc < length; pc++) {
    const opcode = <u32>load<u8>(bytes + pc);
    const isPush = opcode >= op.PUSH1 && opcode <= op.PUSH32;
    const row = rowOf(opcode);
    if (opcode == op.JUMPDEST) {
      if (!live || !isFresh()) begin(pc);
      store<u32>(blocks + (<usize>pc << 2), <u32>block);
      live = true;
    }
    if (live) {
      if (careful) {
        if (!isFresh()) begin(pc);
        store<u32>(blocks + (<usize>pc << 2), <u32>block);
      }
      const fused = careful ? 0 : fuse(bytes, pc, length);
      if (fused != 0) {
        const last = <u32>load<u8>(bytes + pc + fused - 1);
        pc += fused - 1;
        if (endsBlock(last)) {
          live = !isFinal(last);
          if (live) begin(pc + 1);
        }
        continue;
      }
      if (load<u8>(row, O.DEFINED) == 0) {
        emit(op.UNDEFINED, pc, opcode);
        close();
        live = false;
      } else {
        count(row);
        encode(opcode, bytes, pc, length);
        if (endsBlock(opcode)) {
          live = !isFinal(opcode);
          if (live) begin(pc + 1);
          else close();
        }
      }
    }
    if (isPush) pc += opcode - op.PUSH1 + 1;
  }
  emit(op.STOP, length, 0);
  close();
  trim(out);
  store<u32>(code + (careful ? C.CAREFUL_START : C.START), <u32>start);
  store<u32>(code + (careful ? C.CAREFUL_ENTRIES : C.JUMPS), <u32>blocks);
  return true;
}

@inline
function emit(operation: u32, pc: u32, operand: u64): void {
  store<u32>(out, operation);
  store<u32>(out, pc, PC);
  store<u64>(out, operand, OPERAND);
  out += BYTES;
}

// ---- blocks ----

function open(pc: u32): void {
  block = out;
  gas = 0;
  height = 0;
  lowest = 0;
  highest = 0;
  emit(op.BLOCK, pc, 0);
}

/** Ends a block and opens the next one. */
function begin(pc: u32): void {
  close();
  open(pc);
}

function close(): void {
  const needed = min<i32>(-lowest, 1025) << 5;
  const added = min<i32>(highest, 1025) << 5;
  store<u64>(block, <u64>gas | (<u64>needed << 32) | (<u64>added << 48), OPERAND);
}

/** Whether nothing is in the block yet. */
@inline
function isFresh(): bool {
  return out == block + BYTES && gas == 0;
}

/** Adds what an instruction costs and does to the stack. */
@inline
function count(row: usize): void {
  gas += load<u32>(row, O.GAS);
  height -= load<u8>(row, O.TAKEN);
  lowest = min(lowest, height);
  height += load<u8>(row, O.GIVEN);
  highest = max(highest, height);
}

@inline
function rowOf(opcode: u32): usize {
  return OPCODES + <usize>opcode * O.ROW_BYTES;
}

@inline
function countOpcode(opcode: u32): void {
  count(rowOf(opcode));
}

/** Whether the next instruction begins another block. */
export function endsBlock(opcode: u32): bool {
  return load<u8>(rowOf(opcode), O.ENDS) != 0;
}

/** Whether what follows the instruction is reached only by a jump. */
function isFinal(opcode: u32): bool {
  return load<u8>(rowOf(opcode), O.ENDS) == O.ENDS_FLOW;
}

// ---- instructions ----

function encode(opcode: u32, bytes: usize, pc: u32, length: u32): void {
  if (opcode == op.JUMPDEST) return;
  if (opcode == op.PUSH0) return emit(op.PUSH_SMALL, pc, 0);
  if (opcode >= op.PUSH1 && opcode <= op.PUSH32) return encodePush(opcode - op.PUSH1 + 1, bytes + pc + 1, pc, length);
  if (opcode >= op.DUP1 && opcode < op.DUP1 + 16) return emit(op.DUP, pc, <u64>(opcode - op.DUP1) << 5);
  if (opcode >= op.SWAP1 && opcode < op.SWAP1 + 16) return emit(op.SWAP, pc, <u64>(opcode - op.SWAP1 + 1) << 5);
  if (opcode == op.GAS) return emit(op.GAS, pc, u64(!isCall(pc + 1 < length ? <u32>load<u8>(bytes + pc + 1) : 0)));
  emit(opcode, pc, 0);
}

function isCall(opcode: u32): bool {
  return opcode == op.CALL || opcode == op.CALLCODE || opcode == op.DELEGATECALL || opcode == op.STATICCALL;
}

/** Bytes behind the code's end are zero. */
function encodePush(size: u32, from: usize, pc: u32, length: u32): void {
  if (size <= 8) return emit(op.PUSH_SMALL, pc, small(size, from));
  emit(op.PUSH_WORD, pc, 0);
  putWord(size, from);
}

function putWord(size: u32, from: usize): void {
  const word = out;
  memory.fill(word, 0, 32);
  memory.copy(word + 32 - size, from, size);
  swap(word, word);
  out += 32;
}

function small(size: u32, from: usize): u64 {
  let value: u64 = 0;
  for (let i: u32 = 0; i < size; i++) value = (value << 8) | load<u8>(from + i);
  return value;
}

// ---- several instructions as one ----

/** Encodes a sequence that has an operation of its own; answers its bytes, 0 when there is none here. */
function fuse(bytes: usize, pc: u32, length: u32): u32 {
  const opcode = <u32>load<u8>(bytes + pc);
  if (opcode >= op.PUSH1 && opcode < op.PUSH1 + 8) return fusePush(opcode, bytes, pc, length);
  if (opcode == op.PUSH1 + 19 && pc + 21 < length && load<u8>(bytes + pc + 21) == op.AND) return fuseAnd(bytes, pc);
  if (opcode == op.SWAP1 && pc + 1 < length && load<u8>(bytes + pc + 1) == op.POP) {
    countOpcode(op.SWAP1);
    countOpcode(op.POP);
    emit(op.SWAP1_POP, pc, 0);
    return 2;
  }
  if (
    opcode == op.ISZERO &&
    pc + 4 < length &&
    load<u8>(bytes + pc + 1) == op.PUSH1 + 1 &&
    load<u8>(bytes + pc + 4) == op.JUMPI
  ) {
    countOpcode(op.ISZERO);
    countOpcode(op.PUSH1);
    countOpcode(op.JUMPI);
    emit(op.JUMPZ_TO, pc, small(2, bytes + pc + 2));
    return 5;
  }
  if (opcode == op.DUP1) return fuseSelect(bytes, pc, length);
  return 0;
}

/** PUSH with what takes the constant. */
function fusePush(opcode: u32, bytes: usize, pc: u32, length: u32): u32 {
  const size = opcode - op.PUSH1 + 1;
  if (pc + size + 1 >= length) return 0;
  const next = <u32>load<u8>(bytes + pc + size + 1);
  const value = small(size, bytes + pc + 1);
  let operation: u32;
  if (next == op.JUMP) operation = op.JUMP_TO;
  else if (next == op.JUMPI) operation = op.JUMPI_TO;
  else if (next == op.ADD) operation = op.ADD_SMALL;
  else if (next == op.MLOAD && value < 0x1000_0000) operation = op.MLOAD_AT;
  else if (next == op.MSTORE && value < 0x1000_0000) operation = op.MSTORE_AT;
  else return 0;
  countOpcode(opcode);
  countOpcode(next);
  emit(operation, pc, value);
  return size + 2;
}

/** PUSH20 AND: an address is cut out. */
function fuseAnd(bytes: usize, pc: u32): u32 {
  countOpcode(op.PUSH1);
  countOpcode(op.AND);
  emit(op.AND_WORD, pc, 0);
  putWord(20, bytes + pc + 1);
  return 22;
}

function fuseSelect(bytes: usize, pc: u32, length: u32): u32 {
  if (pc + 10 >= length) return 0;
  const at = bytes + pc;
  const fits =
    load<u8>(at, 1) == op.PUSH1 + 3 &&
    load<u8>(at, 6) == op.EQ &&
    load<u8>(at, 7) == op.PUSH1 + 1 &&
    load<u8>(at, 10) == op.JUMPI;
  if (!fits) return 0;
  countOpcode(op.DUP1);
  countOpcode(op.PUSH1);
  countOpcode(op.EQ);
  countOpcode(op.PUSH1);
  countOpcode(op.JUMPI);
  emit(op.SELECT, pc, small(4, at + 2) | (small(2, at + 8) << 32));
  return 11;
}
