// Determines why a frame of @ethereumjs/evm failed, from what it has left.
import type { Common } from '@ethereumjs/common';
import { EVMError, type ExecResult } from '@ethereumjs/evm';
import { codeLimits } from '../../chain/code-limits.js';
import { gasSchedule } from '../../chain/gas-schedule.js';
import type { HaltReason } from '../evm-engine.js';
import { CODE_STORE_OUT_OF_GAS, codeTooLongReason, frameHaltReason, messageHaltReason } from '../halt-reason.js';
import type { StackHeightBeforeStep } from './gas-tracking-evm.js';

export interface FrameFailure {
  /** The run of its code; `null` if none was run. */
  readonly run: ExecResult | null;
  /** The stack before its last instruction whose price depends on operands. */
  readonly stackBefore: StackHeightBeforeStep | null;
  readonly common: Common;
}

type RunState = NonNullable<ExecResult['runState']>;

const { OUT_OF_GAS, CODESIZE_EXCEEDS_MAXIMUM, INVALID_BYTECODE_RESULT } = EVMError.errorMessages;
const INVALID = 0xfe;

/** The reason in go-ethereum's words. `error` is the library's. */
export function frameFailureReason(error: string, failure: FrameFailure): HaltReason {
  const { run } = failure;
  const frame = run?.runState;
  if (run === null || frame === undefined) return messageHaltReason(error);
  if (run.exceptionError !== undefined) return stepHaltReason(error, frame, failure.stackBefore);
  return depositHaltReason(error, run.returnValue, frame.gasLeft, failure);
}

/** Why the current instruction of a frame failed. */
export function stepHaltReason(error: string, runState: RunState, before: StackHeightBeforeStep | null): HaltReason {
  const { opCode, code, programCounter, returnBytes } = runState;
  const stack = runState.stack.getStack();
  // State gas may be found missing when the operands are already popped (EIP-8037).
  if (error === OUT_OF_GAS && before?.opCode === opCode && stack.length < before.length)
    return messageHaltReason(error);
  return frameHaltReason(error, {
    // The library calls a byte that is not an instruction INVALID.
    opCode: opCode === INVALID ? code[programCounter]! : opCode,
    stackLength: stack.length,
    item: (depth) => stack[stack.length - 1 - depth] ?? 0n,
    returnDataLength: returnBytes.length,
  });
}

/** Why the code of a creation is not deposited, with this much gas left at its end, in go-ethereum's order. */
function depositHaltReason(error: string, code: Uint8Array, gasLeft: bigint, { common }: FrameFailure): HaltReason {
  if (error !== OUT_OF_GAS && error !== CODESIZE_EXCEEDS_MAXIMUM) return messageHaltReason(error);
  if (code[0] === 0xef) return messageHaltReason(INVALID_BYTECODE_RESULT);
  const { codeByte, codeWord } = gasSchedule(common);
  const gas = code.length * codeByte + Math.ceil(code.length / 32) * codeWord;
  const limits = codeLimits(common);
  // State gas may be missing as well (EIP-8037).
  const isLong = code.length > limits.code && BigInt(gas) <= gasLeft;
  return isLong ? codeTooLongReason(code.length, limits) : messageHaltReason(CODE_STORE_OUT_OF_GAS);
}
