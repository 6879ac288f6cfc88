// Reports call frames and logs to the host's tracer as they happen, if the message is traced; with the same events as
// go-ethereum's tracing hooks.
import { abortReason, abortExecution } from './abort-reason';
import { haltReason } from './execution-wide-state';
import * as F from './frames/frame';
import { runningFrame } from './frames/frame';
import { hostCreates, hostEntered, hostLeft, hostLogged } from './host';
import { RESULT, RESULT_FAILED_OPCODE } from './shared/memory-layout';
import { STATE_MISS } from './shared/status';

/** True if the message is traced. */
export let reportsToTracer: bool = false;

/** Sets whether the message is traced, before an execution. */
export function setHooked(isHooked: bool): void {
  reportsToTracer = isHooked;
}

/** Aborts the execution if the host has returned a negative result. The host has recorded the cause. */
@inline
function check(answer: i32): void {
  if (answer < 0) abortExecution(STATE_MISS);
}

/** Reports that a call frame starts, or is refused at once. SELFDESTRUCT is reported like a frame that ends at once. */
@inline
export function reportFrameEntered(
  opcode: u32,
  from: usize,
  to: usize,
  value: usize,
  input: usize,
  bytes: u32,
  gas: i64,
): void {
  if (reportsToTracer) entered(opcode, from, to, value, input, bytes, gas);
}

function entered(
  opcode: u32,
  from: usize,
  to: usize,
  value: usize,
  input: usize,
  bytes: u32,
  gas: i64,
): void {
  if (abortReason != 0) return;
  // Cleared, because a frame without code has no failing instruction.
  store<u32>(RESULT, 0, RESULT_FAILED_OPCODE);
  check(hostEntered(opcode, from, to, value, input, bytes, gas));
}

/** Reports that the running frame's child ends and returns `gas`. */
@inline
export function reportFrameLeft(how: u32, gas: i64, output: usize, bytes: u32): void {
  if (reportsToTracer) left(how, gas, output, bytes);
}

function left(how: u32, gas: i64, output: usize, bytes: u32): void {
  if (abortReason != 0) return;
  const used = load<i64>(runningFrame, F.CHILD_GAS_GIVEN) + load<i64>(runningFrame, F.CHILD_STIPEND) - gas;
  check(hostLeft(how, haltReason, used, output, bytes));
}

/** Reports that a log was made. */
@inline
export function reportLog(log: usize): void {
  if (reportsToTracer && abortReason == 0) check(hostLogged(log));
}

/** Reports the address at which the running CREATE or CREATE2 is to create a contract. */
@inline
export function reportCreation(address: usize): void {
  if (reportsToTracer && abortReason == 0) check(hostCreates(address));
}
