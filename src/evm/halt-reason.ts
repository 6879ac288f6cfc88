// go-ethereum's words for why a frame halted, from what @ethereumjs/evm says and the frame it leaves behind.
import { EVMError } from '@ethereumjs/evm';
import type { HaltReason } from './engine.js';
import { itemsPushed, itemsPopped, memoryOperands, opcodeAt } from './opcodes.js';
import { codeTooLarge, type CodeLimits } from '../chain/code-limits.js';

/** A frame that failed, as its error text needs it. */
export interface FailedFrame {
  readonly opCode: number;
  /** Items on the stack when the instruction began. */
  readonly stackLength: number;
  /** The item `depth` places below the top. */
  item(depth: number): bigint;
  /** Bytes that RETURNDATACOPY can read. */
  readonly returnDataLength: number;
}

const { errorMessages: LIBRARY } = EVMError;

/** Gas that lacks for the code deposit. The library uses this name on Frontier only, and `out of gas` later. */
export const CODE_STORE_OUT_OF_GAS: string = LIBRARY.CODESTORE_OUT_OF_GAS;

const OUT_OF_GAS: HaltReason = { text: 'out of gas', outOfGas: true };

/** The error of a frame that ran code. */
export function frameHaltReason(message: string, frame: FailedFrame): HaltReason {
  const { opCode, stackLength } = frame;
  switch (message) {
    case LIBRARY.OUT_OF_GAS:
    // An oversized CREATE fails as gas in go-ethereum: its gas function finds it.
    case LIBRARY.INITCODE_SIZE_VIOLATION:
      return gasHaltReason(frame);
    case LIBRARY.STACK_UNDERFLOW:
      return underflow(frame);
    case LIBRARY.STACK_OVERFLOW:
      return halt(`stack limit reached ${stackLength} (${1024 - (itemsPushed(opCode) - itemsPopped(opCode))})`);
    case LIBRARY.INVALID_OPCODE:
      return halt(`invalid opcode: ${opcodeText(opCode)}`);
    default:
      return message.startsWith(LIBRARY.INVALID_JUMP) ? halt('invalid jump destination') : messageHaltReason(message);
  }
}

/** The error of a message that ran no code of its own, or whose code had ended well before. */
export function messageHaltReason(message: string): HaltReason {
  switch (message) {
    case LIBRARY.OUT_OF_GAS:
      return OUT_OF_GAS;
    case LIBRARY.STATIC_STATE_CHANGE:
      return halt('write protection');
    case LIBRARY.CREATE_COLLISION:
      return halt('contract address collision');
    case LIBRARY.INVALID_BYTECODE_RESULT:
      return halt('invalid code: must not begin with 0xef');
    case LIBRARY.CODESTORE_OUT_OF_GAS:
      return halt('contract creation code storage out of gas');
    case LIBRARY.INSUFFICIENT_BALANCE:
      return halt('insufficient balance for transfer');
    default:
      return halt(message);
  }
}

/** EIP-170: the code that a creation would deposit is too long. */
export function codeTooLong(bytes: number, limits: CodeLimits): HaltReason {
  return halt(codeTooLarge(bytes, limits));
}

/** An instruction as go-ethereum names it, be it none. */
export function opcodeText(opCode: number): string {
  if (opCode === DIFFICULTY) return 'DIFFICULTY';
  return opcodeAt(opCode)?.name ?? `opcode 0x${opCode.toString(16)} not defined`;
}

function halt(text: string): HaltReason {
  return { text, outOfGas: false };
}

function underflow({ opCode, stackLength }: FailedFrame): HaltReason {
  return halt(`stack underflow (${stackLength} <=> ${itemsPopped(opCode)})`);
}

/** The library says "out of gas" for what no gas would pay for, too. */
function gasHaltReason(frame: FailedFrame): HaltReason {
  const { opCode } = frame;
  if (frame.stackLength < itemsPopped(opCode)) return underflow(frame);
  if (memoryEnd(frame) > MEMORY_END_MAX) return halt('gas uint64 overflow');
  return opCode === RETURNDATACOPY && readsTooFar(frame) ? halt('return data out of bounds') : OUT_OF_GAS;
}

/** PREVRANDAO, which go-ethereum calls by its old name. */
const DIFFICULTY = 0x44;
const RETURNDATACOPY = 0x3e;
/** Largest memory end that rounds up to a whole word below 2 ** 64. */
const MEMORY_END_MAX = 2n ** 64n - 32n;

/** End of the memory that the instruction reaches; 0 where it reaches none. */
export function memoryEnd(frame: Pick<FailedFrame, 'opCode' | 'item'>): bigint {
  const ends = memoryOperands(frame.opCode).map((operand) => {
    const size = 'bytes' in operand ? BigInt(operand.bytes) : frame.item(operand.length);
    return size === 0n ? 0n : frame.item(operand.offset) + size;
  });
  return ends.reduce((last, end) => (end > last ? end : last), 0n);
}

function readsTooFar(frame: FailedFrame): boolean {
  return frame.item(1) + frame.item(2) > BigInt(frame.returnDataLength);
}
