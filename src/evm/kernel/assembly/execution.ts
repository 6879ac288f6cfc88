// The state of one execution as a whole, outside of its frames.
import { FAILING, HALT } from './shared/status';

/** Refund counter in gas (EIP-3529). A failing frame restores it. */
export let refundCounter: i64 = 0;
/** Length of the return data at RETURN_DATA, which is the output of the running frame's last call. */
export let returnDataLength: u32 = 0;
/** Longest return data so far. */
export let returnDataPeak: u32 = 0;
/** Set if code observes its gas, or a call uses up all that it could get. The minimum gas must then be confirmed. */
export let gasSensitive: bool = false;
/** Set if a frame that code has called halts. */
export let hasHalts: bool = false;
/** Set if code reads its block environment, so that it might behave differently in another block. */
export let readsBlockEnv: bool = false;
/** Why the last frame halted (status.ts); 0 if it did not. */
export let haltReason: u32 = 0;
/** A hash of the tree of calls: `addFrameToTree` adds every frame that has ended. */
export let callTreeHash: u64 = 0;

/** Work of precompiles and creations in gas that the interpreter has not subtracted from its clock yet. */
let work: i64 = 0;

/** Set if every failing frame must find out which instruction of a block has failed: earlier ones may have logged. */
export let locatesFailures: bool = false;
/** Set if state that the failing instruction accesses counts as read even though the gas was not enough. */
export let recordsUnpaidAccesses: bool = false;

/** Sets both flags above. The arguments are the message's FLAG_TRACED, FLAG_LISTED and FLAG_HOOKED. */
export function setTracing(isTraced: bool, isListed: bool, isHooked: bool): void {
  locatesFailures = isTraced || isListed || isHooked;
  recordsUnpaidAccesses = isTraced && !isListed;
}

/** Resets everything except these two, before an execution. */
export function clearExecution(): void {
  refundCounter = 0;
  returnDataLength = 0;
  gasSensitive = false;
  hasHalts = false;
  readsBlockEnv = false;
  haltReason = 0;
  callTreeHash = 0;
  work = 0;
}

/** Adds work that takes as long as instructions with this much gas. */
export function addUnmeteredWork(gas: i64): void {
  work += gas;
}

/** Returns that work and resets it. */
@inline
export function takeUnmeteredWork(): i64 {
  const gas = work;
  work = 0;
  return gas;
}

/** Adds the end of a frame to the hash of the tree of calls: its caller's depth, and how it ended (status.ts). */
@inline
export function addFrameToTree(depth: i32, how: u32): void {
  if (how == HALT && depth >= 0) hasHalts = true;
  callTreeHash = (callTreeHash + <u64>(((depth + 1) << 5) | how) + 1) * 0x9e37_79b9_7f4a_7c15;
}

/** Restores the refund counter to its value at a frame's start. */
export function setRefund(gas: i64): void {
  refundCounter = gas;
}

/** Adds gas to the refund counter; SSTORE may also subtract some (EIP-2200). */
export function addRefund(gas: i64): void {
  refundCounter += gas;
}

/** Sets the length of the return data (EIP-211) at RETURN_DATA. */
export function setReturnDataLength(bytes: u32): void {
  if (bytes > returnDataPeak) returnDataPeak = bytes;
  returnDataLength = bytes;
}

/** Marks the execution as gas-sensitive. */
export function markGasSensitive(): void {
  gasSensitive = true;
}

/** Records that code reads its block environment. */
export function markBlockEnvRead(): void {
  readsBlockEnv = true;
}

/** Sets why a frame halts. */
export function setHaltReason(reason: u32): void {
  haltReason = reason;
}

/** Makes the running instruction fail, which has changed nothing yet. Returns FAILING. */
export function haltInstruction(reason: u32): u32 {
  haltReason = reason;
  return FAILING;
}
