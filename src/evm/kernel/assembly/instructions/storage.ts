// Storage and transient storage.
import { aborted } from '../abort';
import * as A from '../shared/account-fields';
import { addRefund } from '../execution';
import * as F from '../frames/frame';
import { frame } from '../frames/frame';
import { CLEARS, COLD_SLOT, SLOT_RESET, SLOT_SET, SSTORE_SENTRY, WARM } from '../gas-costs';
import { SLOT_BASE, SLOT_FLAGS, SLOT_VALUE, TRANSIENT_VALUE } from '../shared/slot-fields';
import { reachSlot, setSlot, setTransient, slot, transient, warmSlot } from '../state/storage';
import { copy, equal, isZero, zero } from '../words/word';

/** SLOAD 0x54: key -> the word in the running account's slot, for an access (EIP-2929). */
@inline
export function SLOAD(sp: usize, gas: i64, self: usize): i64 {
  const entry = slot(self, sp);
  if (entry == 0) return -1;
  const isCold = (load<u32>(entry, SLOT_FLAGS) & A.WARM) == 0;
  const left = gas - (isCold ? COLD_SLOT : WARM);
  if (left < 0) return left;
  if (isCold) warmSlot(entry);
  reachSlot(entry);
  copy(sp, entry + SLOT_VALUE);
  return left;
}

/** SSTORE 0x55: key, word ->. Fails where no more gas is left than a stipend (EIP-2200). */
@inline
export function SSTORE(sp: usize, gas: i64, self: usize): i64 {
  F.atLeast(frame, load<i64>(frame, F.GAS_GIVEN) - gas + SSTORE_SENTRY + 1);
  if (gas <= SSTORE_SENTRY) return -1;
  const entry = slot(self, sp);
  if (entry == 0) return -1;
  let cost = meterStore(entry, sp - 32);
  if (warmSlot(entry)) cost += COLD_SLOT;
  if (gas < cost) return -1;
  reachSlot(entry);
  if (!equal(entry + SLOT_VALUE, sp - 32)) setSlot(entry, sp - 32);
  return aborted != 0 ? -1 : gas - cost;
}

/** Net metering (EIP-2200, 2929, 3529): what the write costs beside a cold access; refunds are counted. */
function meterStore(entry: usize, value: usize): i64 {
  const current = entry + SLOT_VALUE;
  const original = entry + SLOT_BASE;
  if (equal(current, value)) return WARM;
  if (equal(original, current)) {
    if (isZero(original)) return SLOT_SET;
    if (isZero(value)) addRefund(CLEARS);
    return SLOT_RESET;
  }
  if (!isZero(original)) {
    if (isZero(current)) addRefund(-CLEARS);
    else if (isZero(value)) addRefund(CLEARS);
  }
  if (equal(original, value)) addRefund(isZero(original) ? SLOT_SET - WARM : SLOT_RESET - WARM);
  return WARM;
}

/** TLOAD 0x5c (EIP-1153): key -> the word in the running account's transient slot. */
@inline
export function TLOAD(sp: usize, self: usize): void {
  const entry = transient(self, sp, false);
  if (entry == 0) zero(sp);
  else copy(sp, entry + TRANSIENT_VALUE);
}

/** TSTORE 0x5d (EIP-1153): key, word ->. The transient slot keeps the word until the transaction ends. */
@inline
export function TSTORE(sp: usize, self: usize): bool {
  setTransient(self, sp, sp - 32);
  return aborted == 0;
}
