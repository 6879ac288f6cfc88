// Calls and creations: they lead to other frames.
import { call } from '../calls';
import { create } from '../creations';
import * as op from '../operations';

@inline
export function CALL(): u32 {
  return call(op.CALL);
}

@inline
export function CALLCODE(): u32 {
  return call(op.CALLCODE);
}

@inline
export function DELEGATECALL(): u32 {
  return call(op.DELEGATECALL);
}

@inline
export function STATICCALL(): u32 {
  return call(op.STATICCALL);
}

@inline
export function CREATE(): u32 {
  return create(op.CREATE);
}

@inline
export function CREATE2(): u32 {
  return create(op.CREATE2);
}
