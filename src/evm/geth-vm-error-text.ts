// Translates the error of a frame that halted in @ethereumjs/evm into go-ethereum's text, which depends on the frame.
import { EVMError } from '@ethereumjs/evm';
import type { HaltReason } from './evm-engine.js';
import { stackItemsPushed, stackItemsPopped, memoryOperands, opcodeOfByte } from './opcodes.js';
import { codeTooLargeMessage, type CodeLimits } from '../chain/code-limits.js';

/** Fields of a halted frame that its error text depends on. */
export interface FailedFrame {
  readonly opCode: number;
  /** Number of items on the stack when the instruction started. */
  readonly stackLength: number;
  /** Returns the stack item that is `depth` items below the top. */
  item(depth: number): bigint;
  /** Length of the return data buffer in bytes. */
  readonly returnDataLength: number;
}

const { errorMessages: LIBRARY } = EVMError;

/**
 * @ethereumjs's error for too little gas to deposit the code. It occurs on Frontier only; later forks say `out of gas`.
 */
export const ETHEREUMJS_CODE_STORE_OUT_OF_GAS: string = LIBRARY.CODESTORE_OUT_OF_GAS;

const OUT_OF_GAS: HaltReason = { text: 'out of gas', outOfGas: true };

export function frameHaltReason(message: string, frame: FailedFrame): HaltReason {
  const { opCode, stackLength } = frame;
  switch (message) {
    case LIBRARY.OUT_OF_GAS:
    // go-ethereum checks the length of init code while it computes the gas of CREATE, so if the code is too long, it
    // reports `out of gas`.
    case LIBRARY.INITCODE_SIZE_VIOLATION:
      return gasHaltReason(frame);
    case LIBRARY.STACK_UNDERFLOW:
      return underflow(frame);
    case LIBRARY.STACK_OVERFLOW:
      return halt(
        `stack limit reached ${stackLength} (${1024 - (stackItemsPushed(opCode) - stackItemsPopped(opCode))})`,
      );
    case LIBRARY.INVALID_OPCODE:
      return halt(`invalid opcode: ${opcodeName(opCode)}`);
    default:
      return message.startsWith(LIBRARY.INVALID_JUMP)
        ? halt('invalid jump destination')
        : haltReasonOfEthereumjsError(message);
  }
}

/** Returns why a message failed that has run no code, or whose code had already ended successfully. */
export function haltReasonOfEthereumjsError(message: string): HaltReason {
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

/** Returns why a creation failed whose code is too long to be deposited (EIP-170). */
export function codeTooLongReason(bytes: number, limits: CodeLimits): HaltReason {
  return halt(codeTooLargeMessage(bytes, limits));
}

/** Returns go-ethereum's name for an opcode, even if the opcode is not defined. */
export function opcodeName(opCode: number): string {
  if (opCode === DIFFICULTY) return 'DIFFICULTY';
  return opcodeOfByte(opCode)?.name ?? `opcode 0x${opCode.toString(16)} not defined`;
}

function halt(text: string): HaltReason {
  return { text, outOfGas: false };
}

function underflow({ opCode, stackLength }: FailedFrame): HaltReason {
  return halt(`stack underflow (${stackLength} <=> ${stackItemsPopped(opCode)})`);
}

/**
 * Returns the reason of a halt that @ethereumjs calls "out of gas". @ethereumjs also uses that error where no amount of
 * gas would be enough.
 */
function gasHaltReason(frame: FailedFrame): HaltReason {
  const { opCode } = frame;
  if (frame.stackLength < stackItemsPopped(opCode)) return underflow(frame);
  if (memoryAccessEnd(frame) > MEMORY_END_MAX) return halt('gas uint64 overflow');
  return opCode === RETURNDATACOPY && readsTooFar(frame) ? halt('return data out of bounds') : OUT_OF_GAS;
}

/** Opcode of PREVRANDAO, which go-ethereum calls by its former name, DIFFICULTY. */
const DIFFICULTY = 0x44;
const RETURNDATACOPY = 0x3e;
/** Highest end of a memory range that can be rounded up to a whole word below 2 ** 64. */
const MEMORY_END_MAX = 2n ** 64n - 32n;

/** Returns the end of the memory range that the instruction accesses; 0 if it accesses none. */
export function memoryAccessEnd(frame: Pick<FailedFrame, 'opCode' | 'item'>): bigint {
  const ends = memoryOperands(frame.opCode).map((operand) => {
    const size = 'bytes' in operand ? BigInt(operand.bytes) : frame.item(operand.length);
    return size === 0n ? 0n : frame.item(operand.offset) + size;
  });
  return ends.reduce((last, end) => (end > last ? end : last), 0n);
}

function readsTooFar(frame: FailedFrame): boolean {
  return frame.item(1) + frame.item(2) > BigInt(frame.returnDataLength);
}
