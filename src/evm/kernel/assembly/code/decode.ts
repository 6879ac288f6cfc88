// Decodes code into instructions: what nothing can reach is left out.
//
// The careful form of a code has a block for every instruction: it tells exactly which one of a block fails, and how.
// It runs only from there to the failure, so no jump ever leads into it.
import { begin, block, close, count, endsBlock, isFinal, isFresh, open, rowOf, setCareful } from './block';
import { allocate } from './codes';
import { encode } from './encode';
import { hasImmediate, immediateAt, isOperand } from './immediate';
import { emit, release, reserve } from './instruction';
import * as op from '../operations';
import * as C from '../shared/code-fields';
import * as O from '../shared/opcode-fields';

/** Decodes a code unless that has been done. False when the execution is aborted (FULL). */
@inline
export function prepare(code: usize): bool {
  return load<u32>(code, C.START) != 0 || decode(code, false);
}

/** Decodes a code with a block for every instruction, unless that has been done. False when aborted (FULL). */
export function prepareCarefully(code: usize): bool {
  return load<u32>(code, C.CAREFUL_START) != 0 || decode(code, true);
}

function decode(code: usize, careful: bool): bool {
  const length = load<u32>(code, C.LENGTH);
  const bytes = <usize>load<u32>(code, C.BYTES);
  const mapBytes = <usize>length << 2;
  // For each byte of the code: the block to jump to, or, carefully, that of the instruction there.
  const blocks = allocate(mapBytes);
  // At most an instruction and a block for each byte, and for what is behind the end.
  const start = reserve(<usize>length * 2 + 4);
  if (blocks == 0 || start == 0) return false;
  memory.fill(blocks, 0, mapBytes);
  let live = true;
  setCareful(careful);
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
      const isWrong = hasImmediate(opcode) && !isOperand(opcode, immediateAt(bytes, pc, length));
      if (load<u8>(row, O.DEFINED) == 0 || isWrong) {
        emit(op.UNDEFINED, pc, opcode);
        close();
        live = false;
      } else {
        const isLong = hasImmediate(opcode);
        count(row);
        encode(opcode, bytes, pc, length);
        if (isLong) pc++;
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
  release();
  store<u32>(code + (careful ? C.CAREFUL_START : C.START), <u32>start);
  store<u32>(code + (careful ? C.CAREFUL_ENTRIES : C.JUMPS), <u32>blocks);
  return true;
}
