// Call and creation instructions. They start other call frames.
import { executeCall } from '../frames/calls';
import { executeCreate } from '../frames/creations';
import * as op from '../operations';

/** CALL 0xf1: gas, address, value, input offset and length, output offset and length -> 1 for success, else 0. */
@inline
export function CALL(): u32 {
  return executeCall(op.CALL);
}

/** CALLCODE 0xf2: like CALL, but the callee's code runs on the caller's account. */
@inline
export function CALLCODE(): u32 {
  return executeCall(op.CALLCODE);
}

/** DELEGATECALL 0xf4 (EIP-7): like CALLCODE without value, but CALLER and CALLVALUE stay those of the calling frame. */
@inline
export function DELEGATECALL(): u32 {
  return executeCall(op.DELEGATECALL);
}

/** STATICCALL 0xfa (EIP-214): like CALL without value, but the callee must not change state. */
@inline
export function STATICCALL(): u32 {
  return executeCall(op.STATICCALL);
}

/** CREATE 0xf0: value, offset, length -> address of the created contract, 0 for failure. */
@inline
export function CREATE(): u32 {
  return executeCreate(op.CREATE);
}

/** CREATE2 0xf5 (EIP-1014): value, offset, length, salt -> address of the created contract, 0 for failure. */
@inline
export function CREATE2(): u32 {
  return executeCreate(op.CREATE2);
}
