// State of one execution as a whole, outside its call frames.
import { INSTRUCTION_FAILED, HALT } from './shared/status';

/** Refund counter in gas (EIP-3529). When a frame fails, the counter goes back to its value at the frame's start. */
export let refundCounter: i64 = 0;
/** Length of the return data at RETURN_DATA: the output of the last call that the running frame has made. */
export let returnDataLength: u32 = 0;
/** Length of the longest return data so far. The host uses it to report the kernel's memory usage. */
export let returnDataPeak: u32 = 0;
/**
 * Set if code observes the gas left, or if a call halts that got all gas that its caller could pass on. The minimum gas
 * must then be confirmed by another run.
 */
export let gasSensitive: bool = false;
/** Set if a call made by code halts exceptionally. */
export let hasHaltedCalls: bool = false;
/**
 * Set if code reads the block environment (with NUMBER, for example), so that its result might be different in another
 * block.
 */
export let readsBlockEnv: bool = false;
/** Why the last frame halted (status.ts); 0 if it did not halt. */
export let haltReason: u32 = 0;
/** Hash of the tree of calls. `hashFrameIntoCallTree` adds every call that has ended. */
export let callTreeHash: u64 = 0;

/**
 * Gas of work outside the interpreter (precompiles, creations) that was not yet subtracted from the interpreter's
 * countdown to the next clock check.
 */
let work: i64 = 0;

/**
 * Set if each failing frame must find out which instruction of its basic block has failed, so that accesses and logs of
 * the instructions before it are recorded exactly.
 */
export let locatesFailures: bool = false;
/**
 * Set if accounts and slots that a failing instruction accesses count as read, even though the gas was not enough for
 * the access.
 */
export let recordsUnpaidAccesses: bool = false;

/**
 * Sets `locatesFailures` and `recordsUnpaidAccesses` from the message's flags FLAG_EXACT_LISTS_AND_LOGS,
 * FLAG_EXACT_ACCESS_LISTS and FLAG_HOOKED (memory-layout.ts).
 */
export function setFailureRecording(isTraced: bool, isListed: bool, isHooked: bool): void {
  locatesFailures = isTraced || isListed || isHooked;
  recordsUnpaidAccesses = isTraced && !isListed;
}

/**
 * Before an execution, resets everything except `locatesFailures` and `recordsUnpaidAccesses`, which
 * `setFailureRecording` sets.
 */
export function clearExecution(): void {
  refundCounter = 0;
  returnDataLength = 0;
  gasSensitive = false;
  hasHaltedCalls = false;
  readsBlockEnv = false;
  haltReason = 0;
  callTreeHash = 0;
  work = 0;
}

/**
 * Adds work outside the interpreter, so that the interpreter checks the deadline sooner. The unit is the gas of
 * instructions that take as long.
 */
export function addUnmeteredWork(gas: i64): void {
  work += gas;
}

/** Returns the work added since the last call, in gas of instructions that take as long, and resets it to 0. */
@inline
export function takeUnmeteredWork(): i64 {
  const gas = work;
  work = 0;
  return gas;
}

/** Adds the end of a call to the hash of the tree of calls: depth of the caller, and how the call ended (status.ts). */
@inline
export function hashFrameIntoCallTree(depth: i32, how: u32): void {
  if (how == HALT && depth >= 0) hasHaltedCalls = true;
  callTreeHash = (callTreeHash + <u64>(((depth + 1) << 5) | how) + 1) * 0x9e37_79b9_7f4a_7c15;
}

/** Sets the refund counter back to its value at a failing frame's start. */
export function setRefund(gas: i64): void {
  refundCounter = gas;
}

/** Adds gas to the refund counter. The amount may be negative: SSTORE can take refunds back (EIP-2200). */
export function addRefund(gas: i64): void {
  refundCounter += gas;
}

/** Sets the length of the return data at RETURN_DATA (EIP-211). */
export function setReturnDataLength(bytes: u32): void {
  if (bytes > returnDataPeak) returnDataPeak = bytes;
  returnDataLength = bytes;
}

/** Marks the execution as gas-sensitive: its minimum gas must be confirmed by another run. */
export function markGasSensitive(): void {
  gasSensitive = true;
}

/** Records that code has read its block environment. */
export function markBlockEnvRead(): void {
  readsBlockEnv = true;
}

/** Sets the reason why the running frame halts. */
export function setHaltReason(reason: u32): void {
  haltReason = reason;
}

/** Makes the running instruction fail; it must not have changed anything yet. Returns INSTRUCTION_FAILED. */
export function haltInstruction(reason: u32): u32 {
  haltReason = reason;
  return INSTRUCTION_FAILED;
}
