// Reason for which a frame of @ethereumjs/evm failed, found in what it has left behind. Runs on publisher and estimators.
import type { Common } from '@ethereumjs/common';
import { EVMError, type ExecResult } from '@ethereumjs/evm';
import { codeLimits } from '../../chain/code-limits.js';
import { gasPrices } from '../../chain/gas-prices.js';
import type { HaltReason } from '../engine.js';
import {
  CODE_STORE_OUT_OF_GAS,
  codeTooLong,
  frameHaltReason,
  messageHaltReason,
  type FailedFrame,
} from '../halt-reason.js';
import type { StackBefore } from './gas-tracking-evm.js';
import { precompileHaltReason, type FailedPrecompile } from '../precompiles/failure-text.js';

/** A frame that has failed. */
export interface Failure {
  /** Run of its code; `null` where none was run. */
  readonly run: ExecResult | null;
  /** Gas left before its last instruction that is priced by its operands. */
  readonly gasBefore: bigint;
  /** Stack before its last instruction of those whose failure is told by it. */
  readonly stackBefore: StackBefore | null;
  /** Set where it is for a precompile. */
  readonly precompile: FailedPrecompile | null;
  readonly common: Common;
}

const { OUT_OF_GAS, CODESIZE_EXCEEDS_MAXIMUM, INVALID_BYTECODE_RESULT, INSUFFICIENT_BALANCE, VALUE_OVERFLOW } =
  EVMError.errorMessages;
const INVALID = 0xfe;
/** Errors of messages that have run nothing. */
const NOT_BEGUN = new Set<string>([INSUFFICIENT_BALANCE, VALUE_OVERFLOW]);

/** The reason in go-ethereum's words. `error`: the library's. */
export function haltReasonOf(error: string, failure: Failure): HaltReason {
  const { run, precompile } = failure;
  const frame = run?.runState;
  if (run === null || frame === undefined) {
    return precompile === null || NOT_BEGUN.has(error)
      ? messageHaltReason(error)
      : precompileHaltReason(error, precompile);
  }
  if (run.exceptionError !== undefined) return frameHaltReason(error, failedFrame(frame, failure));
  return depositHaltReason(error, run.returnValue, frame.gasLeft, failure);
}

/** Reason for which code is not deposited that ran to its end with so much gas left, in go-ethereum's order. */
function depositHaltReason(error: string, code: Uint8Array, gasLeft: bigint, { common }: Failure): HaltReason {
  if (error !== OUT_OF_GAS && error !== CODESIZE_EXCEEDS_MAXIMUM) return messageHaltReason(error);
  if (code[0] === 0xef) return messageHaltReason(INVALID_BYTECODE_RESULT);
  const { codeByte, codeWord } = gasPrices(common);
  const gas = code.length * codeByte + Math.ceil(code.length / 32) * codeWord;
  const limits = codeLimits(common);
  // State gas may be lacking, too (EIP-8037).
  const isLong = code.length > limits.code && BigInt(gas) <= gasLeft;
  return isLong ? codeTooLong(code.length, limits) : messageHaltReason(CODE_STORE_OUT_OF_GAS);
}

/** A frame at the instruction that fails. */
export function failedFrame(
  runState: NonNullable<ExecResult['runState']>,
  { gasBefore, stackBefore, common }: Pick<Failure, 'gasBefore' | 'stackBefore' | 'common'>,
): FailedFrame {
  const stack = runState.stack.getStack();
  const before = stackBefore?.opCode === runState.opCode ? stackBefore : null;
  return {
    // The library calls a byte that is no instruction INVALID.
    opCode: runState.opCode === INVALID ? runState.code[runState.programCounter]! : runState.opCode,
    // The library has gone on behind it when it finds it wrong.
    operand: runState.code[runState.programCounter - 1] ?? 0,
    stackLength: before?.length ?? stack.length,
    item: (depth) => before?.items[depth] ?? stack[stack.length - 1 - depth] ?? 0n,
    returnDataLength: runState.returnBytes.length,
    gas: gasBefore,
    memoryBytes: Number(runState.memoryWordCount) * 32,
    hasEip: (eip) => common.isActivatedEIP(eip),
  };
}
