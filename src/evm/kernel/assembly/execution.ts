// State of one execution as a whole, beside its frames.
import { FAILING, HALT } from './shared/status';

/** Refund counter, gas (EIP-3529). A failing frame restores it. */
export let refund: i64 = 0;
/** Bytes at RETURN_DATA: the output of the last call that the running frame has made. */
export let returnBytes: u32 = 0;
/** The most that they were so far. */
export let returnPeak: u32 = 0;
/** Set when code reads its gas, or a call uses up all gas it could be given: the tracked need must be confirmed. */
export let gasSensitive: bool = false;
/** Set when a frame that code has called halts. */
export let halts: bool = false;
/** Set when code asks about its block: what it does may be another thing in another block. */
export let blockAsked: bool = false;
/** Reason for which the last frame halted (status.ts), 0 for none. */
export let error: u32 = 0;
/** Tells trees of calls apart: `endsFrame` has added every frame that has ended. */
export let tree: u64 = 0;

/** Gas of what precompiles and creations have done, until the interpreter takes it from its clock. */
let work: i64 = 0;

/** Every frame that fails finds out which instruction of a block did: those before it may have read or logged. */
export let traced: bool = false;
/** The one that fails names state though it could not be paid for. */
export let namesUnpaid: bool = false;

/** Sets whether they do: `isTraced` and `isListed` are FLAG_TRACED and FLAG_LISTED of the message. */
export function setTraced(isTraced: bool, isListed: bool): void {
  traced = isTraced || isListed;
  namesUnpaid = isTraced && !isListed;
}

/** Resets all but these, before an execution. */
export function clear(): void {
  refund = 0;
  returnBytes = 0;
  gasSensitive = false;
  halts = false;
  blockAsked = false;
  error = 0;
  tree = 0;
  work = 0;
}

/** Adds work that takes as long as what costs so much gas. */
export function addWork(gas: i64): void {
  work += gas;
}

/** Answers that work, and forgets it. */
@inline
export function takeWork(): i64 {
  const gas = work;
  work = 0;
  return gas;
}

/** Adds the end of a frame to the tree of calls: its caller's depth, and how it ended (status.ts). The reference does the same. */
@inline
export function endsFrame(depth: i32, how: u32): void {
  if (how == HALT && depth >= 0) halts = true;
  tree = (tree + <u64>(((depth + 1) << 5) | how) + 1) * 0x9e37_79b9_7f4a_7c15;
}

/** Restores the refund counter to what it was when a frame began. */
export function setRefund(gas: i64): void {
  refund = gas;
}

/** Adds gas to the refund counter; SSTORE may also take some off (EIP-2200). */
export function addRefund(gas: i64): void {
  refund += gas;
}

/** Sets the length of the return data (EIP-211), which lies at RETURN_DATA. */
export function setReturnBytes(bytes: u32): void {
  if (bytes > returnPeak) returnPeak = bytes;
  returnBytes = bytes;
}

/** Marks the execution as gas-sensitive. */
export function looksAtGas(): void {
  gasSensitive = true;
}

/** Notes that code asks about its block. */
export function asksBlock(): void {
  blockAsked = true;
}

/** Sets why a frame halts. */
export function setError(reason: u32): void {
  error = reason;
}

/** Fails the running instruction, which has changed nothing yet. FAILING. */
export function halt(reason: u32): u32 {
  error = reason;
  return FAILING;
}
