// Basic blocks of a code that is being decoded. A block begins with BLOCK, whose operand is what the whole block needs: gas u32,
// and the stack that it takes and adds at most, u16 bytes each. Blocks also end where gas can be seen: GAS, SSTORE, CALLs and
// CREATEs.
import { hasImmediate, immediateAt, isOperand } from './immediate';
import { emit, out } from './instruction';
import * as op from '../operations';
import * as C from '../shared/code-fields';
import { BYTES, OPERAND } from '../shared/instruction-fields';
import { OPCODES } from '../shared/layout';
import * as O from '../shared/opcode-fields';

/** More runs than any block is compiled at. */
const RUNS_NEVER: u32 = 0xffff_0000;

/** The open one. */
export let block: usize = 0;
/** Gas of the block, and height of the stack against where it began. */
let gas: u32 = 0;
let height: i32 = 0;
let lowest: i32 = 0;
let highest: i32 = 0;

/** True if blocks are never compiled. */
let isCareful = false;

/** Says whether the blocks that follow are those of the careful form, which are not compiled. */
export function setCareful(careful: bool): void {
  isCareful = careful;
}

/** Opens a block. */
export function open(pc: u32): void {
  block = out;
  gas = 0;
  height = 0;
  lowest = 0;
  highest = 0;
  emit(isCareful ? op.BLOCK | RUNS_NEVER : op.BLOCK, pc, 0);
}

/** Ends a block and opens the next one. */
export function begin(pc: u32): void {
  close();
  open(pc);
}

/** Ends a block. */
export function close(): void {
  const needed = min<i32>(-lowest, 1025) << 5;
  const added = min<i32>(highest, 1025) << 5;
  store<u64>(block, <u64>gas | (<u64>needed << 32) | (<u64>added << 48), OPERAND);
}

/** True if nothing is in the block yet. */
@inline
export function isFresh(): bool {
  return out == block + BYTES && gas == 0;
}

/** Adds what an instruction costs and does to the stack. */
@inline
export function count(row: usize): void {
  gas += load<u32>(row, O.GAS);
  move(load<u8>(row, O.TAKEN), load<u8>(row, O.GIVEN));
}

/** Adds that an instruction looks at so many items of the stack, beside what its row says. */
export function look(items: i32): void {
  move(items, items);
}

@inline
function move(taken: i32, given: i32): void {
  height -= taken;
  lowest = min(lowest, height);
  height += given;
  highest = max(highest, height);
}

/** Row of an opcode in the fork's rules, as in opcode-fields.ts. */
@inline
export function rowOf(opcode: u32): usize {
  return OPCODES + <usize>opcode * O.ROW_BYTES;
}

/** True if the next instruction begins another block. */
export function endsBlock(opcode: u32): bool {
  return load<u8>(rowOf(opcode), O.ENDS) != 0;
}

/** True if only a jump reaches the code behind the instruction. */
export function isFinal(opcode: u32): bool {
  return load<u8>(rowOf(opcode), O.ENDS) == O.ENDS_FLOW;
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
    if (!hasImmediate(opcode)) continue;
    if (!isOperand(opcode, immediateAt(bytes, at, length))) break;
    at++;
  }
  return sum;
}
