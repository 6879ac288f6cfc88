// Records accounts and slots that a failing instruction would access. The outcome of the execution may depend on them,
// although the gas was not enough for the access.
import { accountEntry, markForReadSet } from './state/accounts';
import * as op from './operations';
import { markSlotReached, slotEntry } from './state/storage';
import { writeAddressBytes } from './words/word';
import { SCRATCH_ADDRESS } from './shared/memory-layout';

/**
 * Records the account or slot that the instruction accesses, if the stack has as many items as go-ethereum's tracer
 * requires. `sp` is the address of the top of the stack. Returns false if aborted (STATE_MISS or TABLE_FULL).
 */
export function recordFailedAccess(opcode: u32, self: usize, sp: usize, items: usize): bool {
  switch (opcode) {
    case op.SLOAD:
    case op.SSTORE:
      return items < 1 || nameSlot(self, sp);
    case op.BALANCE:
    case op.EXTCODESIZE:
    case op.EXTCODECOPY:
    case op.EXTCODEHASH:
    case op.SELFDESTRUCT:
      return items < 1 || nameAccount(sp);
    case op.CALL:
    case op.CALLCODE:
    case op.DELEGATECALL:
    case op.STATICCALL:
      return items < 5 || nameAccount(sp - 32);
    default:
      return true;
  }
}

function nameSlot(self: usize, key: usize): bool {
  const entry = slotEntry(self, key);
  if (entry != 0) markSlotReached(entry);
  return entry != 0;
}

function nameAccount(item: usize): bool {
  writeAddressBytes(SCRATCH_ADDRESS, item);
  const entry = accountEntry(SCRATCH_ADDRESS);
  if (entry != 0) markForReadSet(entry);
  return entry != 0;
}
