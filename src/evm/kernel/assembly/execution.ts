// What belongs to one execution as a whole, beside its frames.
import { FAILING } from './shared/status';

/** Counter of gas to be given back (EIP-3529); a frame that fails puts it back. */
export let refund: i64 = 0;
/** Bytes at RETURN_DATA: the output of the last call that the running frame has made. */
export let returnBytes: u32 = 0;
/** Code looked at its gas, or a call that was given all gas used it up: the tracked need has to be checked. */
export let gasSensitive: bool = false;
/** Why the last frame halted, of status.ts. */
export let error: u32 = 0;

export function clear(): void {
  refund = 0;
  returnBytes = 0;
  gasSensitive = false;
  error = 0;
}

export function setRefund(gas: i64): void {
  refund = gas;
}

export function addRefund(gas: i64): void {
  refund += gas;
}

export function setReturnBytes(bytes: u32): void {
  returnBytes = bytes;
}

export function looksAtGas(): void {
  gasSensitive = true;
}

export function setError(reason: u32): void {
  error = reason;
}

/** An instruction fails, before it has changed anything. */
export function halt(reason: u32): u32 {
  error = reason;
  return FAILING;
}
