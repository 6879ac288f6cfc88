// go-ethereum's words for why a frame halted, from what @ethereumjs/evm says and the frame it leaves behind.
// Runs on publisher and estimators.
import { EVMError } from '@ethereumjs/evm';
import type { HaltReason } from './engine.js';
import { itemsGiven, itemsTaken, memoryOperands, opcodeAt } from './opcodes.js';
import { gasPrices } from '../chain/gas-prices.js';
import { codeLimits, codeTooLarge, initcodeTooLarge, type CodeLimits } from '../chain/code-limits.js';

/** A frame that failed, as its error text needs it. */
export interface FailedFrame {
  readonly opCode: number;
  /** Byte behind the opcode; 0 behind the code's end. */
  readonly operand: number;
  /** Items on the stack when the instruction began. */
  readonly stackLength: number;
  /** The item `depth` places below the top. */
  item(depth: number): bigint;
  /** Bytes that RETURNDATACOPY can read. */
  readonly returnDataLength: number;
  /** Gas left before the instruction, where that could be priced by its operands. */
  readonly gas: bigint;
  /** Length of memory; grown already where the instruction has paid for that. */
  readonly memoryBytes: number;
  /** True if the fork has this EIP. */
  readonly hasEip: (eip: number) => boolean;
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
      return halt(invalidOpcode(frame));
    // An oversized CREATE fails as gas in go-ethereum: its gas function finds it.
    case LIBRARY.INITCODE_SIZE_VIOLATION:
      return gasHaltReason(frame);
    // go-ethereum's gas functions find it, but for LOGs and TSTORE.
    case LIBRARY.STATIC_STATE_CHANGE:
      return writeReason(frame);
    default:
      return message.startsWith(LIBRARY.INVALID_JUMP) ? halt('invalid jump destination') : messageHaltReason(message);
  }
}

const WRITE = 'write protection';
const OUT_OF_BOUNDS = 'return data out of bounds';
const COPY_GAS = 3n;
const LOG_GAS = 375n;
const LOG_BYTE_GAS = 8n;

function writeReason({ opCode, gas }: FailedFrame): HaltReason {
  if (isLog(opCode) || opCode === TSTORE) return halt(WRITE);
  return gas < (CONSTANT_GAS[opCode] ?? 0n) ? OUT_OF_GAS : { ...gasLacks(WRITE), outOfGas: false };
}

function isLog(opCode: number): boolean {
  return opCode >= LOG0 && opCode <= LOG4;
}

/**
 * Gas of an instruction that fails only once it is paid for, in go-ethereum: a write where none may be made, a copy of more than was
 * returned, a creation whose account cannot be paid for (EIP-8037); `null` for all others.
 */
export function gasOfLateFailure(text: string, frame: FailedFrame): bigint | null {
  const { opCode } = frame;
  if (text === OUT_OF_GAS.text && CREATES.has(opCode) && frame.hasEip(8037)) return creationGas(frame);
  if (text === OUT_OF_BOUNDS) return COPY_GAS + copyGas(frame, memoryEnd(frame));
  if (text !== WRITE) return null;
  if (!isLog(opCode)) return WARM_GAS;
  return LOG_GAS * BigInt(opCode - LOG0 + 1) + LOG_BYTE_GAS * frame.item(1) + growthGas(frame, memoryEnd(frame));
}

