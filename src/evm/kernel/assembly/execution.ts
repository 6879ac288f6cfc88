// State of one execution as a whole, outside of its frames.
import { FAILING, HALT } from './shared/status';

/** Refund counter, gas (EIP-3529). A failing frame restores it. */
export let refund: i64 = 0;
/** Length of the return data at RETURN_DATA: the output of the running frame's last call. */
export let returnBytes: u32 = 0;
/** Longest return data so far. */
export let returnPeak: u32 = 0;
/**
 * Set when code observes its gas, or a call uses up all gas that it could get: the tracked minimum gas must then be
 * confirmed by a run.
 */
export let gasSensitive: bool = false;
/** Set when a frame that code has called halts. */
export let halts: bool = false;
/** Set when code reads its block environment: in another block it might behave differently. */
export let blockAsked: bool = false;
/** Why the last frame halted (status.ts), 0 for no halt. */
export let error: u32 = 0;
/** A hash of the call tree: `endsFrame` mixes in every frame that has ended. */
export let tree: u64 = 0;

/** Work of precompiles and creations, in gas, that the interpreter has not subtracted from its clock yet. */
let work: i64 = 0;

/**
 * Set if every failing frame must find out which instruction of a block failed, because those before it may have read
 * or logged.
 */
export let traced: bool = false;
/** Set if state that the failing instruction names counts as read even though the gas was not enough. */
export let namesUnpaid: bool = false;

/** Sets both flags above; the arguments are the message's FLAG_TRACED, FLAG_LISTED and FLAG_HOOKED. */
export function setTraced(isTraced: bool, isListed: bool, isHooked: bool): void {
  traced = isTraced || isListed || isHooked;
  namesUnpaid = isTraced && !isListed;
}

/** Resets everything but these two, before an execution. */
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

/** Adds work that takes as long as instructions of so much gas. */
export function addWork(gas: i64): void {
  work += gas;
}

/** Returns that work and resets it. */
@inline
export function takeWork(): i64 {
  const gas = work;
  work = 0;
  return gas;
}

/**
 * Mixes the end of a frame into the hash of the call tree: its caller's depth, and how it ended (status.ts). The
 * reference computes the same hash.
 */
@inline
export function endsFrame(depth: i32, how: u32): void {
  if (how == HALT && depth >= 0) halts = true;
  tree = (tree + <u64>(((depth + 1) << 5) | how) + 1) * 0x9e37_79b9_7f4a_7c15;
}

/** Restores the refund counter to its value at a frame's start. */
export function setRefund(gas: i64): void {
  refund = gas;
}

/** Adds gas to the refund counter; SSTORE may also take some off (EIP-2200). */
export function addRefund(gas: i64): void {
  refund += gas;
}

/** Sets the length of the return data (EIP-211) at RETURN_DATA. */
export function setReturnBytes(bytes: u32): void {
  if (bytes > returnPeak) returnPeak = bytes;
  returnBytes = bytes;
}

/** Marks the execution as gas-sensitive. */
export function looksAtGas(): void {
  gasSensitive = true;
}

/** Notes that code reads its block environment. */
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
