// Instructions on storage and transient storage.
import { abortReason } from '../abort-reason';
import * as A from '../shared/account-fields';
import { addRefund } from '../execution-wide-state';
import { runningFrame } from '../frames/frame';
import { raiseMinimumGasNow, chargeStateGas, refundStateGas } from '../frames/state-gas';
import { COLD_SLOAD_GAS, forkPrice, SSTORE_SENTRY_GAS, WARM_ACCESS_GAS } from '../dynamic-gas-costs';
import { hasRule } from '../rules';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';
import { SLOT_BASE, SLOT_FLAGS, SLOT_VALUE, TRANSIENT_VALUE } from '../shared/slot-fields';
import {
  markSlotNamed,
  markSlotReached,
  setSlot,
  setTransient,
  slotEntry,
  transientEntry,
  warmSlotIfCold,
} from '../state/storage';
import { copy, equal, isZero, zero } from '../words/word';

/** SLOAD 0x54: key -> value of the running account's slot. Charges for the slot access (EIP-2929). */
@inline
export function SLOAD(sp: usize, gas: i64, self: usize): i64 {
  const entry = slotEntry(self, sp);
  if (entry == 0) return -1;
  const isCold = (load<u32>(entry, SLOT_FLAGS) & A.WARM) == 0;
  const left = gas - (isCold ? COLD_SLOAD_GAS : WARM_ACCESS_GAS);
  if (left < 0) return left;
  if (isCold) warmSlotIfCold(entry);
  markSlotNamed(entry);
  copy(sp, entry + SLOT_VALUE);
  return left;
}

/** SSTORE 0x55: key, word ->. Fails if the gas left is not more than the call stipend, 2300 (EIP-2200). */
@inline
export function SSTORE(sp: usize, gas: i64, self: usize): i64 {
  raiseMinimumGasNow(runningFrame, gas, SSTORE_SENTRY_GAS + 1);
  if (gas <= SSTORE_SENTRY_GAS) return -1;
  const entry = slotEntry(self, sp);
  if (entry == 0) return -1;
  let cost = meterStore(entry, sp - 32);
  if (warmSlotIfCold(entry)) cost += forkPrice(P.COLD_STORE);
  let left = gas - cost;
  if (left >= 0 && hasRule(rule.STATE_GAS)) left = meterState(entry, sp - 32, left);
  if (left < 0) {
    // The gas left is more than the access costs, so a block access list contains the slot (EIP-7928).
    markSlotReached(entry);
    return -1;
  }
  markSlotNamed(entry);
  if (!equal(entry + SLOT_VALUE, sp - 32)) setSlot(entry, sp - 32);
  return abortReason != 0 ? -1 : left;
}

/**
 * Charges state gas for a slot that was zero before the message; pays it back if the slot becomes zero again
 * (EIP-8037).
 */
function meterState(entry: usize, value: usize, gas: i64): i64 {
  if (!isZero(entry + SLOT_BASE)) return gas;
  const wasEmpty = isZero(entry + SLOT_VALUE);
  if (wasEmpty == isZero(value)) return gas;
  return wasEmpty
    ? chargeStateGas(runningFrame, gas, forkPrice(P.STATE_SLOT))
    : refundStateGas(gas, forkPrice(P.STATE_SLOT));
}

/**
 * Returns the gas of the write without a cold access, by net gas metering (EIP-2200, 2929, 3529, 8038). Updates the
 * refund counter.
 */
function meterStore(entry: usize, value: usize): i64 {
  const current = entry + SLOT_VALUE;
  const original = entry + SLOT_BASE;
  if (equal(current, value)) return WARM_ACCESS_GAS;
  if (equal(original, current)) {
    if (isZero(original)) return forkPrice(P.SLOT_SET);
    if (isZero(value)) addRefund(forkPrice(P.SLOT_CLEAR_REFUND));
    return forkPrice(P.SLOT_RESET);
  }
  if (!isZero(original)) {
    if (isZero(current)) addRefund(-forkPrice(P.SLOT_CLEAR_REFUND));
    else if (isZero(value)) addRefund(forkPrice(P.SLOT_CLEAR_REFUND));
  }
  if (equal(original, value)) addRefund(forkPrice(isZero(original) ? P.SLOT_SET : P.SLOT_RESET) - WARM_ACCESS_GAS);
  return WARM_ACCESS_GAS;
}

/** TLOAD 0x5c (EIP-1153): key -> value of the running account's transient slot. */
@inline
export function TLOAD(sp: usize, self: usize): void {
  const entry = transientEntry(self, sp, false);
  if (entry == 0) zero(sp);
  else copy(sp, entry + TRANSIENT_VALUE);
}

/** TSTORE 0x5d (EIP-1153): key, word ->. Transient slots are zero again when the transaction ends. */
@inline
export function TSTORE(sp: usize, self: usize): bool {
  setTransient(self, sp, sp - 32);
  return abortReason == 0;
}
