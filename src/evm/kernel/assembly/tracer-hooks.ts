// Reports frames and logs to the host's tracer while they happen, as go-ethereum's hooks do, if the message is traced.
import { aborted, abortWith } from './abort';
import { haltReason } from './execution';
import * as F from './frames/frame';
import { runningFrame } from './frames/frame';
import { hostCreates, hostEntered, hostLeft, hostLogged } from './host';
import { RESULT, RESULT_OPCODE } from './shared/layout';
import { STATE_MISS } from './shared/status';

/** True if the message is traced. */
export let reportsToTracer: bool = false;

/** Sets whether the message is traced, before an execution. */
export function setHooked(isHooked: bool): void {
  reportsToTracer = isHooked;
}

/** Handles a negative result of the host, which has recorded why it cannot continue. */
@inline
function check(answer: i32): void {
  if (answer < 0) abortWith(STATE_MISS);
}

/** Reports that a frame starts, or is refused at once. SELFDESTRUCT counts as a frame that has ended. */
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
  if (aborted != 0) return;
  // A frame without code has no instruction that fails.
  store<u32>(RESULT, 0, RESULT_OPCODE);
  check(hostEntered(opcode, from, to, value, input, bytes, gas));
}

/** Reports that the running frame's child ends and returns this much gas. */
@inline
export function reportFrameLeft(how: u32, gas: i64, output: usize, bytes: u32): void {
  if (reportsToTracer) left(how, gas, output, bytes);
}

function left(how: u32, gas: i64, output: usize, bytes: u32): void {
  if (aborted != 0) return;
  const used = load<i64>(runningFrame, F.CHILD_GAS_GIVEN) + load<i64>(runningFrame, F.CHILD_STIPEND) - gas;
  check(hostLeft(how, haltReason, used, output, bytes));
}

/** Reports that a log was made. */
@inline
export function reportLog(log: usize): void {
  if (reportsToTracer && aborted == 0) check(hostLogged(log));
}

/** Reports that the running creation is to make a contract at this address. */
@inline
export function reportCreation(address: usize): void {
  if (reportsToTracer && aborted == 0) check(hostCreates(address));
}
