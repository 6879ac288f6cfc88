// State gas (EIP-8037): what adds to the state is paid from a reservoir first, then from the frame's own gas; that part
// is called the spill. When the addition is reverted, it is paid back in the opposite order. For forks without state
// gas, these functions only track the minimum gas.
import * as F from './frame';
import { runningFrame } from './frame';
import { forkPrice } from '../gas-costs';
import { hasRule } from '../rules';
import { FRAME_BYTES } from '../shared/layout';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';

/** Gas that can pay only for state. */
export let stateGasReservoir: i64 = 0;
/** State gas that the message has used and that was not paid back. */
export let stateGasUsed: i64 = 0;
/** Minimum gas for what the message pays before its outermost frame (EIP-2780). */
export let entryMinimumGas: i64 = 0;
/** True if the gas was not enough for that, so that nothing of the transaction was executed. */
export let isEntryUnpaid: bool = false;

/** Starts a message with `gas` in the reservoir. The running frame must be the root. */
export function beginStateGas(gas: i64): void {
  stateGasReservoir = gas;
  stateGasUsed = 0;
  entryMinimumGas = 0;
  isEntryUnpaid = false;
  store<i64>(runningFrame, 0, F.CHILD_STATE_GAS);
  markStateGas(runningFrame);
}

/** Records in a child what to restore if it fails. */
export function markStateGas(next: usize): void {
  store<i64>(next, stateGasReservoir, F.RESERVOIR_MARK);
  store<i64>(next, stateGasUsed, F.STATE_GAS_MARK);
  store<i64>(next, 0, F.STATE_GAS_SPILL);
}

/** Restores the counters to those at a failing frame's start; its spill becomes its gas again. */
export function revertStateGas(failed: usize): void {
  stateGasReservoir = load<i64>(failed, F.RESERVOIR_MARK);
  stateGasUsed = load<i64>(failed, F.STATE_GAS_MARK);
}

/** Pays state gas from the reservoir, then from a frame's gas. Returns the gas left; negative: nothing was paid. */
export function chargeStateGas(payer: usize, gas: i64, amount: i64): i64 {
  const drawn = min(stateGasReservoir, amount);
  const left = gas - (amount - drawn);
  if (left < 0) return left;
  stateGasReservoir -= drawn;
  stateGasUsed += amount;
  raise(payer, F.STATE_GAS_SPILL, amount - drawn);
  raiseMinimumGasNow(payer, left, 0);
  return left;
}

/** Pays state gas back to the running frame: first its spill, the rest to the reservoir. Returns the frame's gas. */
export function refundStateGas(gas: i64, amount: i64): i64 {
  const back = min(load<i64>(runningFrame, F.STATE_GAS_SPILL), amount);
  raise(runningFrame, F.STATE_GAS_SPILL, -back);
  stateGasReservoir += amount - back;
  stateGasUsed -= amount;
  return gas + back;
}

@inline
function raise(target: usize, field: usize, gas: i64): void {
  store<i64>(target + field, load<i64>(target + field) + gas);
}

/** Raises the minimum gas of a frame that has this much gas left and needs `more` now. */
@inline
export function raiseMinimumGasNow(target: usize, gas: i64, more: i64): void {
  F.raiseMinimumGas(target, load<i64>(target, F.GAS_GIVEN) - gas + more);
}

/**
 * Settles state gas in the running frame when its child has ended. The frame takes over the spill of a successful
 * child, and repays it from the reservoir, which may contain what was paid back for another frame's payment. If the
 * child has failed, the account that was to be created is paid back.
 */
export function settleChildStateGas(succeeded: bool): void {
  if (!succeeded) {
    const made = load<i64>(runningFrame, F.CHILD_STATE_GAS);
    if (made != 0) store<i64>(runningFrame, refundStateGas(load<i64>(runningFrame, F.GAS_LEFT), made), F.GAS_LEFT);
    return;
  }
  const child = runningFrame + FRAME_BYTES;
  raise(runningFrame, F.STATE_GAS_SPILL, load<i64>(child, F.STATE_GAS_SPILL));
  const back = min(load<i64>(runningFrame, F.STATE_GAS_SPILL), stateGasReservoir);
  raise(runningFrame, F.STATE_GAS_SPILL, -back);
  raise(runningFrame, F.GAS_LEFT, back);
  stateGasReservoir -= back;
}

/** Pays what a message costs before its outermost frame (EIP-2780). Returns the gas left, -1 if not enough. */
export function chargeEntryGas(next: usize, gas: i64, access: i64, makesAccount: bool): i64 {
  store<i64>(next, gas, F.GAS_GIVEN);
  store<i64>(next, 0, F.MINIMUM_GAS);
  let left = gas - access;
  if (left >= 0 && makesAccount) left = chargeStateGas(next, left, forkPrice(P.STATE_ACCOUNT));
  if (left < 0) {
    isEntryUnpaid = true;
    return -1;
  }
  raiseMinimumGasNow(next, left, 0);
  entryMinimumGas = load<i64>(next, F.MINIMUM_GAS);
  return left;
}
