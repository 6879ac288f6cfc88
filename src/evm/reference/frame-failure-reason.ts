// Determines why a call frame failed in @ethereumjs/evm, from the state in which the frame ended.
import type { Common } from '@ethereumjs/common';
import { EVMError, type ExecResult } from '@ethereumjs/evm';
import { codeLimits } from '../../chain/code-limits.js';
import { gasSchedule } from '../../chain/gas-schedule.js';
import type { HaltReason } from '../evm-engine.js';
import {
  ETHEREUMJS_CODE_STORE_OUT_OF_GAS,
  codeTooLongReason,
  frameHaltReason,
  haltReasonOfEthereumjsError,
} from '../geth-vm-error-text.js';
import type { StackHeightBeforeStep } from './minimum-gas-tracking-evm.js';

export interface FailedFrameContext {
  /** Result of the frame's code; `null` if no code was run. */
  readonly run: ExecResult | null;
  /** Stack before the frame's last instruction with dynamic gas. */
  readonly stackBefore: StackHeightBeforeStep | null;
  readonly common: Common;
}

type RunState = NonNullable<ExecResult['runState']>;

const { OUT_OF_GAS, CODESIZE_EXCEEDS_MAXIMUM, INVALID_BYTECODE_RESULT } = EVMError.errorMessages;
const INVALID = 0xfe;

/** Returns the reason with go-ethereum's text. `error` is the error of @ethereumjs. */
export function frameFailureReason(error: string, failure: FailedFrameContext): HaltReason {
  const { run } = failure;
  const frame = run?.runState;
  if (run === null || frame === undefined) return haltReasonOfEthereumjsError(error);
  if (run.exceptionError !== undefined) return stepHaltReason(error, frame, failure.stackBefore);
  return depositHaltReason(error, run.returnValue, frame.gasLeft, failure);
}

/** Returns why the current instruction of a frame failed. */
export function stepHaltReason(error: string, runState: RunState, before: StackHeightBeforeStep | null): HaltReason {
  const { opCode, code, programCounter, returnBytes } = runState;
  const stack = runState.stack.getStack();
  // @ethereumjs may detect that state gas is lacking only after it has popped the operands (EIP-8037).
  if (error === OUT_OF_GAS && before?.opCode === opCode && stack.length < before.length)
    return haltReasonOfEthereumjsError(error);
  return frameHaltReason(error, {
    // @ethereumjs uses INVALID for every byte that is not an instruction.
    opCode: opCode === INVALID ? code[programCounter]! : opCode,
    stackLength: stack.length,
    item: (depth) => stack[stack.length - 1 - depth] ?? 0n,
    returnDataLength: returnBytes.length,
  });
}

/** Returns why the code of a creation is not deposited, in go-ethereum's order. The frame had `gasLeft` at its end. */
function depositHaltReason(
  error: string,
  code: Uint8Array,
  gasLeft: bigint,
  { common }: FailedFrameContext,
): HaltReason {
  if (error !== OUT_OF_GAS && error !== CODESIZE_EXCEEDS_MAXIMUM) return haltReasonOfEthereumjsError(error);
  if (code[0] === 0xef) return haltReasonOfEthereumjsError(INVALID_BYTECODE_RESULT);
  const { codeByte, codeWord } = gasSchedule(common);
  const gas = code.length * codeByte + Math.ceil(code.length / 32) * codeWord;
  const limits = codeLimits(common);
  // If the code is not too long, gas for the deposit is lacking: ordinary gas or state gas (EIP-8037).
  const isLong = code.length > limits.code && BigInt(gas) <= gasLeft;
  return isLong
    ? codeTooLongReason(code.length, limits)
    : haltReasonOfEthereumjsError(ETHEREUMJS_CODE_STORE_OUT_OF_GAS);
}