/** The error of a message that ran no code of its own, or whose code had ended well before. */
export function messageHaltReason(message: string): HaltReason {
  switch (message) {
    case LIBRARY.OUT_OF_GAS:
      return OUT_OF_GAS;
    case LIBRARY.STATIC_STATE_CHANGE:
      return halt(WRITE);
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

function halt(text: string): HaltReason {
  return { text, outOfGas: false };
}

/** Reason in the words of go-ethereum's gas functions: gas lacks, and why. */
function gasLacks(cause: string): HaltReason {
  return { text: `out of gas: ${cause}`, outOfGas: true };
}

/**
 * go-ethereum checks the stack, then the constant gas, then sizes beyond 64 bits; then the gas function prices the rest, and may
 * fail; what it answers has to be paid. The library says "out of gas" for all of these.
 */
function gasHaltReason(frame: FailedFrame): HaltReason {
  const { opCode, gas } = frame;
  if (frame.stackLength < itemsTaken(opCode)) return halt(underflow(frame));
  const coldAccountGas = BigInt(gasPrices({ isActivatedEIP: frame.hasEip }).coldAccount);
  const left = gas - (fixedGas(opCode, frame.hasEip) ?? 0n);
  if (left < 0n) return OUT_OF_GAS;
  const end = memoryEnd(frame);
  if (end > MEMORY_END_MAX) return halt(OVERFLOW);
  if (CALLS.has(opCode) && left < coldAccountGas - WARM_GAS) return gasLacks(OUT_OF_GAS.text);
  if (end > PRICED_END_MAX) return gasLacks(OVERFLOW);
  const limits = limitsOf(frame);
  if (isOversized(frame, limits)) return gasLacks(initcodeTooLarge(frame.item(2), limits));
  if (opCode === RETURNDATACOPY && readsTooFar(frame) && copyGas(frame, end) <= left) return halt(OUT_OF_BOUNDS);
  if (opCode === SSTORE && left <= SENTRY_GAS) return gasLacks('not enough gas for reentrancy sentry');
  // From EIP-7702 on the gas function takes what a call costs, where it finds that it cannot be paid.
  if (CALLS.has(opCode) && frame.hasEip(7702)) return gasLacks(OUT_OF_GAS.text);
  if (opCode === SELFDESTRUCT && left < coldAccountGas) return gasLacks(OUT_OF_GAS.text);
  return OUT_OF_GAS;
}

function underflow({ opCode, stackLength }: FailedFrame): string {
  return `stack underflow (${stackLength} <=> ${itemsTaken(opCode)})`;
}

/** go-ethereum also names opcodes that only other forks have, or drafts of them had. */
function invalidOpcode({ opCode, operand, hasEip }: FailedFrame): string {
  const isOperand = WITH_OPERAND.has(opCode) && hasEip(8024);
  const shown = isOperand ? ` (operand: 0x${operand.toString(16).padStart(2, '0')})` : '';
  return `invalid opcode: ${opcodeText(opCode)}${shown}`;
}

/** An instruction as go-ethereum names it, be it none. */
export function opcodeText(opCode: number): string {
  if (opCode === DIFFICULTY) return 'DIFFICULTY';
  return opcodeAt(opCode)?.name ?? DRAFTED[opCode] ?? `opcode 0x${opCode.toString(16)} not defined`;
}

/** Gas of an instruction that go-ethereum takes before it looks at operands, `null` where that is all of it. */
export function fixedGas(opCode: number, hasEip: FailedFrame['hasEip']): bigint | null {
  if (CREATES.has(opCode) && hasEip(8037)) return CREATE_ACCESS_GAS;
  return CONSTANT_GAS[opCode] ?? null;
}

/** Gas of CREATE and CREATE2 beside the state gas of the account (EIP-8037). `memoryBytes`: before it grows. */
export function creationGas(frame: Pick<FailedFrame, 'opCode' | 'item' | 'memoryBytes'>): bigint {
  const words = (frame.item(2) + 31n) / 32n;
  const wordGas = frame.opCode === CREATE2 ? INITCODE_WORD_GAS + HASHED_WORD_GAS : INITCODE_WORD_GAS;
  return CREATE_ACCESS_GAS + words * wordGas + growthGas(frame, memoryEnd(frame));
}

/** DUPN, SWAPN, EXCHANGE (EIP-8024): where the fork has them, it is what stands behind them that is invalid. */
const WITH_OPERAND = new Set([0xe6, 0xe7, 0xe8]);

/** Instructions of the EVM object format. */
const DRAFTED: Readonly<Record<number, string>> = {
  0xd0: 'DATALOAD',
  0xd1: 'DATALOADN',
  0xd2: 'DATASIZE',
  0xd3: 'DATACOPY',
  0xe0: 'RJUMP',
  0xe1: 'RJUMPI',
  0xe2: 'RJUMPV',
  0xe3: 'CALLF',
  0xe4: 'RETF',
  0xe5: 'JUMPF',
  0xec: 'EOFCREATE',
  0xee: 'RETURNCONTRACT',
  0xf7: 'RETURNDATALOAD',
  0xf8: 'EXTCALL',
  0xf9: 'EXTDELEGATECALL',
  0xfb: 'EXTSTATICCALL',
};

/** PREVRANDAO, which go-ethereum calls by its old name. */
const DIFFICULTY = 0x44;
const TSTORE = 0x5d;
const LOG0 = 0xa0;
const LOG4 = 0xa4;
const RETURNDATACOPY = 0x3e;
const SSTORE = 0x55;
const CREATE2 = 0xf5;
const CREATES = new Set([0xf0, CREATE2]);
/** CALL, CALLCODE, DELEGATECALL, STATICCALL. */
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
const SELFDESTRUCT = 0xff;

/**
 * Constant gas that go-ethereum takes before it looks at operands, of instructions that it prices by these (from Berlin
 * on).
 */
const CONSTANT_GAS: Readonly<Record<number, bigint>> = {
  0x0a: 0n,
  0x20: 30n,
  0x31: 100n,
  0x37: 3n,
  0x39: 3n,
  0x3b: 100n,
  0x3c: 100n,
  0x3e: 3n,
  0x3f: 100n,
  0x51: 3n,
  0x52: 3n,
  0x53: 3n,
  0x54: 0n,
  0x55: 0n,
  0x5e: 3n,
  0xa0: 0n,
  0xa1: 0n,
  0xa2: 0n,
  0xa3: 0n,
  0xa4: 0n,
  0xf0: 32_000n,
  0xf1: 100n,
  0xf2: 100n,
  0xf4: 100n,
  0xf5: 32_000n,
  0xfa: 100n,
  0xff: 5000n,
};
/** EIP-8038: constant gas of creations. */
const CREATE_ACCESS_GAS = 12_000n;
/** EIP-3860, and what CREATE2 pays for the hash of its initcode. */
const INITCODE_WORD_GAS = 2n;
const HASHED_WORD_GAS = 6n;
/** EIP-2929: part of a call's access that is in its constant gas. */
const WARM_GAS = 100n;
/** EIP-2200: SSTORE fails with no more than that. */
const SENTRY_GAS = 2300n;

const OVERFLOW = 'gas uint64 overflow';
/** Largest memory end that rounds up to a whole word below 2 ** 64. */
const MEMORY_END_MAX = 2n ** 64n - 32n;
/** Largest memory end that go-ethereum prices. */
const PRICED_END_MAX = 0x1f_ffff_ffe0n;

/** End of the memory that the instruction reaches; 0 where it reaches none. */
function memoryEnd(frame: Pick<FailedFrame, 'opCode' | 'item'>): bigint {
  const ends = memoryOperands(frame.opCode).map((operand) => {
    const size = 'bytes' in operand ? BigInt(operand.bytes) : frame.item(operand.length);
    return size === 0n ? 0n : frame.item(operand.offset) + size;
  });
  return ends.reduce((last, end) => (end > last ? end : last), 0n);
}

function limitsOf(frame: FailedFrame): CodeLimits {
  return codeLimits({ isActivatedEIP: frame.hasEip });
}

function isOversized(frame: FailedFrame, { initcode }: CodeLimits): boolean {
  return CREATES.has(frame.opCode) && frame.hasEip(3860) && frame.item(2) > BigInt(initcode);
}

function readsTooFar(frame: FailedFrame): boolean {
  return frame.item(1) + frame.item(2) > BigInt(frame.returnDataLength);
}

/** Gas for copying to memory up to `end`, beside the constant gas. */
function copyGas(frame: FailedFrame, end: bigint): bigint {
  return growthGas(frame, end) + 3n * ((frame.item(2) + 31n) / 32n);
}

function growthGas({ memoryBytes }: Pick<FailedFrame, 'memoryBytes'>, end: bigint): bigint {
  const [from, to] = [BigInt(memoryBytes) / 32n, (end + 31n) / 32n];
  return to > from ? memoryGas(to) - memoryGas(from) : 0n;
}

function memoryGas(words: bigint): bigint {
  return 3n * words + (words * words) / 512n;
}
