// go-ethereum's words for why a frame halted, from what @ethereumjs/evm says and the frame it leaves behind.
// Runs on publisher and estimators.
import { EVMError } from '@ethereumjs/evm';
import type { HaltReason } from './engine.js';
import { itemsGiven, itemsTaken, memoryOperands, opcodeAt } from './opcodes.js';

/** What the error text needs of a frame that failed. */
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
  switch (message) {
    case LIBRARY.OUT_OF_GAS:
      return gasHaltReason(frame);
    case LIBRARY.STACK_UNDERFLOW:
      return halt(underflow(frame));
    case LIBRARY.STACK_OVERFLOW:
      return halt(
        `stack limit reached ${frame.stackLength} (${1024 - (itemsGiven(frame.opCode) - itemsTaken(frame.opCode))})`,
      );
    case LIBRARY.INVALID_OPCODE:
      return halt(invalidOpcode(frame.opCode));
    // An oversized CREATE fails as gas in go-ethereum: its gas function finds it.
    case LIBRARY.INITCODE_SIZE_VIOLATION:
      return OUT_OF_GAS;
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
    case LIBRARY.CODESIZE_EXCEEDS_MAXIMUM:
      return halt('max code size exceeded');
    case LIBRARY.INVALID_BYTECODE_RESULT:
      return halt('invalid code: must not begin with 0xef');
    case LIBRARY.CODESTORE_OUT_OF_GAS:
      return halt('contract creation code storage out of gas');
    case LIBRARY.INSUFFICIENT_BALANCE:
      return halt('insufficient balance for transfer');
    case LIBRARY.INITCODE_SIZE_VIOLATION:
      return halt('max initcode size exceeded');
    default:
      return halt(message);
  }
}

function halt(text: string): HaltReason {
  return { text, outOfGas: false };
}

/**
 * go-ethereum checks stack, then constant gas, then sizes beyond 64 bits, then gas for memory; the library says
 * "out of gas" for several of these.
 */
function gasHaltReason(frame: FailedFrame): HaltReason {
  if (frame.stackLength < itemsTaken(frame.opCode)) return halt(underflow(frame));
  if (frame.opCode === RETURNDATACOPY && frame.item(1) + frame.item(2) > BigInt(frame.returnDataLength))
    return halt('return data out of bounds');
  return memoryOverflows(frame) ? halt('gas uint64 overflow') : OUT_OF_GAS;
}

function underflow({ opCode, stackLength }: FailedFrame): string {
  return `stack underflow (${stackLength} <=> ${itemsTaken(opCode)})`;
}

/** go-ethereum also names opcodes that only other forks have. */
function invalidOpcode(opCode: number): string {
  return `invalid opcode: ${opcodeAt(opCode)?.name ?? `opcode 0x${opCode.toString(16)} not defined`}`;
}

const RETURNDATACOPY = 0x3e;

/** Largest memory end that rounds up to a whole word below 2 ** 64. */
const MEMORY_END_MAX = 2n ** 64n - 32n;

function memoryOverflows(frame: FailedFrame): boolean {
  return memoryOperands(frame.opCode).some((operand) => {
    const size = 'bytes' in operand ? BigInt(operand.bytes) : frame.item(operand.length);
    return size > 0n && frame.item(operand.offset) + size > MEMORY_END_MAX;
  });
}
