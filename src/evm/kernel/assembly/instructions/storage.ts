// Storage and transient storage.
import { aborted } from '../abort';
import * as A from '../shared/account-fields';
import { addRefund } from '../execution';
import { frame } from '../frames/frame';
import { needsNow, payState, refillState } from '../frames/state-gas';
import { COLD_SLOT, price, SSTORE_SENTRY, WARM } from '../gas-costs';
import { has } from '../rules';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';
import { SLOT_BASE, SLOT_FLAGS, SLOT_VALUE, TRANSIENT_VALUE } from '../shared/slot-fields';
import { nameSlot, reachSlot, setSlot, setTransient, slot, transient, warmSlot } from '../state/storage';
import { copy, equal, isZero, zero } from '../words/word';

/** SLOAD 0x54: key -> the word in the running account's slot. Costs an access (EIP-2929). */
@inline
export function SLOAD(sp: usize, gas: i64, self: usize): i64 {
  const entry = slot(self, sp);
  if (entry == 0) return -1;
  const isCold = (load<u32>(entry, SLOT_FLAGS) & A.WARM) == 0;
  const left = gas - (isCold ? COLD_SLOT : WARM);
  if (left < 0) return left;
  if (isCold) warmSlot(entry);
  nameSlot(entry);
  copy(sp, entry + SLOT_VALUE);
  return left;
}

/** SSTORE 0x55: key, word ->. Fails if no more gas is left than a stipend (EIP-2200). */
@inline
export function SSTORE(sp: usize, gas: i64, self: usize): i64 {
  needsNow(frame, gas, SSTORE_SENTRY + 1);
  if (gas <= SSTORE_SENTRY) return -1;
  const entry = slot(self, sp);
  if (entry == 0) return -1;
  let cost = meterStore(entry, sp - 32);
  if (warmSlot(entry)) cost += price(P.COLD_STORE);
  let left = gas - cost;
  if (left >= 0 && has(rule.STATE_GAS)) left = meterState(entry, sp - 32, left);
  if (left < 0) {
    // More gas is left than the access costs, so a block access list contains the slot (EIP-7928).
    reachSlot(entry);
    return -1;
  }
  nameSlot(entry);
  if (!equal(entry + SLOT_VALUE, sp - 32)) setSlot(entry, sp - 32);
  return aborted != 0 ? -1 : left;
}

/** EIP-8037: state gas is paid for a slot that was zero before the message, and paid back if so again. */
function meterState(entry: usize, value: usize, gas: i64): i64 {
  if (!isZero(entry + SLOT_BASE)) return gas;
  const wasEmpty = isZero(entry + SLOT_VALUE);
  if (wasEmpty == isZero(value)) return gas;
  return wasEmpty ? payState(frame, gas, price(P.STATE_SLOT)) : refillState(gas, price(P.STATE_SLOT));
}

/** Net metering (EIP-2200, 2929, 3529, 8038): gas of the write without a cold access. Updates the refund counter. */
function meterStore(entry: usize, value: usize): i64 {
  const current = entry + SLOT_VALUE;
  const original = entry + SLOT_BASE;
  if (equal(current, value)) return WARM;
  if (equal(original, current)) {
    if (isZero(original)) return price(P.SLOT_SET);
    if (isZero(value)) addRefund(price(P.CLEARS));
    return price(P.SLOT_RESET);
  }
  if (!isZero(original)) {
    if (isZero(current)) addRefund(-price(P.CLEARS));
    else if (isZero(value)) addRefund(price(P.CLEARS));
  }
  if (equal(original, value)) addRefund(price(isZero(original) ? P.SLOT_SET : P.SLOT_RESET) - WARM);
  return WARM;
}

/** TLOAD 0x5c (EIP-1153): key -> the word in the running account's transient slot. */
@inline
export function TLOAD(sp: usize, self: usize): void {
  const entry = transient(self, sp, false);
  if (entry == 0) zero(sp);
  else copy(sp, entry + TRANSIENT_VALUE);
}

/** TSTORE 0x5d (EIP-1153): key, word ->. Transient storage is discarded when the transaction ends. */
@inline
export function TSTORE(sp: usize, self: usize): bool {
  setTransient(self, sp, sp - 32);
  return aborted == 0;
}
